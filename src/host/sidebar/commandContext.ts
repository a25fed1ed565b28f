import { commands } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { serverConditions } from './serverConditions.ts';

/**
 * Keeps the context keys `patchbay.has…` up to date, by which the palette offers only what can do something now: one for each of
 * the conditions, and one for definitions that are new or have changed.
 */
export function followCommandContext(
  registry: Pick<ServerRegistry, 'servers' | 'onDidChangeServers' | 'onDidChangeAny'>,
  marks: Pick<ItemMarks, 'hasAny' | 'onDidChange'>,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const known = new Map<string, boolean>();

  function update(): void {
    const keys = Object.entries(serverConditions).map(([name, holds]) => [name, registry.servers.some(holds)] as const);
    for (const [name, value] of [...keys, ['Changes', marks.hasAny] as const]) {
      if ((known.get(name) ?? false) === value) continue;
      known.set(name, value);
      void commands.executeCommand('setContext', `patchbay.has${name}`, value);
    }
  }

  const updates = store.add(new Coalescer(clock, 200, update));
  const request = (): void => updates.request();
  store.add(registry.onDidChangeServers(request));
  store.add(registry.onDidChangeAny(request));
  store.add(marks.onDidChange(request));
  update();
  return store;
}
