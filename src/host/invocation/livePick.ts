import { type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { createRefreshScheduler } from '../platform/refreshScheduler.ts';

/** A quick pick whose rows may change while it is open. */
export interface LivePick<Row> {
  readonly title: string;
  readonly placeholder: string;
  /** The rows as they are now. */
  readonly rowsOf: () => readonly Row[];
  /** Whether more rows are on their way. */
  readonly isBusy: () => boolean;
  /** The rows may have changed. */
  readonly onDidChange: Event<unknown>;
  readonly clock: Clock;
}

/** Milliseconds between two changes of the rows: a server can change its lists as often as it likes. */
const intervalMs = 250;

/** Milliseconds in which nothing is chosen after the active row has gone: the key was meant for that one. */
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
  let shown = '';
  let guardedUntil = 0;

  function show(): void {
    pick.busy = isBusy();
    const rows = rowsOf();
    const text = rows.map(textOf).join('\n');
    if (text === shown) return;
    const isFirst = shown === '';
    shown = text;
    const active = pick.activeItems[0];
    const kept = active && rows.find((row) => textOf(row) === textOf(active));
    pick.items = rows;
    if (kept !== undefined) pick.activeItems = [kept];
    else if (!isFirst) guardedUntil = clock.now() + guardMs;
  }

  show();
  const changes = store.add(createRefreshScheduler<undefined>(clock, () => intervalMs, show));
  store.add(options.onDidChange(() => changes.request(undefined)));
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

/** What a person sees of a row. */
function textOf({ label, description, detail, kind }: QuickPickItem): string {
  return JSON.stringify([label, description, detail, kind]);
}
