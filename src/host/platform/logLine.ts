import { toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { boundLine } from '../../base/logLine.ts';
import type { LogLevel } from '../../base/logger.ts';
import type { LoggingLevel, LoggingMessage } from '../../protocol/mcp/logging.ts';
import { singleLine } from './displayText.ts';

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
  const name = logger === undefined || logger === '' ? '' : `[${singleLine(logger, 100)}] `;
  return `${severity}${name}${boundLine(typeof data === 'string' ? data : toJsonText(data, limits.log.characters))}`;
}
