import { copyDigits, exactMember, stringifyExactly } from '../../base/exactIntegers.ts';
import { isRecord, type JsonValue, type UnknownRecord } from '../../base/json.ts';
import { tryLenientJson } from '../../base/lenientJson.ts';
import { limits } from '../../base/limits.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { isSecretName, type Redactor } from '../../secrets/redactor.ts';
import { secretMask } from '../../secrets/secretNames.ts';
import type { Steps } from '../../secrets/steps.ts';

const maximumDepth = 40;
/** Maximum characters of a message that is shown on one line. */
const lineLength = 120;

/** Keywords of JSON Schema whose members are names with schemas. */
const declarations = ['properties', '$defs', 'definitions'];

/** A message as readable JSON: secrets hidden, long texts cut, and control characters escaped. */
export function traceJson(message: unknown, redactor: Redactor): string {
  const copy = redactedCopy(message, redactor);
  const line = stringifyExactly(copy);
  return escapeHidden(line.length <= lineLength ? line : stringifyExactly(copy, 2));
}

/**
 * A copy of a message without secrets.
 * @param characters after which the rest is left out; one text may be a fifth of it. Infinity: all of the message, as deep as it is kept
 */
export function redactedCopy(
  message: unknown,
  redactor: Redactor,
  characters: number = limits.trace.characters,
): JsonValue {
  return withoutSplit(new RedactedCopy(redactor, characters).of(message, 0), redactor).copy;
}

/** All of a message as JSON, without secrets. */
export function redactedJson(message: unknown, redactor: Redactor): string {
  const whole = stringifyExactly(message);
  return isPlain(whole, redactor) ? whole : redactedValue(message, redactor);
}

/** The same for a message of which the JSON is known, as {@link stringifyExactly} writes it. */
export function redactedText(json: string, redactor: Redactor): string {
  return isPlain(json, redactor) ? json : redactedValue(tryLenientJson(json), redactor);
}

function isPlain(json: string, redactor: Redactor): boolean {
  return redactor.isPlain(json) && (json.match(/[[{]/g)?.length ?? 0) <= limits.message.keptDepth;
}

function redactedValue(message: unknown, redactor: Redactor): string {
  const { copy, json } = withoutSplit(new RedactedCopy(redactor, Infinity).of(message, 0), redactor);
  return json ?? stringifyExactly(copy);
}

/** Texts that are searched in steps of their own. */
const longText = 50_000;

/** The same in steps: a search of a large message may take long. */
export function* redactedJsonSteps(message: unknown, redactor: Redactor): Steps<string> {
  const hidden = new Map<string, string>();
  for (const text of longTextsIn(message)) if (!hidden.has(text)) hidden.set(text, yield* redactor.textSteps(text));
  const member: Redactor['member'] = (text, maximum) => hidden.get(text) ?? redactor.member(text, maximum);
  const copy = new RedactedCopy({ ...redactor, member }, Infinity).of(message, 0);
  const json = stringifyExactly(copy);
  if (!(yield* redactor.holdsSplitSteps(json))) return json;
  const masked = stringifyExactly(maskAll(copy));
  return (yield* redactor.holdsSplitSteps(masked)) ? JSON.stringify(secretMask) : masked;
}

function* longTextsIn(message: unknown): Generator<string, void> {
  const waiting: unknown[] = [message];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && value.length > longText) yield value;
    else if (Array.isArray(value)) for (const entry of value as readonly unknown[]) waiting.push(entry);
    else if (isRecord(value)) for (const entry of Object.values(value)) waiting.push(entry);
  }
}

/** Each text was searched by itself: where a secret is split over several, all of them are hidden, or the whole message. */
function withoutSplit(copy: JsonValue, redactor: Redactor): { readonly copy: JsonValue; readonly json?: string } {
  const json = stringifyExactly(copy);
  if (!redactor.holdsSplit(json)) return { copy, json };
  const masked = maskAll(copy);
  return { copy: redactor.holdsSplit(JSON.stringify(masked)) ? secretMask : masked };
}

function maskAll(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(maskAll);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskAll(member as JsonValue)]));
  return typeof value === 'string' || typeof value === 'number' ? secretMask : value;
}

/** Copies a value until the maximum characters of one message are used up. */
class RedactedCopy {
  readonly #redactor: Redactor;
  readonly #longest: number;
  readonly #maximumDepth: number;
  #remaining: number;

  constructor(redactor: Redactor, characters: number) {
    this.#redactor = redactor;
    this.#remaining = characters;
    this.#longest = characters / 5;
    this.#maximumDepth = characters === Infinity ? limits.message.keptDepth : maximumDepth;
  }

  of(value: unknown, depth: number, isSecret = false, declares = false): JsonValue {
    this.#remaining -= 4;
    if (typeof value === 'string') return isSecret ? secretMask : this.#text(value);
    if (typeof value === 'number' || typeof value === 'bigint') return isSecret ? secretMask : this.#number(value);
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'object' || value === null) return null;
    if (depth >= this.#maximumDepth) return '… (nested deeper)';
    if (Array.isArray(value)) return this.#array(value, depth, isSecret);
    return this.#object(value as UnknownRecord, depth, isSecret, declares);
  }

  #text(text: string): string {
    return this.#take(this.#redactor.member(text, Math.max(Math.min(this.#longest, this.#remaining), 0)));
  }

  /** A number may be a known secret too, for instance a PIN. */
  #number(value: number | bigint): JsonValue {
    const text = this.#take(String(value));
    return this.#redactor.text(text) === text ? Number(value) : secretMask;
  }

  #array(list: readonly unknown[], depth: number, isSecret: boolean): JsonValue {
    const copy: JsonValue[] = [];
    for (const index of list.keys()) {
      if (this.#remaining <= 0) {
        copy.push(`… (${list.length - index} more)`);
        break;
      }
      copy.push(this.of(exactMember(list, index), depth + 1, isSecret));
    }
    return copyDigits(list, copy);
  }

  /** @param declares the members are names with schemas, as in `properties` of a JSON Schema, not names with values */
  #object(record: UnknownRecord, depth: number, isSecret: boolean, declares: boolean): JsonValue {
    const copy: [string, JsonValue][] = [];
    const isNamedSecret = typeof record['name'] === 'string' && isSecretName(record['name']);
    for (const name in record) {
      if (!Object.hasOwn(record, name)) continue;
      if (this.#remaining <= 0) {
        copy.push(['…', '(more members)']);
        break;
      }
      const value = exactMember(record, name);
      const isSecretMember = isSecretName(name) && !(declares && isRecord(value));
      // An argument to complete: { "name": "token", "value": "…" }.
      const isSecretValue = isNamedSecret && name === 'value';
      const key = this.#text(name);
      const isHidden = isSecret || isSecretMember || isSecretValue;
      copy.push([key, this.of(value, depth + 1, isHidden, declarations.includes(name))]);
    }
    return copyDigits(record, Object.fromEntries(copy));
  }

  #take(text: string): string {
    this.#remaining -= text.length;
    return text;
  }
}
