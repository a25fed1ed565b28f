import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import type { MessageView } from './content.ts';

/** A tool that the model may call. The schemas are JSON text. */
export interface ConsentTool {
  readonly name: string;
  /** The titles that the server gives it, for display. */
  readonly titles: readonly string[];
  /** A sentence about the effects that the server claims (its annotations), if any. */
  readonly claims: string | undefined;
  readonly description: string;
  readonly schema: string;
  readonly outputSchema: string | undefined;
}

/** A sampling request as the consent panel shows it. */
export interface ConsentView {
  readonly server: string;
  /** How the server's label could be mistaken for another one, in a few words. */
  readonly lookAlike: string | undefined;
  /** What the person ran, if that led to the request. */
  readonly cause: string | undefined;
  readonly messages: readonly MessageView[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  readonly stopSequences: readonly string[];
  readonly includeContext: string | undefined;
  readonly tools: readonly ConsentTool[];
  readonly toolChoice: string | undefined;
  /** JSON text that goes to the model's provider. */
  readonly metadata: string | undefined;
  readonly preferences: readonly string[];
  readonly models: readonly { readonly id: string; readonly name: string; readonly detail: string }[];
  readonly suggestedModel: string | undefined;
  readonly suggestedBecause: string | undefined;
  /** Requests that wait for this one. */
  readonly waiting: number;
  /** Characters in the system prompt and in the text of the messages. */
  readonly textCharacters: number;
  /** Why a person cannot review the request, as a sentence; it can then only be declined, or answered by the person. */
  readonly unreviewable: string | undefined;
}

/** The edited texts: `messages[i][j]` replaces block `j` of message `i`; `undefined` keeps a block that is not text. */
export interface ConsentEdits {
  readonly messages: readonly (readonly (string | undefined)[])[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
}

/** What the person allows for further requests; the extension makes a grant of it. */
export interface GrantOffer {
  /** The number of further requests. */
  readonly requests: number;
  /** The maximum of tokens that one request may ask for. */
  readonly maxTokens: number;
  /** The maximum of characters in one request. */
  readonly maxCharacters: number;
  readonly minutes: number;
}

/** The bounds of a {@link GrantOffer}, both inclusive. The bound of `maxTokens` is that of the request. */
export const grantLimits = {
  requests: { minimum: 1, maximum: 100 },
  characters: { minimum: 1, maximum: 2_000_000 },
  minutes: { minimum: 1, maximum: 480 },
} as const;

/** The model's whole answer. The person can edit `text`; `extra` is the content that is not text, and is sent unchanged. */
export interface ReviewAnswer {
  readonly type: 'reviewAnswer';
  readonly id: number;
  readonly text: string;
  readonly model: string;
  readonly stopReason: string | undefined;
  readonly extra: MessageView | undefined;
}

/** Messages to the consent panel. `id` is that of the request; the panel ignores messages about other requests. */
export type ConsentToPanel =
  | { readonly type: 'show'; readonly id: number; readonly view: ConsentView }
  | { readonly type: 'answerText'; readonly id: number; readonly text: string }
  | ReviewAnswer
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

/**
 * Messages from the consent panel. `approve`, `answer` or `decline` decides a request; `send`, `retry` or `withhold`
 * its answer.
 */
export type ConsentFromPanel =
  | { readonly type: 'ready' }
  | {
      readonly type: 'approve';
      readonly id: number;
      readonly edits: ConsentEdits;
      readonly model: string;
      readonly grant: GrantOffer | undefined;
    }
  | { readonly type: 'answer'; readonly id: number; readonly text: string }
  | { readonly type: 'decline'; readonly id: number }
  | { readonly type: 'send'; readonly id: number; readonly text: string }
  | { readonly type: 'retry'; readonly id: number }
  | { readonly type: 'withhold'; readonly id: number };

/**
 * Checks a message from the consent panel.
 * @returns `undefined` for a message that is not valid in all parts; callers treat it as a refusal
 */
export function readConsentMessage(value: unknown): ConsentFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'ready') return { type: 'ready' };
  const { type, id, text } = value;
  if (!isWhole(id, 0)) return undefined;
  switch (type) {
    case 'decline':
    case 'retry':
    case 'withhold':
      return { type, id };
    case 'answer':
    case 'send':
      return isString(text) ? { type, id, text } : undefined;
    case 'approve':
      return readApproval(value, id);
    default:
      return undefined;
  }
}

function readApproval(value: UnknownRecord, id: number): ConsentFromPanel | undefined {
  const edits = readEdits(value['edits']);
  const model = value['model'];
  if (edits === undefined || !isString(model) || model === '') return undefined;
  if (value['grant'] === undefined || value['grant'] === null)
    return { type: 'approve', id, edits, model, grant: undefined };
  const grant = readGrant(value['grant']);
  return grant && { type: 'approve', id, edits, model, grant };
}

function readEdits(value: unknown): ConsentEdits | undefined {
  if (!isRecord(value)) return undefined;
  const { messages, systemPrompt, maxTokens } = value;
  if (!Array.isArray(messages) || !isString(systemPrompt) || !isWhole(maxTokens, 1)) return undefined;
  const read: (string | undefined)[][] = [];
  for (const blocks of messages as unknown[]) {
    if (!Array.isArray(blocks)) return undefined;
    // JSON has no `undefined`: it becomes null.
    const texts = (blocks as unknown[]).map((text) => text ?? undefined);
    if (!texts.every((text) => text === undefined || isString(text))) return undefined;
    read.push(texts);
  }
  return { messages: read, systemPrompt, maxTokens };
}

function readGrant(value: unknown): GrantOffer | undefined {
  if (!isRecord(value)) return undefined;
  const { requests, maxTokens, maxCharacters, minutes } = value;
  if (!isWhole(requests, grantLimits.requests.minimum, grantLimits.requests.maximum)) return undefined;
  if (!isWhole(minutes, grantLimits.minutes.minimum, grantLimits.minutes.maximum)) return undefined;
  if (!isWhole(maxCharacters, grantLimits.characters.minimum, grantLimits.characters.maximum)) return undefined;
  return isWhole(maxTokens, 1) ? { requests, maxTokens, maxCharacters, minutes } : undefined;
}

function isWhole(value: unknown, minimum: number, maximum = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}
