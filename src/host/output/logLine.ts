import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { LogLevel } from '../../base/logger.ts';
import { formatCount } from '../displayText.ts';
import type { LoggingLevel, LoggingMessage } from '../../protocol/mcp/logging.ts';

const channelLevels: Readonly<Record<LoggingLevel, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** The level of an output channel that stands for one of the eight of syslog. */
export function channelLevelOf(level: LoggingLevel): LogLevel {
  return channelLevels[level];
}

/** A server's log message as a line: level where the channel has no word for it, logger's name, data as text or compact JSON. */
export function formatLogMessage({ level, logger, data }: LoggingMessage): string {
  const severity = level === channelLevels[level] || level === 'warning' ? '' : `${level}: `;
  const name = logger === undefined || logger === '' ? '' : `[${boundLine(logger, 100)}] `;
  return `${severity}${name}${boundLine(typeof data === 'string' ? data : toJsonText(data, limits.log.characters))}`;
}

/** Cuts a line at `maximum` characters, saying how many are missing, and takes out what a terminal would act on. */
export function boundLine(line: string, maximum: number = limits.log.characters): string {
  const kept = line.length <= maximum ? line : line.slice(0, maximum);
  // Colour sequences first, then control characters other than tab and line feed.
  const clean = kept.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return kept.length === line.length ? clean : `${clean}… (${formatCount(line.length - maximum)} characters left out)`;
}
