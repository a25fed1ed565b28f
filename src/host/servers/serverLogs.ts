import { commands, env, type LogOutputChannel, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import { createLogger, type Logger } from '../../base/logger.ts';
import { boundLine } from '../../base/logLine.ts';
import { preciseTime } from '../../base/relativeTime.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { Server } from '../../client/server/managedServer.ts';
import { loggingLevels, type LoggingLevel } from '../../protocol/mcp/logging.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import { createChannelLogger, thresholdOf } from '../platform/channelLogger.ts';
import { channelLevelOf, formatLogMessage } from '../platform/logLine.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';

/** The latest lines of one log that are kept, so that they can be found by their time. */
const maximumRecent = 2_000;

type WrittenLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

interface LogLine {
  readonly at: number;
  readonly text: string;
}

/** One log output channel for each server, made when there is something to write or to show. Lines per second are limited. */
export function createServerLogs(clock: Clock) {
  const store = new DisposableStore();
  const channels = new Map<string, LogOutputChannel>();
  const gates = new Map<string, RateLimiter>();
  const recent = new Map<string, LogLine[]>();

  /** The channel of a server, by label; it outlives the server's configuration, so that its end can be read. */
  function channel(label: string): LogOutputChannel {
    return getOrMake(channels, label, () =>
      store.add(window.createOutputChannel(`Patchbay: ${singleLine(label, 80)}`, { log: true })),
    );
  }

  function gate(label: string): RateLimiter {
    return getOrMake(gates, label, () => {
      const warn = (count: number): void => channel(label).warn(`… ${countOf(count, 'line')} left out`);
      return store.add(new RateLimiter(clock, { count: limits.log.lines, periodMs: 1_000 }, warn));
    });
  }

  function write(label: string, level: WrittenLevel, text: string): void {
    channel(label)[level](text);
    const lines = getOrMake(recent, label, () => []);
    const at = clock.now();
    if (lines.push({ at, text: `${preciseTime(at)} [${level}] ${text}` }) > 2 * maximumRecent)
      lines.splice(0, maximumRecent);
  }

  return {
    channel,
    /** The latest lines of a log, and which of them was the last one at a moment; -1 for none. */
    around(label: string, moment: number): { readonly text: string; readonly line: number } {
      const lines = recent.get(label) ?? [];
      const before = lines.slice(
        0,
        lines.findLastIndex(({ at }) => at <= moment),
      );
      // A text may have several lines.
      const line = before.reduce((count, { text }) => count + text.split('\n').length, 0);
      return { text: lines.map(({ text }) => `${text}\n`).join(''), line: lines.length === 0 ? -1 : line };
    },
    logger: (label: string): Logger =>
      createLogger(
        (level, message) => write(label, level, boundLine(message)),
        () => thresholdOf(channels.get(label)?.logLevel ?? env.logLevel),
        gate(label),
      ),
    /** Writes the server's own log messages until disposed. */
    attach({ label, onDidLog }: Server): Disposable {
      const subscription = store.add(
        onDidLog((message) =>
          // The text is made only for lines that pass.
          gate(label).run(() => write(label, channelLevelOf(message.level), formatLogMessage(message))),
        ),
      );
      return { dispose: () => store.delete(subscription) };
    },
    dispose: (): void => store.dispose(),
  };
}

export type ServerLogs = ReturnType<typeof createServerLogs>;

export function attachLogs(
  registry: Pick<ServerRegistry, 'servers' | 'onDidChangeServers'>,
  logs: Pick<ServerLogs, 'attach'>,
): Disposable {
  const attached = new Map<Server, Disposable>();
  function attach(): void {
    const current = new Set(registry.servers.map(({ server }) => server));
    for (const [server, subscription] of attached) {
      if (current.has(server)) continue;
      subscription.dispose();
      attached.delete(server);
    }
    for (const server of current) if (!attached.has(server)) attached.set(server, logs.attach(server));
  }
  attach();
  return registry.onDidChangeServers(attach);
}

const explanations: Readonly<Record<LoggingLevel, string>> = {
  debug: 'all messages, for debugging',
  info: 'general information',
  notice: 'normal but significant events',
  warning: 'warnings',
  error: 'errors',
  critical: 'a part has failed',
  alert: 'immediate action is needed',
  emergency: 'the server is unusable',
};

export async function setLogLevel({ label, server }: HostServer, logs: ServerLogs): Promise<void> {
  const picks = loggingLevels.map((level) => ({ label: level, description: explanations[level], level }));
  const picked = await window.showQuickPick(picks, {
    placeHolder: `Minimum log level for ${singleLine(label, 60)}`,
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
  const text = `${label} now sends “${level}” messages, but its output channel hides them at its current level.`;
  if ((await window.showInformationMessage(notificationText(text), setLevel)) !== setLevel) return;
  channel.show(true);
  await commands.executeCommand('workbench.action.setLogLevel');
}
