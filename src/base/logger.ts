import type { RateLimiter } from './rateLimiter.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** One line of a log. `message` contains no secret: the caller redacts it. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** Label of the server; absent for lines of the host itself. */
  readonly server?: string;
}

/** Pass a function when building the text is expensive: it is called only if the level is enabled. */
export type LogMessage = string | (() => string);

export interface Logger {
  trace(message: LogMessage): void;
  debug(message: LogMessage): void;
  info(message: LogMessage): void;
  warn(message: LogMessage): void;
  error(message: LogMessage): void;
  isEnabled(level: LogLevel): boolean;
}

const openGate: Pick<RateLimiter, 'run'> = { run: (write) => write() };

const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * @param write receives each line that is not filtered
 * @param threshold called for each line, so that a changed level applies at once
 * @param gate limits the number of lines; the text of a suppressed line is not built
 */
export function createLogger(
  write: (level: LogLevel, message: string) => void,
  threshold: () => LogLevel = () => 'info',
  gate: Pick<RateLimiter, 'run'> = openGate,
): Logger {
  const isEnabled = (level: LogLevel): boolean => levels.indexOf(level) >= levels.indexOf(threshold());
  const log = (level: LogLevel) => (message: LogMessage) => {
    if (isEnabled(level)) gate.run(() => write(level, typeof message === 'function' ? message() : message));
  };
  return {
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    isEnabled,
  };
}

export function createNullLogger(): Logger {
  return createLogger(
    () => {},
    () => 'error',
  );
}
