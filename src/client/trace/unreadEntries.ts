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

/** Entries of one block. */
const blockSize = 1_024;

/** A block of the queue: an object for each entry would cost more than all the rest of it. */
interface Block {
  readonly lanes: Lane[];
  readonly entries: (TrafficEntry | undefined)[];
  readonly times: number[];
}

function createBlock(): Block {
  return { lanes: [], entries: [], times: [] };
}

/** A queue. */
export class UnreadEntries {
  /** The last one is being filled. */
  readonly #blocks: Block[] = [];
  #last = createBlock();
  /** Of the first block: what is before it is taken. */
  #head = 0;
  #count = 0;
  #position = 0;

  constructor() {
    this.#blocks.push(this.#last);
  }

  get count(): number {
    return this.#count;
  }

  /** How many have been added. */
  get position(): number {
    return this.#position;
  }

  add(lane: Lane, entry: TrafficEntry, at: number): void {
    if (this.#last.entries.length === blockSize) {
      this.#last = createBlock();
      this.#blocks.push(this.#last);
    }
    const { lanes, entries, times } = this.#last;
    lanes.push(lane);
    entries.push(entry);
    times.push(at);
    this.#count += 1;
    this.#position += 1;
  }

  /** @returns the oldest, which is no longer here. Only while there are some */
  take(): UnreadEntry {
    if (this.#head === blockSize) {
      this.#blocks.shift();
      this.#head = 0;
    }
    const head = this.#head;
    const [block] = this.#blocks;
    const [lane, entry, at] = [block?.lanes[head], block?.entries[head], block?.times[head]];
    if (block === undefined || lane === undefined || entry === undefined || at === undefined)
      throw new RangeError('No entry is left.');
    block.entries[head] = undefined;
    const position = this.#position - this.#count;
    this.#head += 1;
    this.#count -= 1;
    return { lane, entry, at, position };
  }
}
