import type { JsonValue } from '../base/json.ts';
import { type LoggingLevel, loggingLevels } from '../protocol/mcp/logging.ts';
import { invalidParams, type RpcServer } from './rpcServer.ts';

/** Sends `notifications/message`, unless the client asked for a higher level. `topic` is the name of the logger. */
export type ServerLog = (level: LoggingLevel, topic: string, data: JsonValue) => void;

/** Answers `logging/setLevel`. The level is `info` until the client sets another one. */
export function registerLogging(rpc: RpcServer): ServerLog {
  let threshold: LoggingLevel = 'info';

  rpc.handle('logging/setLevel', (params) => {
    const level = loggingLevels.find((known) => known === params['level']);
    if (level === undefined) {
      throw invalidParams(`level must be one of ${loggingLevels.join(', ')}.`);
    }
    threshold = level;
    return {};
  });

  return (level, topic, data) => {
    if (severity(level) >= severity(threshold)) rpc.notify('notifications/message', { level, logger: topic, data });
  };
}

function severity(level: LoggingLevel): number {
  return loggingLevels.indexOf(level);
}
