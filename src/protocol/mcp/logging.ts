import { isString, type UnknownRecord } from '../../base/json.ts';

/** The log levels, least severe first (2025-11-25, Server Features / Utilities / Logging, "Log Levels"). */
export const loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export type LoggingLevel = (typeof loggingLevels)[number];

/** A log message of a server; `data` is unchecked. */
export interface LoggingMessage {
  readonly level: LoggingLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** Reads the parameters of `notifications/message`; an unknown level counts as `info`. */
export function readLoggingMessage(params: UnknownRecord): LoggingMessage {
  const level = loggingLevels.find((known) => known === params['level']) ?? 'info';
  return { level, data: params['data'], ...(isString(params['logger']) && { logger: params['logger'] }) };
}
