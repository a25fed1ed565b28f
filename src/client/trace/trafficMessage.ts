import { isRecord, jsonLength, type UnknownRecord } from '../../base/json.ts';
import { tryLenientJson } from '../../base/lenientJson.ts';
import { isRequestId, type JsonRpcErrorBody, type RequestId } from '../../protocol/jsonRpc.ts';

/** In place of a message that is no longer kept. */
export const forgotten = Symbol('forgotten');

/**
 * A message as it is kept: its text, which takes little memory and nothing to keep, or the parsed value of one that is large or whose
 * text is not known.
 */
export type KeptMessage = string | HeldValue;

/** A parsed value, and what is shown of it once it is forgotten. */
export class HeldValue {
  value: unknown;
  /** About its bytes. */
  weight: number;
  /** False once nothing counts it any more. */
  isKept = true;
  #envelope: Envelope | undefined = undefined;

  constructor(value: unknown, weight: number) {
    this.value = value;
    this.weight = weight;
  }

  get envelope(): Envelope {
    return this.#envelope ?? envelopeOf(this.value, jsonLength(this.value));
  }

  /** Only what the list shows stays. @returns the bytes that this frees */
  forget(): number {
    if (!this.isKept || this.value === forgotten) return 0;
    this.#envelope = this.envelope;
    this.value = forgotten;
    const freed = this.weight - envelopeWeight;
    this.weight = envelopeWeight;
    return freed;
  }
}

/** Bytes of one that is forgotten: its names have at most `longestName` characters. */
const envelopeWeight = 200;

export function weightOf(message: KeptMessage): number {
  return typeof message === 'string' ? message.length : message.weight;
}

export function valueOf(message: KeptMessage): unknown {
  return typeof message === 'string' ? tryLenientJson(message) : message.value;
}

/** What the list shows of a message, and what pairs it with others. */
export interface Envelope {
  /** `call`: a request or a notification. */
  readonly kind: 'call' | 'answer' | 'malformed';
  readonly method: string;
  readonly id: RequestId | undefined;
  /** The tool, prompt or address that it is about. May hold secrets. */
  readonly subject: string | undefined;
  /** The id of the request that it cancels. */
  readonly cancels: RequestId | undefined;
  /** Of an answer. */
  readonly outcome: 'ok' | 'toolError' | 'error';
  /** The code of the error in an answer. */
  readonly code: number | undefined;
  /** Characters as JSON. */
  readonly size: number;
}

export function envelopeOf(message: unknown, size: number): Envelope {
  const record = isRecord(message) ? message : {};
  const { method, params, result, error } = record;
  const isCall = typeof method === 'string';
  const isAnswer = result !== undefined || error !== undefined;
  const code = isRecord(error) ? (error as Partial<JsonRpcErrorBody>).code : undefined;
  return {
    kind: isCall ? 'call' : isAnswer ? 'answer' : 'malformed',
    method: isCall ? method : '',
    id: idIn(record['id']),
    subject: isRecord(params) ? subjectIn(params) : undefined,
    cancels: method === 'notifications/cancelled' && isRecord(params) ? idIn(params['requestId']) : undefined,
    outcome:
      error !== undefined || !isAnswer ? 'error' : isRecord(result) && result['isError'] === true ? 'toolError' : 'ok',
    code: typeof code === 'number' ? code : undefined,
    size,
  };
}

function idIn(id: unknown): RequestId | undefined {
  return isRequestId(id) ? id : undefined;
}

const longestName = 1_000;

function subjectIn({ name, uri, taskId, ref, message }: UnknownRecord): string | undefined {
  const nested = isRecord(ref) ? (ref['name'] ?? ref['uri']) : undefined;
  const found = [name, uri, taskId, nested, message].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found.slice(0, longestName) : undefined;
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
