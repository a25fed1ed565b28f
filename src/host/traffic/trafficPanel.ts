import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { TrafficLog } from '../../client/trace/trafficLog.ts';
import type { TrafficRow } from '../../client/trace/trafficRow.ts';
import { TrafficView } from '../../client/trace/trafficView.ts';
import {
  readTrafficMessage,
  type TrafficAction,
  type TrafficFromPanel,
  type TrafficToPanel,
} from '../../shared/trafficMessages.ts';
import { toDetail, toRowView } from './trafficRows.ts';

export interface TrafficPagePorts {
  readonly log: TrafficLog;
  readonly clock: Clock;
  /** The tab was open before the window was reloaded. */
  readonly isRestored: boolean;
  readonly actionsOf: (row: TrafficRow) => readonly TrafficAction[];
  readonly act: (row: TrafficRow, action: TrafficAction) => Promise<void>;
  readonly copy: (text: string) => Promise<void>;
  readonly exportRows: (rows: readonly TrafficRow[], format: 'jsonl' | 'har') => Promise<void>;
  /** Logs and shows why something failed. */
  readonly run: (work: Promise<unknown>) => void;
}

/** The least time between two updates of the page. */
const intervalMs = 100;

/** Rows in one answer. */
const maximumRows = 500;

/** Serves the page: sends it the rows that it draws, and does what its buttons ask for. */
export class TrafficPageConnection implements Disposable {
  readonly #post: (message: TrafficToPanel) => void;
  readonly #ports: TrafficPagePorts;
  readonly #view: TrafficView;
  readonly #store = new DisposableStore();
  readonly #updates: Coalescer;
  #version = 0;
  #isReady = false;
  #isPaused = false;
  #selected: number | undefined;
  #isDetailOld = false;
  /** The next step of a search, in a turn of its own: messages come in between. */
  #step: (Disposable & { readonly isNew: boolean }) | undefined;
  /** What the page is to show once it is there. */
  #wanted: Extract<TrafficToPanel, { type: 'filter' }> | undefined;

  constructor(
    page: { post(message: TrafficToPanel): void; readonly onMessage: Event<unknown> },
    ports: TrafficPagePorts,
  ) {
    const { log, clock } = ports;
    this.#post = (message) => page.post(message);
    this.#ports = ports;
    this.#view = this.#store.add(new TrafficView(log));
    this.#updates = this.#store.add(new Coalescer(clock, intervalMs, () => this.#update()));
    this.#store.add(log.onDidReceive(() => this.#received()));
    this.#store.add(log.onDidChange(({ id }) => this.#changed(id)));
    this.#store.add(
      page.onMessage((value) => {
        const message = readTrafficMessage(value);
        if (message !== undefined) this.#receive(message);
      }),
    );
  }

  /** Shows what matches a filter, and goes to a row. */
  show(filter: string, select?: number): void {
    this.#wanted = { type: 'filter', filter, select };
    if (this.#isReady) this.#sendWanted();
  }

  dispose(): void {
    this.#step?.dispose();
    this.#store.dispose();
  }

  #sendWanted(): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.#post(wanted);
  }

  #received(): void {
    if (!this.#isPaused) this.#updates.request();
  }

  #changed(id: number): void {
    if (id === this.#selected && !this.#isPaused) this.#isDetailOld = true;
  }

  #receive(message: TrafficFromPanel): void {
    const { log, act, copy, exportRows, run } = this.#ports;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        return this.#sendWanted();
      case 'view':
        return this.#setView(message);
      case 'rows':
        return this.#sendRows(message.from, Math.min(message.to, message.from + maximumRows));
      case 'select':
        this.#selected = message.id;
        return this.#sendDetail();
      case 'act': {
        const row = log.row(message.id);
        return row === undefined ? undefined : run(act(row, message.action));
      }
      case 'copy':
        return run(copy(message.text));
      case 'clear':
        log.clear();
        this.#selected = undefined;
        return this.#update();
      case 'export':
        return run(exportRows(this.#matching(), message.format));
    }
  }

  #setView({ filter, showsPings, sort, isPaused }: Extract<TrafficFromPanel, { type: 'view' }>): void {
    const { options } = this.#view;
    this.#isPaused = isPaused;
    const isSame = options.filter === filter && options.showsPings === showsPings && options.sort === sort;
    if (!isSame) this.#view.set({ filter, showsPings, sort });
    this.#update(!isSame);
  }

  /** @param isNew the filter has changed: rows are looked at even while the list is paused */
  #update(isNew = false): void {
    if (!this.#isReady) return;
    const { log, clock } = this.#ports;
    const isWanted = isNew || this.#step?.isNew === true;
    this.#step?.dispose();
    const isSearching = (!this.#isPaused || isWanted) && this.#view.update();
    const next = isSearching ? clock.after(0, () => this.#update(isWanted)) : undefined;
    this.#step = next && { isNew: isWanted, dispose: () => next.dispose() };
    this.#version += 1;
    const id = this.#selected;
    this.#post({
      type: 'state',
      version: this.#version,
      count: this.#view.count,
      total: log.nextId - log.firstId,
      removed: this.#view.removed,
      isCut: log.isCut,
      ...(id !== undefined && { selected: { id, index: this.#view.indexOf(id) } }),
      isSearching,
      isRestored: this.#ports.isRestored,
    });
    if (this.#isDetailOld) this.#sendDetail();
  }

  #sendRows(from: number, to: number): void {
    const { log } = this.#ports;
    const rows = this.#view.ids(from, to).map((id) => {
      const row = log.row(id);
      return row === undefined ? null : toRowView(row);
    });
    this.#post({ type: 'rows', version: this.#version, from, rows });
  }

  #sendDetail(): void {
    this.#isDetailOld = false;
    const { log, actionsOf } = this.#ports;
    const row = this.#selected === undefined ? undefined : log.row(this.#selected);
    if (row !== undefined) this.#post({ type: 'detail', detail: toDetail(row, actionsOf(row)) });
  }

  #matching(): readonly TrafficRow[] {
    return this.#view.ids(0, this.#view.count).flatMap((id) => this.#ports.log.row(id) ?? []);
  }
}
