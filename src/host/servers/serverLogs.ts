import { env, type LogOutputChannel, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import { createLogger, type Logger, type LogLevel } from '../../base/logger.ts';
import { boundLine } from '../../base/logLine.ts';
import type { Server } from '../../client/server/server.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import { thresholdOf } from '../platform/channelLogger.ts';
import { channelLevelOf, formatLogMessage } from '../platform/logLine.ts';
import type { ServerRegistry } from './serverRegistry.ts';
import { createRateLimiter, type RateLimiter } from '../../base/rateLimiter.ts';

/** One log output channel for each server, made when there is something to write or to show. */
export interface ServerLogs extends Disposable {
  /** The channel of a server, by label; it outlives the server's configuration, so that its end can be read. */
  channel(label: string): LogOutputChannel;
  /** For what the server's process writes and what we note about it. */
  logger(label: string): Logger;
  /** Writes the server's own log messages until disposed. */
  attach(server: Server): Disposable;
}

/** One output channel for each server, created with its first line and kept until disposed. Lines per second are limited. */
export function createServerLogs(clock: Clock): ServerLogs {
  const store = new DisposableStore();
  const channels = new Map<string, LogOutputChannel>();
  const gates = new Map<string, RateLimiter>();

  function channel(label: string): LogOutputChannel {
    let found = channels.get(label);
    if (found === undefined) {
      found = store.add(window.createOutputChannel(`Patchbay: ${singleLine(label, 80)}`, { log: true }));
      channels.set(label, found);
    }
    return found;
  }

  function gate(label: string): RateLimiter {
    let found = gates.get(label);
    if (found === undefined) {
      const warn = (count: number): void => channel(label).warn(`… ${countOf(count, 'line')} left out`);
      found = store.add(createRateLimiter(clock, { count: limits.log.lines, periodMs: 1_000 }, warn));
      gates.set(label, found);
    }
    return found;
  }

  /** The text is made only for lines that pass. */
  function write(label: string, level: LogLevel, text: () => string): void {
    gate(label).run(() => channel(label)[level](text()));
  }

  return {
    channel,
    logger: (label) =>
      createLogger(
        (level, message) => channel(label)[level](boundLine(message)),
        () => thresholdOf(channels.get(label)?.logLevel ?? env.logLevel),
        gate(label),
      ),
    attach({ label, onDidLog }) {
      const subscription = store.add(
        onDidLog((message) => write(label, channelLevelOf(message.level), () => formatLogMessage(message))),
      );
      return { dispose: () => store.delete(subscription) };
    },
    dispose: () => store.dispose(),
  };
}

/** Writes the log messages of every configured server to its channel, until disposed. */
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
