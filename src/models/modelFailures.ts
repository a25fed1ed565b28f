import { networkCode, type ResponseHeaders } from '../base/httpClient.ts';
import { isRecord, isString, parseJson, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { truncate, truncateWithEllipsis } from '../base/truncate.ts';
import { visibleText } from '../base/visibleText.ts';
import type { Endpoint } from './endpoint.ts';
import { ModelError, type ModelFailure } from './modelGateway.ts';

/** What a provider said instead of an answer. */
export interface ProviderFailure {
  /** `undefined` for an error in the middle of an answer. */
  readonly status?: number | undefined;
  /** The body as text or as parsed JSON. */
  readonly body: unknown;
  /** The address that was asked, without its query. */
  readonly address?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Where a request to a model goes. */
export type ModelContext = FailureContext & { readonly model: string };

/** Whose failure it is, to say it. */
export interface FailureContext {
  readonly endpoint: Endpoint;
  /** The name of the model at its provider; `undefined` for its list of models. */
  readonly model: string | undefined;
  /** Removed from what the provider says. */
  readonly key: string | undefined;
}

/** Characters of a provider's message that decide what it means. */
const decidingCharacters = 4_000;

/**
 * What messages, codes and types of providers mean, the first that matches. They have no standard: these are those of OpenAI,
 * Azure, Anthropic, Gemini, OpenRouter, Groq, Mistral, Ollama, LM Studio, llama.cpp and vLLM.
 */
const meanings: readonly (readonly [ModelFailure, RegExp])[] = [
  [
    'contextOverflow',
    /context_length_exceeded|exceed_context_size|request_too_large|context (?:length|limit|window|size)|maximum (?:model|prompt) length|(?:prompt|input|request) is too (?:long|large)|exceeds the maximum number of tokens|context the overflows|too large for model/i,
  ],
  [
    'unsupported',
    /(?:image|audio|vision|multimodal|tool)s?\b.{0,60}\bnot supported|not support\b.{0,60}\b(?:image|audio|vision|multimodal|tool|function)|no endpoints found that support|at most 0 (?:image|audio)|tool choice requires|not a multimodal model/i,
  ],
  ['rateLimited', /rate_limit|overloaded|insufficient_quota|resource_exhausted|too many requests|credit balance/i],
  [
    'refused',
    /content_filter|content_policy|content management policy|usage polic(?:y|ies)|\bflagged\b|moderation|invalid_prompt|safety_/i,
  ],
  ['unauthorized', /api_key_invalid|invalid_api_key|authentication_error|permission_error|api key not valid/i],
  ['notFound', /model_not_found|not_found_error|model .{0,200}(?:not found|does not exist)/i],
];

/** Statuses that say nothing but what the body says. */
const vagueStatuses: readonly (number | undefined)[] = [undefined, 400, 403, 404, 413, 422, 500, 503];

const kindsOfStatuses: ReadonlyMap<number, ModelFailure> = new Map([
  [401, 'unauthorized'],
  [402, 'rateLimited'],
  [403, 'unauthorized'],
  [404, 'notFound'],
  [413, 'contextOverflow'],
  [429, 'rateLimited'],
  [529, 'rateLimited'],
]);

/** @returns the error for what a provider said instead of an answer, or in the middle of it */
export function failureOf(failure: ProviderFailure, context: FailureContext): ModelError {
  const error = readProviderError(failure.body);
  const kind = kindOf(failure.status, error.deciding);
  const words = shownWords(error.message, context.key);
  const said = words === '' ? '' : ` It says: “${words}”`;
  const retryAfterMs = failure.retryAfterMs ?? error.retryAfterMs;
  return new ModelError(kind, `${sentenceOf(kind, { ...failure, retryAfterMs }, context)}${said}`, { retryAfterMs });
}

/** @returns what a provider says, in one line, bounded, without the key, with its hidden characters visible */
export function shownWords(text: string, key: string | undefined): string {
  const secret = key?.trim() ?? '';
  const withoutKey =
    secret === '' ? text : text.replaceAll(secret, '•••').replaceAll(encodeURIComponent(secret), '•••');
  const line = truncate(withoutKey, 4 * modelLimits.answer.words)
    .replace(/\s+/g, ' ')
    .trim();
  return truncateWithEllipsis(
    visibleText(truncateWithEllipsis(line, modelLimits.answer.words)),
    2 * modelLimits.answer.words,
  );
}

/** @returns the error for a request that got no answer, or only a part of it */
export function connectionFailure(error: unknown, isInAnswer: boolean, { endpoint }: FailureContext): ModelError {
  const code = networkCode(error) ?? '';
  const reason = code === '' ? '' : ` (${code})`;
  const { title, isLocal } = endpoint;
  const fail = (kind: ModelFailure, what: string): ModelError => new ModelError(kind, what, { cause: error });
  if (isInAnswer)
    return fail('cutOff', `The connection to ${title} ended in the middle of the answer${reason}: try again.`);
  // Not `instanceof`: the client may come from another bundle, with another class of the same name.
  if (error instanceof Error && error.name === 'ProxyError')
    return fail('unreachable', `${title} cannot be reached: ${error.message}.`);
  if (/^(?:ECONNRESET|EPIPE)$/.test(code))
    return fail('cutOff', `${title} closed the connection before it answered${reason}: try again.`);
  if (/CERT|SIGNATURE|^ERR_(?:TLS|SSL)/.test(code))
    return fail('unreachable', `${title} cannot be reached: its certificate is not trusted${reason}.`);
  const question = isLocal ? 'start it, or check its address.' : 'check its address and your network.';
  return fail('unreachable', `${title} cannot be reached${reason}: ${question}`);
}

function kindOf(status: number | undefined, deciding: string): ModelFailure {
  const meant = vagueStatuses.includes(status)
    ? meanings.find(([, pattern]) => pattern.test(deciding))?.[0]
    : undefined;
  if (meant !== undefined) return meant;
  return (status === undefined ? undefined : kindsOfStatuses.get(status)) ?? 'failed';
}

function sentenceOf(kind: ModelFailure, failure: ProviderFailure, context: FailureContext): string {
  const { status, address, retryAfterMs } = failure;
  const { endpoint, key, model } = context;
  const { title } = endpoint;
  const shownModel = `"${visibleText(truncate(model ?? '', limits.server.name))}"`;
  switch (kind) {
    case 'refused':
      return `${title} refuses the request because of its content.`;
    case 'rateLimited':
      return `${title} accepts no more requests now: its rate limit or quota is used up, or it is overloaded. Try again ${describeWait(retryAfterMs)}.`;
    case 'contextOverflow':
      return `The request is too long for ${model === undefined ? title : `the model ${shownModel} of ${title}`}: shorten it, or choose a model that takes more.`;
    case 'unauthorized':
      return isString(key) && key.trim() !== ''
        ? `${title} does not accept the key: check it, and what it may be used for.`
        : `${title} wants a key: add one.`;
    case 'notFound':
      return model === undefined
        ? `There is nothing at ${address ?? title}: check the address.`
        : `There is no model ${shownModel} at ${address ?? title}: check its name and the address.`;
    case 'unsupported':
      return `The model ${shownModel} of ${title} does not take everything in the request, such as images, audio or tools: choose another.`;
    case 'cutOff':
    case 'unreachable':
    case 'failed':
      return status === undefined
        ? `${title} failed in the middle of the answer.`
        : `${title} failed with HTTP status ${status}.`;
  }
}

/** Rounded up: a try that comes too early fails again. */
function describeWait(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return 'later';
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  const units = [
    ['second', 1, 120],
    ['minute', 60, 120 * 60],
    ['hour', 3_600, Infinity],
  ] as const;
  const [unit, length] = units.find(([, , most]) => seconds < most) ?? units[2];
  const count = Math.ceil(seconds / length);
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * Reads an error body: each provider has its own form, and proxies before it others again.
 * @returns `deciding`: message, code and type in one text
 */
function readProviderError(body: unknown) {
  const value = isString(body) ? (parseJson(body) ?? body) : body;
  const outer = Array.isArray(value) ? (value as unknown[])[0] : value;
  if (isString(outer)) return plainError(outer);
  if (!isRecord(outer)) return plainError('');
  const response = outer['response'];
  const inner = outer['error'] ?? (isRecord(response) ? response['error'] : undefined) ?? outer['detail'] ?? outer;
  if (isString(inner)) return plainError(inner);
  const error = isRecord(inner) ? inner : outer;
  const message = [error['message'], outer['message'], error['detail']].find(isString) ?? '';
  const marks = ['code', 'type', 'status'].map((name) => error[name]).filter(isString);
  const details = error['details'] ?? error['metadata'];
  const reasons = [details].flat().filter(isRecord);
  const hints = reasons.flatMap((detail) => [detail['reason'], detail['raw']]).filter(isString);
  return {
    message,
    deciding: truncate([...marks, message, ...hints].join(' '), decidingCharacters),
    retryAfterMs: reasons.map(readRetryDelay).find((delay) => delay !== undefined),
  };
}

function plainError(text: string) {
  // A page of a proxy or of another server has no message for people in it.
  const message = /^\s*</.test(text) ? '' : text;
  return { message, deciding: truncate(text, decidingCharacters), retryAfterMs: undefined };
}

/** Gemini says in `google.rpc.RetryInfo` when to try again, such as `"34.07s"`. */
function readRetryDelay({ retryDelay }: UnknownRecord): number | undefined {
  const seconds = isString(retryDelay) ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(retryDelay)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

const longestMs = 7 * 24 * 60 * 60_000;

/**
 * Reads when to try again: `retry-after-ms` of OpenAI, or `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3).
 * @param now milliseconds since the Unix epoch
 * @returns milliseconds from now, at most a week; `undefined` where the response does not say it
 */
export function readRetryAfter(headers: Pick<ResponseHeaders, 'get'>, now: number): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== undefined && isNumber(exact)) return boundedWait(Number(exact));
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (isNumber(value)) return boundedWait(Number(value) * 1_000);
  // The platform reads nearly anything as a date.
  const date = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : boundedWait(date - now);
}

function isNumber(text: string): boolean {
  return /^\s*\d{1,12}(?:\.\d{1,9})?\s*$/.test(text);
}

function boundedWait(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), longestMs);
}
