import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** Longer starts say in their row how long they have taken, and that row is drawn again as often. */
const intervalMs = 4_000;

/** How long servers have been starting. Nothing runs while none is. */
export function followSlowStarts(
  registry: Pick<ServerRegistry, 'get' | 'onDidChangeAny'>,
  clock: Clock,
  refresh: (label: string) => void,
): Disposable & { seconds(label: string): number | undefined } {
  const since = new Map<string, number>();

  function tick(label: string, startedAt: number): void {
    const again = (): void => {
      if (since.get(label) !== startedAt) return;
      refresh(label);
      tick(label, startedAt);
    };
    clock.after(intervalMs, again, { isBackground: true });
  }

  const following = registry.onDidChangeAny(({ label }) => {
    const host = registry.get(label);
    // What a person takes to answer a question is not the server's.
    if (host?.server.state.kind !== 'starting' || host.awaitsAnswer) since.delete(label);
    else if (!since.has(label)) {
      since.set(label, clock.now());
      tick(label, clock.now());
    }
  });
  return {
    /** @returns `undefined` for a server that is not starting, or has just begun to */
    seconds(label) {
      const startedAt = since.get(label);
      const elapsed = startedAt === undefined ? 0 : clock.now() - startedAt;
      return elapsed < intervalMs ? undefined : Math.floor(elapsed / 1_000);
    },
    dispose() {
      since.clear();
      following.dispose();
    },
  };
}
