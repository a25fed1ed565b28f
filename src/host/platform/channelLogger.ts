import { LogLevel as ChannelLevel, type LogOutputChannel } from 'vscode';
import { createLogger, type Logger, type LogLevel } from '../../base/logger.ts';
import { boundLine } from '../../base/logLine.ts';

const levels: Readonly<Record<ChannelLevel, LogLevel>> = {
  // There is nothing above "error" to ask for; the channel itself drops what "off" forbids.
  [ChannelLevel.Off]: 'error',
  [ChannelLevel.Trace]: 'trace',
  [ChannelLevel.Debug]: 'debug',
  [ChannelLevel.Info]: 'info',
  [ChannelLevel.Warning]: 'warn',
  [ChannelLevel.Error]: 'error',
};

/** The least level that shows at VS Code's own `level`. */
export function thresholdOf(level: ChannelLevel): LogLevel {
  return levels[level];
}

/**
 * Our logger on one of VS Code's channels, with the level the user set there.
 * @param channel called with each message, so that the channel can be made with the first one
 */
export function createChannelLogger(channel: () => LogOutputChannel): Logger {
  return createLogger(
    (level, message) => channel()[level](boundLine(message)),
    () => thresholdOf(channel().logLevel),
  );
}
