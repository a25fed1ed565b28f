import { limits } from '../../base/limits.ts';
import { HeldValue, weigh } from './trafficMessage.ts';
import type { TrafficEntry } from './trafficReader.ts';
import type { Lane } from './trafficTap.ts';

export interface UnreadEntry {
  readonly lane: Lane;
  readonly entry: TrafficEntry;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly position: number;
}

/** Bytes of an entry beside its message. */
const entryWeight = 50;

/** About the bytes of an entry until it is read. */
export function weightOfEntry(entry: TrafficEntry): number {
  if (typeof entry === 'string') return entry.length + entryWeight;
  if (entry instanceof HeldValue) return entry.weight + entryWeight;
  if (entry.kind === 'failed') return weigh(entry.message, limits.traffic.message) + entryWeight;
  return ('text' in entry ? entry.text.length : limits.text.error) + entryWeight;
}

/** A queue. An object for each entry would cost more than all the rest of it. */
export class UnreadEntries {
  #lanes: (Lane | undefined)[] = [];
  #entries: (TrafficEntry | undefined)[] = [];
  #times: number[] = [];
  /** What is before it is taken. */
  #head = 0;
  #position = 0;

  get count(): number {
    return this.#entries.length - this.#head;
  }

  /** How many have been added. */
  get position(): number {
    return this.#position;
  }

  add(lane: Lane, entry: TrafficEntry, at: number): void {
    this.#lanes.push(lane);
    this.#entries.push(entry);
    this.#times.push(at);
    this.#position += 1;
  }

  /** @returns the oldest, which is no longer here. Only while there are some */
  take(): UnreadEntry {
    const head = this.#head;
    const [lane, entry, at] = [this.#lanes[head], this.#entries[head], this.#times[head]];
    const position = this.#position - this.count;
    if (lane === undefined || entry === undefined || at === undefined) throw new RangeError('No entry is left.');
    this.#lanes[head] = undefined;
    this.#entries[head] = undefined;
    this.#head += 1;
    this.#compact();
    return { lane, entry, at, position };
  }

  /** Moving them each time would make a flood quadratic. */
  #compact(): void {
    const head = this.#head;
    if (head !== this.#entries.length && (head < 1_024 || head * 2 < this.#entries.length)) return;
    this.#lanes = this.#lanes.slice(head);
    this.#entries = this.#entries.slice(head);
    this.#times = this.#times.slice(head);
    this.#head = 0;
  }
}
