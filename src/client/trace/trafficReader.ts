import { isCancellation, messageOf } from '../../base/errors.ts';
import { jsonLength } from '../../base/json.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';
import { limits } from '../../base/limits.ts';
import { type OutgoingMessage, ownId, type RequestId } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import type { TapDirection } from './connectionTap.ts';
import { type Envelope, envelopeOf, HeldValue, type KeptMessage, valueOf, weigh } from './trafficMessage.ts';
import type { Noticed, TrafficKind, TrafficRow } from './trafficRow.ts';

/** What a connection has noticed beside messages. */
export type TrafficNotice =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: OutgoingMessage; readonly error: unknown }
  | { readonly kind: 'dropped'; readonly answer: DroppedAnswer }
  | { readonly kind: 'end'; readonly text: string };

export type TrafficEntry = KeptMessage | TrafficNotice;

/** Where rows are kept. */
export interface TrafficRows {
  add(noticed: Noticed, kind: TrafficKind, message: KeptMessage, shown: ShownOfMessage): TrafficRow;
  settle(row: TrafficRow, answer: KeptMessage, envelope: Envelope, at: number): void;
  changed(row: TrafficRow): void;
}

type ShownOfMessage = Pick<Envelope, 'method' | 'subject' | 'size'>;

const opposites: Readonly<Record<TapDirection, TapDirection>> = { sent: 'received', received: 'sent' };

/** Rows that are looked at to find a message that failed: it is among the last. */
const failedAmong = 200;

/** Makes rows of what one connection, or the app of a server, has noticed: in order, once somebody looks. */
export class TrafficReader {
  readonly #rows: TrafficRows;
  /** Requests that wait for their answers, by direction and id. */
  readonly #open = { sent: new Map<RequestId, TrafficRow>(), received: new Map<RequestId, TrafficRow>() };
  /** The latest rows without an answer to come, for failures. */
  readonly #latest: TrafficRow[] = [];

  constructor(rows: TrafficRows) {
    this.#rows = rows;
  }

  read(entry: TrafficEntry, noticed: Noticed): void {
    if (typeof entry === 'string' || entry instanceof HeldValue) return this.#message(entry, noticed);
    switch (entry.kind) {
      case 'note':
        return this.#note(entry.text, noticed);
      case 'failed':
        return this.#failed(entry, noticed);
      case 'dropped':
        return this.#dropped(entry.answer, noticed);
      case 'end':
        return this.#end(entry.text, noticed);
    }
  }

  #message(message: KeptMessage, noticed: Noticed): void {
    const value = valueOf(message);
    if (!Array.isArray(value)) {
      const isText = typeof message === 'string';
      return this.#one(message, isText ? envelopeOf(value, message.length) : message.envelope, noticed);
    }
    // A batch (2025-03-26) is several messages.
    const { entries } = limits.batch;
    for (const each of value.slice(0, entries) as readonly unknown[]) {
      const held = new HeldValue(each, weigh(each, limits.traffic.message));
      this.#one(held, held.envelope, noticed);
    }
    if (value.length > entries) this.#note(`${value.length - entries} more messages of a batch were left out`, noticed);
  }

  #one(message: KeptMessage, envelope: Envelope, noticed: Noticed): void {
    const { kind, id, cancels } = envelope;
    const { direction, at } = noticed;
    if (kind !== 'call') return this.#answer(message, envelope, noticed);
    if (id === undefined) {
      if (cancels !== undefined) this.#cancel(cancels, noticed);
      return this.#keep(this.#rows.add(noticed, 'notification', message, envelope));
    }
    const open = this.#open[direction];
    const earlier = open.get(id);
    if (earlier !== undefined) {
      earlier.end('unanswered', at);
      this.#rows.changed(earlier);
    }
    const row = this.#rows.add(noticed, 'request', message, envelope);
    row.waits = { in: open, key: id };
    open.set(id, row);
  }

  #answer(message: KeptMessage, envelope: Envelope, noticed: Noticed): void {
    const { id, kind } = envelope;
    const { direction, at } = noticed;
    const row = id === undefined ? undefined : this.#take(opposites[direction], id);
    if (row === undefined)
      return this.#keep(this.#rows.add(noticed, kind === 'answer' ? 'stray' : 'malformed', message, envelope));
    if (direction === 'sent') this.#keep(row);
    this.#rows.settle(row, message, envelope, at);
  }

  #note(text: string, noticed: Noticed): void {
    this.#rows.add(noticed, 'note', new HeldValue(text, text.length), { method: '', subject: undefined, size: 0 });
  }

  #failed({ message, error }: Extract<TrafficNotice, { kind: 'failed' }>, noticed: Noticed): void {
    const failed: readonly object[] = Array.isArray(message) ? message : [message];
    for (const each of failed) {
      const row = this.#rowOf(each);
      if (row === undefined) continue;
      row.waits?.in.delete(row.waits.key);
      row.end(isCancellation(error) ? 'cancelled' : 'unsent', noticed.at, error);
      this.#rows.changed(row);
    }
    if (failed.length === 0) this.#note(`could not be sent: ${messageOf(error)}`, noticed);
  }

  #dropped({ id, error }: DroppedAnswer, noticed: Noticed): void {
    const row = this.#take('sent', id);
    if (row === undefined) return this.#note(messageOf(error), noticed);
    row.end('unsent', noticed.at, error);
    this.#rows.changed(row);
  }

  #end(text: string, noticed: Noticed): void {
    for (const open of Object.values(this.#open)) {
      for (const row of open.values()) {
        row.end('unanswered', noticed.at);
        this.#rows.changed(row);
      }
      open.clear();
    }
    this.#note(text, noticed);
  }

  /** The answer may still come. */
  #cancel(id: RequestId, { direction, at }: Noticed): void {
    const row = this.#open[direction].get(id) ?? this.#open[direction].get(ownId(id));
    if (row === undefined) return;
    row.end('cancelled', at);
    this.#rows.changed(row);
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
    const { kind, id } = envelopeOf(message, jsonLength(message));
    if (kind === 'call' && id !== undefined) return this.#open.sent.get(id);
    const text = stringifyExactly(message);
    return this.#latest.findLast((row) => row.isOf(message, text));
  }
}
