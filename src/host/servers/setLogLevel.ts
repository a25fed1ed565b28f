import { commands, window } from 'vscode';
import { loggingLevels, type LoggingLevel } from '../../protocol/mcp/logging.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { createChannelLogger } from '../platform/channelLogger.ts';
import { channelLevelOf } from '../platform/logLine.ts';
import type { ServerLogs } from './serverLogs.ts';
import type { HostServer } from './serverRegistry.ts';

const explanations: Readonly<Record<LoggingLevel, string>> = {
  debug: 'everything, for finding faults',
  info: 'what happens in general',
  notice: 'normal but significant events',
  warning: 'what may go wrong',
  error: 'what went wrong',
  critical: 'a part has failed',
  alert: 'somebody must act at once',
  emergency: 'the server is unusable',
};

/** Asks for the least severe level a server shall send, and tells the server. */
export async function setLogLevel({ label, server }: HostServer, logs: ServerLogs): Promise<void> {
  const picks = loggingLevels.map((level) => ({ label: level, description: explanations[level], level }));
  const picked = await window.showQuickPick(picks, {
    placeHolder: `Least severe messages ${singleLine(label, 60)} shall send`,
  });
  if (picked === undefined) return;
  await server.setLogLevel(picked.level);
  await offerChannelLevel(picked.level, label, logs);
}

/** What the server now sends may still be below what its channel shows; extensions cannot change that themselves. */
async function offerChannelLevel(level: LoggingLevel, label: string, logs: ServerLogs): Promise<void> {
  const channel = logs.channel(label);
  if (createChannelLogger(() => channel).isEnabled(channelLevelOf(level))) return;
  const setLevel = 'Set Output Level…';
  const text = `${label} now sends “${level}” messages, but its output channel hides them at its present level.`;
  if ((await window.showInformationMessage(notificationText(text), setLevel)) !== setLevel) return;
  channel.show(true);
  await commands.executeCommand('workbench.action.setLogLevel');
}
