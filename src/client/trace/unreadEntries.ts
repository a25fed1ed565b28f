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

/** About the bytes of an entry until it is read. @param entry of a text, its characters are enough */
export function weightOfEntry(entry: TrafficEntry | number): number {
  if (typeof entry === 'string') return entry.length + entryWeight;
  if (typeof entry === 'number') return entry + entryWeight;
  if (entry instanceof HeldValue) return entry.weight + entryWeight;
  if (entry.kind === 'failed') return weigh(entry.message, limits.traffic.message) + entryWeight;
  return ('text' in entry ? entry.text.length : limits.text.error) + entryWeight;
}

/** Entries of one block, and characters after which it is full. */
const blockSize = { entries: 256, characters: 32_000 };

/**
 * A queue. Texts of a full block are packed into bytes outside of the heap: thousands of texts that stay would cost each
 * collection of garbage more than all that is done for them otherwise.
 */
export class UnreadEntries {
  /** The last one is being filled. */
  readonly #blocks = [new Block()];
  #count = 0;
  #position = 0;

  get count(): number {
    return this.#count;
  }

  /** How many have been added. */
  get position(): number {
    return this.#position;
  }

  add(lane: Lane, entry: TrafficEntry, at: number): void {
    let block = this.#blocks[this.#blocks.length - 1];
    if (block === undefined || block.isFull) {
      block?.pack();
      block = new Block();
      this.#blocks.push(block);
    }
    block.add(lane, entry, at);
    this.#count += 1;
    this.#position += 1;
  }

  /** @returns the oldest, which is no longer here. Only while there are some */
  take(): UnreadEntry {
    const block = this.#first();
    const position = this.#position - this.#count;
    this.#count -= 1;
    return { ...block.take(), position };
  }

  /** Drops the oldest. @returns what it was, or the characters of its text */
  drop(): TrafficEntry | number {
    const block = this.#first();
    this.#count -= 1;
    return block.drop();
  }

  #first(): Block {
    let [block] = this.#blocks;
    while (block?.isEmpty === true && this.#blocks.length > 1) {
      this.#blocks.shift();
      [block] = this.#blocks;
    }
    if (block === undefined) throw new RangeError('No entry is left.');
    return block;
  }
}

class Block {
  readonly #lanes: Lane[] = [];
  readonly #times: number[] = [];
  /** A text that is packed is `undefined`. */
  readonly #entries: (TrafficEntry | undefined)[] = [];
  /** Where texts end, in characters, once they are packed. */
  readonly #ends: number[] = [];
  #packed: { readonly bytes: Buffer; readonly encoding: 'latin1' | 'utf16le' } | undefined = undefined;
  #characters = 0;
  #head = 0;

  get isFull(): boolean {
    return this.#lanes.length >= blockSize.entries || this.#characters >= blockSize.characters;
  }

  get isEmpty(): boolean {
    return this.#head === this.#lanes.length;
  }

  add(lane: Lane, entry: TrafficEntry, at: number): void {
    this.#lanes.push(lane);
    this.#times.push(at);
    this.#entries.push(entry);
    if (typeof entry === 'string') this.#characters += entry.length;
  }

  pack(): void {
    const texts: string[] = [];
    let end = 0;
    for (let index = 0; index < this.#entries.length; index += 1) {
      const entry = this.#entries[index];
      if (typeof entry === 'string') {
        texts.push(entry);
        end += entry.length;
        this.#entries[index] = undefined;
      }
      this.#ends.push(end);
    }
    const all = texts.join('');
    const bytes = Buffer.from(all);
    // As many bytes as characters: all of them are ASCII.
    const isPlain = bytes.length === all.length;
    this.#packed = isPlain
      ? { bytes, encoding: 'latin1' }
      : { bytes: Buffer.from(all, 'utf16le'), encoding: 'utf16le' };
  }

  take(): Omit<UnreadEntry, 'position'> {
    const [lane, at] = [this.#lanes[this.#head], this.#times[this.#head]];
    if (lane === undefined || at === undefined) throw new RangeError('No entry is left.');
    const { bytes, encoding } = this.#packed ?? {};
    const width = encoding === 'latin1' ? 1 : 2;
    const [start, end] = [this.#start, this.#end];
    const entry = this.drop();
    const text = typeof entry === 'number' ? (bytes?.toString(encoding, start * width, end * width) ?? '') : entry;
    return { lane, at, entry: text };
  }

  drop(): TrafficEntry | number {
    const entry = this.#entries[this.#head] ?? this.#end - this.#start;
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    return entry;
  }

  get #start(): number {
    return this.#ends[this.#head - 1] ?? 0;
  }

  get #end(): number {
    return this.#ends[this.#head] ?? 0;
  }
}
