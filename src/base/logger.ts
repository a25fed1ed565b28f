import type { RateLimiter } from './rateLimiter.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** One line of a log. `message` never holds a secret: whoever logs redacts first. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** The server it is about, by its label; absent for the host itself. */
  readonly server?: string;
}

/** Pass a function where building the text costs something: it runs only if the level is wanted. */
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
 * @param threshold asked at every call, so that a level changed by the user holds at once
 * @param gate lets lines through, or leaves them out: their text is made only then
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

/** A logger that writes nothing. */
export function createNullLogger(): Logger {
  return createLogger(
    () => {},
    () => 'error',
  );
}
