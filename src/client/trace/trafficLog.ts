import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import type { ConnectionTap, TappedConnection } from './connectionTap.ts';
import { describeTransport } from './describeConnection.ts';
import { HeldValue, weightOf } from './trafficMessage.ts';
import { type TrafficEntry, TrafficReader, type TrafficRows } from './trafficReader.ts';
import { TrafficRow, type TrafficPeer, type TrafficSource } from './trafficRow.ts';
import { type Lane, TrafficTap } from './trafficTap.ts';
import { UnreadEntries, weightOfEntry } from './unreadEntries.ts';

interface TrafficBounds {
  /** About the bytes of all that is kept. */
  readonly bytes: number;
  /** And of messages that nobody has looked at. */
  readonly rows: number;
  /** About the bytes of one message that is kept. */
  readonly message: number;
  /** A message that takes more is large: it is forgotten before other rows are. */
  readonly large: number;
}

/**
 * What went over the wire of all servers of a window, the latest. A message costs next to nothing while nobody looks: its text and
 * its time are kept. {@link read} makes rows of them. Nothing is written, searched or hidden before that. Ids of rows count up
 * without a gap.
 */
export class TrafficLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #bounds: TrafficBounds;
  readonly #didReceive = new Emitter<void>();
  /** No other log has it: with the id of a row it says which row is meant, also after a reload of the window. */
  readonly key: string;
  readonly #didChange = new Emitter<TrafficRow>();
  readonly #unread = new UnreadEntries();
  #rows: (TrafficRow | undefined)[] = [];
  /** Of `#rows`: what is before it is forgotten. */
  #head = 0;
  #firstId = 1;
  #isCut = false;
  #weight = 0;
  /** Messages that are forgotten first, the oldest first. */
  readonly #large = new Set<HeldValue>();

  /** The first entry since all were read. Fires within the message: listeners only take note. */
  readonly onDidReceive = this.#didReceive.event;
  /** A row is new, or has changed: fires while entries are read. */
  readonly onDidChange = this.#didChange.event;

  constructor(clock: Pick<Clock, 'now'>, bounds: TrafficBounds = limits.traffic, key = '') {
    this.#clock = clock;
    this.key = key;
    this.#bounds = bounds;
  }

  /** The id of the oldest row. */
  get firstId(): number {
    return this.#firstId;
  }

  /** Older rows were dropped to make room. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The id of the next row. */
  get nextId(): number {
    return this.#firstId + this.#rows.length - this.#head;
  }

  /** About the bytes of all that is kept. */
  get weight(): number {
    return this.#weight;
  }

  /** Where the log is now, for {@link since}. */
  get position(): number {
    return this.#unread.position;
  }

  /** Makes rows of so many entries that nobody has looked at. @returns whether there are more */
  read(count = Infinity): boolean {
    const unread = this.#unread;
    for (let left = count; left > 0 && unread.count > 0; left -= 1) {
      const { lane, entry, at, position } = unread.take();
      const { source, direction, reader } = lane;
      this.#weight -= weightOfEntry(entry);
      reader.read(entry, { source, direction, at, position });
      this.#makeRoom();
    }
    return unread.count > 0;
  }

  /** @returns `undefined` for one that is no longer kept */
  row(id: number): TrafficRow | undefined {
    return id < this.#firstId ? undefined : this.#rows[this.#head + id - this.#firstId];
  }

  /** The rows from one on, the oldest first. */
  *from(id: number): Generator<TrafficRow, void, undefined> {
    this.read();
    for (let next = Math.max(id, this.#firstId); next < this.nextId; next += 1) {
      const row = this.row(next);
      if (row !== undefined) yield row;
    }
  }

  /** The rows that began at a {@link position} or later, the oldest first. */
  since(position: number): Iterable<TrafficRow> {
    this.read();
    let id = this.nextId;
    while ((this.row(id - 1)?.position ?? -1) >= position) id -= 1;
    return this.from(id);
  }

  /** Follows a connection. */
  readonly tap = (connection: TappedConnection): ConnectionTap => this.#follow(connection, 'server');

  /** Follows an app: its messages have no connection of their own. */
  tapApp(connection: TappedConnection): ConnectionTap {
    return this.#follow(connection, 'app');
  }

  clear(): void {
    while (this.#head < this.#rows.length) this.#forgetOldestRow();
    while (this.#unread.count > 0) this.#dropOldestEntry();
    this.#isCut = false;
  }

  #follow(connection: TappedConnection, peer: TrafficPeer): ConnectionTap {
    const source: TrafficSource = { ...connection, redactor: () => connection.redactor(), peer };
    const rows: TrafficRows = {
      add: (noticed, kind, message, shown) => {
        const row = new TrafficRow(this.nextId, noticed, kind, message, shown);
        this.#rows.push(row);
        this.#weight += row.weight;
        this.#hold(message);
        this.#didChange.fire(row);
        return row;
      },
      settle: (row, answer, envelope, at) => {
        row.settle(answer, envelope, at);
        this.#weight += weightOf(answer);
        this.#hold(answer);
        this.#didChange.fire(row);
      },
      changed: (row) => this.#didChange.fire(row),
    };
    const reader = new TrafficReader(rows);
    const tap = new TrafficTap(source, reader, this.#bounds, (lane, entry) => this.#take(lane, entry));
    if (peer === 'server') tap.note(`connecting over ${describeTransport(connection.plan)}`);
    return tap;
  }

  /** For each message: no more is done here than must be. */
  #take(lane: Lane, entry: TrafficEntry): void {
    const unread = this.#unread;
    unread.add(lane, entry, this.#clock.now());
    this.#weight += weightOfEntry(entry);
    if (typeof entry !== 'string') this.#hold(entry);
    this.#makeRoom();
    if (unread.count === 1) this.#didReceive.fire();
  }

  #hold(message: TrafficEntry): void {
    if (!(message instanceof HeldValue)) return;
    if (message.weight > this.#bounds.message) this.#weight -= message.forget();
    else if (message.weight > this.#bounds.large) this.#large.add(message);
  }

  #makeRoom(): void {
    const { bytes, rows } = this.#bounds;
    const unread = this.#unread;
    while (this.#weight > bytes && this.#forgetLarge());
    while (this.#weight > bytes || this.#rows.length - this.#head + unread.count > rows) {
      if (this.#head < this.#rows.length) this.#forgetOldestRow();
      else if (unread.count > 1) this.#dropOldestEntry();
      else return;
      this.#isCut = true;
    }
  }

  #forgetLarge(): boolean {
    const [message] = this.#large;
    if (message === undefined) return false;
    this.#large.delete(message);
    this.#weight -= message.forget();
    return true;
  }

  #dropOldestEntry(): void {
    const { entry } = this.#unread.take();
    this.#weight -= weightOfEntry(entry);
    if (entry instanceof HeldValue) this.#leave(entry);
  }

  /** A message is no longer counted: what still has its row, such as an export, still has it. */
  #leave(message: HeldValue): void {
    message.isKept = false;
    this.#large.delete(message);
  }

  #forgetOldestRow(): void {
    const row = this.#rows[this.#head];
    if (row === undefined) return;
    row.waits?.in.delete(row.waits.key);
    this.#weight -= row.weight;
    row.held.forEach((message) => this.#leave(message));
    this.#rows[this.#head] = undefined;
    this.#head += 1;
    this.#firstId += 1;
    // Moving them each time would make a flood quadratic.
    if (this.#head < 1_024 || this.#head * 2 < this.#rows.length) return;
    this.#rows = this.#rows.slice(this.#head);
    this.#head = 0;
  }
}
