import type { Clock } from '../../base/clock.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { OpenTap } from '../../client/trace/connectionTap.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';

/** The traffic of this window. Its code is loaded with the first connection. */
export function createLazyTraffic(clock: Pick<Clock, 'now'>) {
  let loaded: TrafficLog | undefined;
  const log = memoizeAsync(async () => {
    const { TrafficLog: Log } = await import('../../client/trace/trafficLog.ts');
    return (loaded = new Log(clock, undefined, crypto.randomUUID()));
  });
  const tap: OpenTap = (connection) => loaded?.tap(connection);
  return {
    log,
    /** Follows a connection, once {@link log} has resolved. */
    tap,
    /** Has the log loaded before each connection that `connect` makes. */
    readyBefore:
      <Given extends readonly unknown[], Made>(connect: (...given: Given) => Promise<Made>) =>
      async (...given: Given): Promise<Made> => {
        await log();
        return connect(...given);
      },
  };
}

export type LazyTraffic = ReturnType<typeof createLazyTraffic>;
