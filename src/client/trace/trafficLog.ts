import type { Clock } from '../../base/clock.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { isRequestId, type OutgoingMessage, ownId, type RequestId } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import type { CloseReason } from '../../transport/transport.ts';
import type { ConnectionTap, TapDirection, TappedConnection } from './connectionTap.ts';
import { describeEnd, describeTransport } from './describeConnection.ts';
import { rowWeight, TrafficRow, type TrafficKind, type TrafficPeer, type TrafficSource, weigh } from './trafficRow.ts';

interface TrafficBounds {
  /** About the bytes of all rows with their messages. */
  readonly bytes: number;
  readonly rows: number;
  /** About the bytes of one message that is kept. */
  readonly message: number;
  /** A row whose messages take more is large: its messages are forgotten before other rows are. */
  readonly large: number;
}

/**
 * What went over the wire of all servers of a window, the latest. Messages are kept as they are: nothing is written, searched or
 * hidden before somebody looks. Ids of rows count up without a gap.
 */
export class TrafficLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #bounds: TrafficBounds;
  /** No other log has it: with the id of a row it says which row is meant, also after a reload of the window. */
  readonly key: string;
  readonly #didChange = new Emitter<TrafficRow>();
  #rows: TrafficRow[] = [];
  /** Of `#rows`: what is before it is forgotten. */
  #head = 0;
  #firstId = 1;
  #isCut = false;
  #weight = 0;
  /** Rows with messages that are forgotten first, the oldest first. */
  #large: TrafficRow[] = [];

  /** A row is new, or has changed. Fires within the message: listeners only take note. */
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

  /** @returns `undefined` for one that is no longer kept */
  row(id: number): TrafficRow | undefined {
    return id < this.#firstId ? undefined : this.#rows[this.#head + id - this.#firstId];
  }

  /** The rows from one on, the oldest first. */
  *from(id: number): Generator<TrafficRow, void, undefined> {
    for (let next = Math.max(id, this.#firstId); next < this.nextId; next += 1) {
      const row = this.row(next);
      if (row !== undefined) yield row;
    }
  }

  /** Follows a connection. */
  readonly tap = (connection: TappedConnection): ConnectionTap => this.#follow(connection, 'server');

  /** Follows an app: its messages have no connection of their own. */
  tapApp(connection: TappedConnection): ConnectionTap {
    return this.#follow(connection, 'app');
  }

  clear(): void {
    while (this.#head < this.#rows.length) this.#forgetOldest();
    this.#isCut = false;
  }

  #follow(connection: TappedConnection, peer: TrafficPeer): ConnectionTap {
    const source: TrafficSource = { ...connection, redactor: () => connection.redactor(), peer };
    const recorder = new Recorder(this.#clock, {
      add: (kind, direction, method, message) => this.#add(source, kind, direction, method, message),
      settle: (row, answer) => this.#settle(row, answer),
      changed: (row) => this.#changed(row),
    });
    if (peer === 'server') recorder.note(`connecting over ${describeTransport(connection.plan)}`);
    return recorder;
  }

  #add(
    source: TrafficSource,
    kind: TrafficKind,
    direction: TapDirection,
    method: string,
    message: unknown,
  ): TrafficRow {
    const { message: maximum } = this.#bounds;
    const weight = weigh(message, maximum) + rowWeight;
    const row = new TrafficRow(this.nextId, source, kind, direction, this.#clock.now(), method, message, weight);
    this.#rows.push(row);
    this.#took(row, weight);
    return row;
  }

  #settle(row: TrafficRow, answer: unknown): void {
    const weight = weigh(answer, this.#bounds.message);
    const wasForgotten = row.isForgotten;
    row.settle(answer, this.#clock.now(), weight);
    // Without its request, an answer says little.
    if (wasForgotten) this.#weight -= row.forgetBodies();
    this.#took(row, weight);
  }

  #took(row: TrafficRow, weight: number): void {
    const { bytes, rows, message, large } = this.#bounds;
    this.#weight += weight;
    if (row.weight > message) this.#weight -= row.forgetBodies();
    else if (row.weight > large) this.#large.push(row);
    while (this.#weight > bytes && this.#forgetLarge());
    while ((this.#weight > bytes || this.#rows.length - this.#head > rows) && this.#head < this.#rows.length - 1) {
      this.#forgetOldest();
      this.#isCut = true;
    }
    this.#changed(row);
  }

  #forgetLarge(): boolean {
    const row = this.#large.shift();
    if (row === undefined) return false;
    if (row.id >= this.#firstId && !row.isForgotten) {
      this.#weight -= row.forgetBodies();
      this.#changed(row);
    }
    return true;
  }

  #forgetOldest(): void {
    const row = this.#rows[this.#head];
    if (row === undefined) return;
    row.waits?.in.delete(row.waits.key);
    this.#weight -= row.weight;
    this.#head += 1;
    this.#firstId += 1;
    // Moving them each time would make a flood quadratic.
    if (this.#head < 1_024 || this.#head * 2 < this.#rows.length) return;
    this.#rows = this.#rows.slice(this.#head);
    this.#head = 0;
  }

  #changed(row: TrafficRow): void {
    this.#didChange.fire(row);
  }
}

interface Recording {
  add(kind: TrafficKind, direction: TapDirection, method: string, message: unknown): TrafficRow;
  settle(row: TrafficRow, answer: unknown): void;
  changed(row: TrafficRow): void;
}

const opposites: Readonly<Record<TapDirection, TapDirection>> = { sent: 'received', received: 'sent' };

/** Rows that are looked at to find a message that failed: it is among the last. */
const failedAmong = 200;

/** One connection, or the app of a server. */
class Recorder implements ConnectionTap {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Recording;
  /** Requests that wait for their answers, by direction and id. */
  readonly #open = { sent: new Map<RequestId, TrafficRow>(), received: new Map<RequestId, TrafficRow>() };
  /** The latest rows without an answer to come, for failures. */
  readonly #latest: TrafficRow[] = [];

  constructor(clock: Pick<Clock, 'now'>, log: Recording) {
    this.#clock = clock;
    this.#log = log;
  }

  message(direction: TapDirection, value: unknown): void {
    if (!Array.isArray(value)) return this.#one(direction, value);
    // A batch (2025-03-26) is several messages.
    const { entries } = limits.batch;
    for (const message of value.slice(0, entries) as readonly unknown[]) this.#one(direction, message);
    if (value.length > entries) this.note(`${value.length - entries} more messages of a batch were left out`);
  }

  failed(message: OutgoingMessage, error: unknown): void {
    const failed: readonly object[] = Array.isArray(message) ? message : [message];
    for (const each of failed) {
      const row = this.#rowOf(each);
      if (row === undefined) continue;
      row.waits?.in.delete(row.waits.key);
      row.end(isCancellation(error) ? 'cancelled' : 'unsent', this.#clock.now(), error);
      this.#log.changed(row);
    }
    if (failed.length === 0) this.note(`could not be sent: ${messageOf(error)}`);
  }

  dropped({ id, error }: DroppedAnswer): void {
    const row = this.#take('sent', id);
    row?.end('unsent', this.#clock.now(), error);
    if (row === undefined) this.note(messageOf(error));
    else this.#log.changed(row);
  }

  note(text: string): void {
    this.#log.add('note', 'received', '', text.slice(0, limits.log.characters));
  }

  end(reason: CloseReason): void {
    for (const row of [...this.#open.sent.values(), ...this.#open.received.values()]) {
      row.end('unanswered', this.#clock.now());
      this.#log.changed(row);
    }
    this.#open.sent.clear();
    this.#open.received.clear();
    this.note(`closed: ${describeEnd(reason)}`);
  }

  #one(direction: TapDirection, message: unknown): void {
    if (!isRecord(message)) return this.#keep(this.#log.add('malformed', direction, '', message));
    const method = message['method'];
    if (typeof method !== 'string') return this.#answer(direction, message);
    const { id } = message as { readonly id?: unknown };
    if (!isRequestId(id)) {
      if (method === 'notifications/cancelled') this.#cancel(direction, message);
      return this.#keep(this.#log.add('notification', direction, method, message));
    }
    const open = this.#open[direction];
    const earlier = open.get(id);
    if (earlier !== undefined) {
      earlier.end('unanswered', this.#clock.now());
      this.#log.changed(earlier);
    }
    const row = this.#log.add('request', direction, method, message);
    row.waits = { in: open, key: id };
    open.set(id, row);
  }

  #answer(direction: TapDirection, message: UnknownRecord): void {
    const id = idOf(message);
    const row = id === undefined ? undefined : this.#take(opposites[direction], id);
    if (row !== undefined) {
      if (direction === 'sent') this.#keep(row);
      return this.#log.settle(row, message);
    }
    const isAnswer = 'result' in message || 'error' in message;
    this.#keep(this.#log.add(isAnswer ? 'stray' : 'malformed', direction, '', message));
  }

  /** The answer may still come. */
  #cancel(direction: TapDirection, message: UnknownRecord): void {
    const params = message['params'];
    const id = isRecord(params) ? params['requestId'] : undefined;
    const row = isRequestId(id) ? (this.#open[direction].get(id) ?? this.#open[direction].get(ownId(id))) : undefined;
    if (row === undefined) return;
    row.end('cancelled', this.#clock.now());
    this.#log.changed(row);
  }

  #take(direction: TapDirection, id: RequestId): TrafficRow | undefined {
    const open = this.#open[direction];
    // Some servers send a number back as a text.
    const found = open.has(id) ? id : ownId(id);
    const row = open.get(found);
    if (row === undefined) return undefined;
    open.delete(found);
    row.waits = undefined;
    return row;
  }

  #keep(row: TrafficRow): void {
    if (this.#latest.push(row) > 2 * failedAmong) this.#latest.splice(0, failedAmong);
  }

  #rowOf(message: object): TrafficRow | undefined {
    const id = idOf(message);
    const open = id === undefined ? undefined : this.#open.sent.get(id);
    if (open?.request === message) return open;
    return this.#latest.findLast(({ request, answer }) => request === message || answer === message);
  }
}

function idOf(message: unknown): RequestId | undefined {
  const id = isRecord(message) ? message['id'] : undefined;
  return isRequestId(id) ? id : undefined;
}
