import type { Disposable } from '../../base/disposable.ts';
import { isShown, parseTrafficFilter, type TrafficFilter } from './trafficFilter.ts';
import type { TrafficLog } from './trafficLog.ts';
import type { TrafficRow } from './trafficRow.ts';

export interface TrafficViewOptions {
  readonly filter: string;
  readonly showsPings: boolean;
  readonly sort: 'time' | 'slowest';
}

/** Rows that are looked at in one step. */
const stepRows = { fast: 20_000, withBodies: 2_000 };

/** The rows that match a filter, in order. Looks at rows only in {@link update}: a flood of messages costs nothing in between. */
export class TrafficView implements Disposable {
  readonly #log: TrafficLog;
  readonly #subscription: Disposable;
  #options: TrafficViewOptions = { filter: '', showsPings: false, sort: 'time' };
  #filter: TrafficFilter = parseTrafficFilter('', false);
  /** Ids, rising. */
  #matches: number[] = [];
  #ordered: readonly number[] | undefined;
  /** The id of the first row that was not looked at yet. */
  #next: number;
  /** Rows that were looked at and have changed since. */
  #changed = new Set<number>();
  #removed = 0;

  constructor(log: TrafficLog) {
    this.#log = log;
    this.#next = log.firstId;
    this.#subscription = log.onDidChange(({ id }) => {
      if (id < this.#next) this.#changed.add(id);
    });
  }

  get options(): TrafficViewOptions {
    return this.#options;
  }

  /** Rows that match. */
  get count(): number {
    return this.#matches.length;
  }

  /** How many rows at the beginning are no longer kept, since the filter was set. */
  get removed(): number {
    return this.#removed;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** All rows are looked at again, in the next steps. */
  set(options: TrafficViewOptions): void {
    this.#options = options;
    this.#filter = parseTrafficFilter(options.filter, options.showsPings);
    this.#matches = [];
    this.#ordered = undefined;
    this.#next = this.#log.firstId;
    this.#changed.clear();
    this.#removed = 0;
  }

  /** Looks at what has changed, and at so many new rows. @returns whether there are more */
  update(): boolean {
    const step = this.#filter.readsBodies ? stepRows.withBodies : stepRows.fast;
    const isUnread = this.#log.read(step);
    const { firstId, nextId } = this.#log;
    this.#forget(firstId);
    for (const id of this.#changed) this.#check(id);
    this.#changed.clear();
    this.#next = Math.max(this.#next, firstId);
    const end = Math.min(nextId, this.#next + step);
    for (; this.#next < end; this.#next += 1) {
      const row = this.#log.row(this.#next);
      if (row !== undefined && isShown(row, this.#filter)) this.#matches.push(row.id);
    }
    this.#ordered = undefined;
    return isUnread || this.#next < nextId;
  }

  /** The ids of rows from one place to before another. */
  ids(from: number, to: number): readonly number[] {
    return this.#order().slice(from, to);
  }

  /** The place of a row; -1 for one that does not match. */
  indexOf(id: number): number {
    return this.#options.sort === 'time' ? placeOf(this.#matches, id) : this.#order().indexOf(id);
  }

  #order(): readonly number[] {
    if (this.#options.sort === 'time') return this.#matches;
    return (this.#ordered ??= this.#bySlowness());
  }

  #bySlowness(): readonly number[] {
    const durations = new Map(this.#matches.map((id) => [id, durationOf(this.#log.row(id))]));
    return this.#matches.toSorted((a, b) => (durations.get(b) ?? -1) - (durations.get(a) ?? -1) || a - b);
  }

  #forget(firstId: number): void {
    const first = this.#matches[0];
    if (first === undefined || first >= firstId) return;
    const place = firstAtLeast(this.#matches, firstId);
    this.#matches.splice(0, place);
    this.#removed += place;
  }

  #check(id: number): void {
    const row = this.#log.row(id);
    if (row === undefined) return;
    const place = firstAtLeast(this.#matches, id);
    const isListed = this.#matches[place] === id;
    const isWanted = isShown(row, this.#filter);
    if (isListed && !isWanted) this.#matches.splice(place, 1);
    if (!isListed && isWanted) this.#matches.splice(place, 0, id);
  }
}

function durationOf(row: TrafficRow | undefined): number {
  return row?.durationMs ?? -1;
}

function placeOf(ids: readonly number[], id: number): number {
  const place = firstAtLeast(ids, id);
  return ids[place] === id ? place : -1;
}

/** The place of the first id that is not smaller. */
function firstAtLeast(ids: readonly number[], id: number): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ids[middle] ?? Infinity) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}
