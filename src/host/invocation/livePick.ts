import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';

/** A quick pick whose rows may change while it is open. */
export interface LivePick<Row> {
  readonly title: string;
  readonly placeholder: string;
  /** What it opens with. */
  readonly rows: readonly Row[];
  /** The rows as they are now. */
  readonly rowsOf: () => readonly Row[];
  /** Whether more rows are on their way. */
  readonly isBusy: () => boolean;
  /** The rows may have changed. */
  readonly onDidChange: readonly Event<unknown>[];
  readonly clock: Clock;
}

/** Milliseconds between two changes of the rows: a server can change its lists as often as it likes. */
const intervalMs = 250;

/** After the active row has gone, nothing can be chosen for so many milliseconds: the key was meant for that row. */
const guardMs = 700;

/**
 * Lets a person choose a row. What they have typed stays when the rows change, and so does the active row.
 * @returns `undefined` when it is closed
 */
export function pickLive<Row extends QuickPickItem>(options: LivePick<Row>): Promise<Row | undefined> {
  const { rowsOf, isBusy, clock } = options;
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<Row>());
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  pick.items = options.rows;
  pick.busy = isBusy();
  let guardedUntil = 0;

  function update(): void {
    pick.busy = isBusy();
    const rows = rowsOf();
    if (rows.length === pick.items.length && rows.every((row, index) => looksLike(row, pick.items[index]))) return;
    const active = pick.activeItems[0];
    const kept = rows.find((row) => looksLike(row, active));
    pick.items = rows;
    if (kept === undefined) guardedUntil = clock.now() + guardMs;
    else pick.activeItems = [kept];
  }

  const updates = store.add(new Coalescer(clock, () => intervalMs, update));
  for (const event of options.onDidChange) store.add(event(() => updates.request()));
  return new Promise<Row | undefined>((resolve) => {
    store.add(
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen !== undefined && clock.now() >= guardedUntil) resolve(chosen);
      }),
    );
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  }).finally(() => store.dispose());
}

/** Whether a person sees the same. */
function looksLike(row: QuickPickItem, other: QuickPickItem | undefined): boolean {
  return (
    other !== undefined &&
    row.label === other.label &&
    row.description === other.description &&
    row.detail === other.detail &&
    row.kind === other.kind
  );
}
