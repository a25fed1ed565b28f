import { messageOf } from '../../base/errors.ts';
import type { RequestId } from '../../protocol/jsonRpc.ts';
import type { TapDirection, TappedConnection } from './connectionTap.ts';
import { type Envelope, forgotten, HeldValue, type KeptMessage, valueOf, weightOf } from './trafficMessage.ts';

/** What a row is about: messages have a server on the other side, or an app of one. */
export type TrafficPeer = 'server' | 'app';

/** Where messages go to and come from. */
export interface TrafficSource extends TappedConnection {
  readonly peer: TrafficPeer;
}

/** `note`: what the transport says; `stray`: an answer that no request waits for; `malformed`: no JSON-RPC. */
export type TrafficKind = 'request' | 'notification' | 'note' | 'stray' | 'malformed';

/** `unanswered`: the connection ended, or the id was used again; `unsent`: it could not be sent, or the transport has no answer. */
export type TrafficState = 'pending' | 'ok' | 'toolError' | 'error' | 'cancelled' | 'unanswered' | 'unsent' | 'none';

/** What a row takes beside its messages, in bytes. */
const rowWeight = 250;

/** What was noticed at one time. */
export interface Noticed {
  readonly source: TrafficSource;
  readonly direction: TapDirection;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How many messages, notes and ends the log had before it. */
  readonly position: number;
}

/** A request with its answer, or something without one. Its members change until the answer is there. */
export class TrafficRow implements Noticed {
  readonly id: number;
  readonly source: TrafficSource;
  readonly kind: TrafficKind;
  readonly direction: TapDirection;
  readonly at: number;
  readonly position: number;
  readonly method: string;
  /** The tool, prompt or address that a request is about. May hold secrets. */
  readonly subject: string | undefined;
  /** Characters of its messages as JSON. */
  size: number;
  state: TrafficState;
  /** The code of an error that is in an answer. */
  code: number | undefined = undefined;
  durationMs: number | undefined = undefined;
  /** Why it failed, where no message says it. */
  failure: string | undefined = undefined;
  /** Where a request is found by its id until it has an answer. */
  waits: { readonly in: Map<RequestId, TrafficRow>; readonly key: RequestId } | undefined = undefined;
  readonly #request: KeptMessage;
  #answer: KeptMessage | undefined = undefined;

  constructor(
    id: number,
    { source, direction, at, position }: Noticed,
    kind: TrafficKind,
    request: KeptMessage,
    { method, subject, size }: Pick<Envelope, 'method' | 'subject' | 'size'>,
  ) {
    this.id = id;
    this.source = source;
    this.kind = kind;
    this.direction = direction;
    this.at = at;
    this.position = position;
    this.method = method;
    this.subject = subject;
    this.size = size;
    this.state = kind === 'request' ? 'pending' : kind === 'malformed' ? 'error' : 'none';
    this.#request = request;
  }

  /** The first message, parsed at each access; of a note, its text. */
  get request(): unknown {
    return valueOf(this.#request);
  }

  /** `undefined` while there is none. */
  get answer(): unknown {
    return this.#answer === undefined ? undefined : valueOf(this.#answer);
  }

  get hasAnswer(): boolean {
    return this.#answer !== undefined;
  }

  /** A message of it is no longer kept. */
  get isForgotten(): boolean {
    return this.held.some(({ value }) => value === forgotten);
  }

  /** About the bytes that it takes, with its messages. */
  get weight(): number {
    return rowWeight + weightOf(this.#request) + (this.#answer === undefined ? 0 : weightOf(this.#answer));
  }

  /** Its messages that are not kept as text. */
  get held(): readonly HeldValue[] {
    return [this.#request, this.#answer].filter((kept) => kept instanceof HeldValue);
  }

  /** @param value a message that was sent @param text the same as JSON */
  isOf(value: unknown, text: string): boolean {
    return this.#request === text || this.#answer === text || this.held.some((held) => held.value === value);
  }

  /** Takes the answer. */
  settle(answer: KeptMessage, { outcome, code, size }: Envelope, now: number): void {
    this.#answer = answer;
    this.size += size;
    this.code = code;
    this.durationMs = now - this.at;
    // One that comes after all does not undo that the request was cancelled.
    if (this.state !== 'cancelled') this.state = outcome;
  }

  /** Ends without an answer. */
  end(state: TrafficState, now: number, error?: unknown): void {
    if (this.state !== 'cancelled') this.state = state;
    this.durationMs ??= now - this.at;
    if (error !== undefined) this.failure = messageOf(error);
  }
}
