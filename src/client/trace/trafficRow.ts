import { messageOf } from '../../base/errors.ts';
import { isRecord, jsonLength } from '../../base/json.ts';
import type { JsonRpcErrorBody, RequestId } from '../../protocol/jsonRpc.ts';
import type { TapDirection, TappedConnection } from './connectionTap.ts';

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

/** In place of a body that is no longer kept. */
export const forgotten = Symbol('forgotten');

/** What a row takes beside its messages, in bytes. */
export const rowWeight = 250;

/** A request with its answer, or something without one. Its members change until the answer is there. */
export class TrafficRow {
  readonly id: number;
  readonly source: TrafficSource;
  readonly kind: TrafficKind;
  readonly direction: TapDirection;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** The first message; of a note, its text. */
  request: unknown;
  /** `undefined` while there is none. */
  answer: unknown = undefined;
  state: TrafficState;
  durationMs: number | undefined = undefined;
  /** Why it failed, where no message says it. */
  failure: string | undefined = undefined;
  /** About the bytes that it takes, with its messages. */
  weight: number;
  /** Where a request is found by its id until it has an answer. */
  waits: { readonly in: Map<RequestId, TrafficRow>; readonly key: RequestId } | undefined = undefined;
  #keptSize = 0;
  #keptSubject: string | undefined = undefined;

  constructor(
    id: number,
    source: TrafficSource,
    kind: TrafficKind,
    direction: TapDirection,
    at: number,
    method: string,
    request: unknown,
    weight: number,
  ) {
    this.id = id;
    this.source = source;
    this.kind = kind;
    this.direction = direction;
    this.at = at;
    this.method = method;
    this.request = request;
    this.state = kind === 'request' ? 'pending' : kind === 'malformed' ? 'error' : 'none';
    this.weight = weight;
  }

  /** Takes the answer. */
  settle(answer: unknown, now: number, weight: number): void {
    this.answer = answer;
    this.weight += weight;
    this.durationMs = now - this.at;
    // One that comes after all does not undo that the request was cancelled.
    if (this.state !== 'cancelled') this.state = stateOf(answer);
  }

  /** Ends without an answer. */
  end(state: TrafficState, now: number, error?: unknown): void {
    if (this.state !== 'cancelled') this.state = state;
    this.durationMs ??= now - this.at;
    if (error !== undefined) this.failure = messageOf(error);
  }

  /** Forgets the messages: what the list shows stays. @returns the bytes that this frees */
  forgetBodies(): number {
    this.#keptSubject = this.subject;
    this.#keptSize = this.size;
    this.request = forgotten;
    if (this.answer !== undefined) this.answer = forgotten;
    const freed = this.weight - rowWeight;
    this.weight = rowWeight;
    return freed;
  }

  get isForgotten(): boolean {
    return this.request === forgotten;
  }

  /** The tool, prompt or address that a request is about. May hold secrets. */
  get subject(): string | undefined {
    if (this.isForgotten) return this.#keptSubject;
    const params = isRecord(this.request) ? this.request['params'] : undefined;
    return isRecord(params) ? subjectIn(params) : undefined;
  }

  /** Characters of its messages as JSON. */
  get size(): number {
    if (this.isForgotten) return this.#keptSize;
    return jsonLength(this.request) + (this.answer === undefined ? 0 : jsonLength(this.answer));
  }

  /** The code of an error that is in an answer. */
  get code(): number | undefined {
    const error = isRecord(this.answer) ? this.answer['error'] : undefined;
    const code = isRecord(error) ? (error as Partial<JsonRpcErrorBody>).code : undefined;
    return typeof code === 'number' ? code : undefined;
  }
}

const longestSubject = 1_000;

function subjectIn(params: Readonly<Record<string, unknown>>): string | undefined {
  const { name, uri, taskId, ref, message } = params;
  const nested = isRecord(ref) ? (ref['name'] ?? ref['uri']) : undefined;
  const found = [name, uri, taskId, nested, message].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found.slice(0, longestSubject) : undefined;
}

function stateOf(answer: unknown): TrafficState {
  if (!isRecord(answer)) return 'error';
  if (answer['error'] !== undefined) return 'error';
  const result = answer['result'];
  return isRecord(result) && result['isError'] === true ? 'toolError' : 'ok';
}

/** Bytes of one value beside its text. */
const valueWeight = 16;

/**
 * About the bytes that a parsed value takes. Stops soon after `maximum`.
 * @returns more than `maximum` for a larger one
 */
export function weigh(value: unknown, maximum: number): number {
  if (typeof value === 'string') return value.length + valueWeight;
  if (typeof value !== 'object' || value === null) return valueWeight;
  let weight = 2 * valueWeight;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight <= maximum; index += 1)
      weight += weigh(value[index], maximum - weight);
    return weight;
  }
  for (const name in value) {
    weight += valueWeight + weigh((value as Readonly<Record<string, unknown>>)[name], maximum - weight);
    if (weight > maximum) break;
  }
  return weight;
}
