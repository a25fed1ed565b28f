import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { modelLimits } from '../base/modelLimits.ts';
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

/** A model as the consent panel offers it. All texts are for display. */
export interface ConsentModel {
  readonly id: string;
  readonly name: string;
  /** Where the request goes, and the price. */
  readonly detail: string;
  /** What this request takes at most, and what that costs, as a sentence without its full stop. */
  readonly cost: string;
  /** What the model does not take of this request, as a sentence. */
  readonly problem: string | undefined;
}

/** The models to choose from. */
export interface ConsentModels {
  readonly models: readonly ConsentModel[];
  readonly suggestedModel: string | undefined;
  /** The end of a sentence. */
  readonly suggestedBecause: string | undefined;
}

/** A text of the request that may be secret. */
export interface ConsentMark {
  readonly what: string;
  readonly places: readonly string[];
  /** The whole text, to find it in the text fields; empty for a part of the request that was not searched. */
  readonly value: string;
  /** Its first and last characters, to show. */
  readonly excerpt: string;
  /** What takes its place. */
  readonly mask: string;
  /** False if it cannot be masked in all places. */
  readonly isMaskable: boolean;
}

/** A sampling request as the consent panel shows it. */
export interface ConsentView extends ConsentModels {
  readonly server: string;
  /** How the server's label could be mistaken for another one, in a few words. */
  readonly lookAlike: string | undefined;
  /** What the person ran, if that led to the request. */
  readonly cause: string | undefined;
  /** The person asks a model about content of the server. */
  readonly isOwn: boolean;
  /** Why the person is asked although there is a rule, as a sentence. */
  readonly askedBecause: string | undefined;
  /** The tokens of today, as a sentence; `isExceeded` if this request would go beyond the limit. */
  readonly budget: { readonly text: string; readonly isExceeded: boolean } | undefined;
  /** The conversation that the request continues; `newFrom` is the index of its first new message. */
  readonly round: { readonly number: number; readonly newFrom: number } | undefined;
  readonly marks: readonly ConsentMark[];
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
  /** Requests that wait for this one. */
  readonly waiting: number;
  /** Characters of everything that the provider receives. */
  readonly characters: number;
  /** Tokens of the request, estimated, without its answer. */
  readonly estimatedTokens: number;
  /** Why no rule can be made of the request, as a sentence. */
  readonly noRuleBecause: string | undefined;
  /** Why a person cannot review the request, as a sentence; it can then only be declined, or answered by the person. */
  readonly unreviewable: string | undefined;
}

/** The edited texts: `messages[i][j]` replaces block `j` of message `i`; `undefined` keeps a block that is not text. */
export interface ConsentEdits {
  readonly messages: readonly (readonly (string | undefined)[])[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
}

/** When a rule ends, in words that a person can choose from. The extension computes the time. */
export const ruleEnds = ['30 minutes', '1 hour', '4 hours', 'end of today', '7 days', '30 days'] as const;

/** See {@link ruleEnds}. */
export type RuleEnd = (typeof ruleEnds)[number];

/** What the person allows for further requests; the extension makes a rule of it. Its bounds are `modelLimits.rule`. */
export interface RuleOffer {
  readonly requestsPerHour: number;
  /** Tokens of requests and answers together. */
  readonly tokensPerHour: number;
  readonly end: RuleEnd;
  /** The person reviews each answer before the server gets it. */
  readonly reviewsAnswer: boolean;
  /** It stays when the window closes or the server stops. */
  readonly isKept: boolean;
}

/** The model's whole answer. The person can edit `text`; `extra` is the content that is not text, and is sent unchanged. */
export interface ReviewAnswer {
  readonly type: 'reviewAnswer';
  readonly id: number;
  readonly text: string;
  readonly model: string;
  readonly stopReason: string | undefined;
  readonly extra: MessageView | undefined;
  /** Tokens, and what they cost. */
  readonly usage: string;
  /** Not all of it can be shown: it can only be withheld. */
  readonly isCut: boolean;
}

/** Messages to the consent panel. `id` is that of the request; the panel ignores messages about other requests. */
export type ConsentToPanel =
  | { readonly type: 'show'; readonly id: number; readonly view: ConsentView }
  /** Other models than before can be chosen. */
  | { readonly type: 'models'; readonly id: number; readonly models: ConsentModels }
  /** The model answers a request that was approved: by the person, or by a rule. */
  | { readonly type: 'running'; readonly id: number; readonly modelName: string }
  | { readonly type: 'answerText'; readonly id: number; readonly text: string }
  | ReviewAnswer
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'waiting'; readonly id: number; readonly count: number }
  | { readonly type: 'done'; readonly id: number };

/** The person's approval of a request. */
export interface ConsentApproval {
  readonly type: 'approve';
  readonly id: number;
  readonly edits: ConsentEdits;
  readonly model: string;
  /** Later requests of this server start with this model. */
  readonly remembersModel: boolean;
  /** Indexes of the marks that the extension is to mask. */
  readonly masked: readonly number[];
  readonly rule: RuleOffer | undefined;
}

/**
 * Messages from the consent panel. `approve`, `answer` or `decline` decides a request; `send`, `retry` or `withhold`
 * its answer.
 */
export type ConsentFromPanel =
  | { readonly type: 'ready' }
  | ConsentApproval
  | { readonly type: 'answer'; readonly id: number; readonly text: string }
  | { readonly type: 'decline'; readonly id: number }
  | { readonly type: 'addModel'; readonly id: number }
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
    case 'addModel':
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

function readApproval(value: UnknownRecord, id: number): ConsentApproval | undefined {
  const { model, remembersModel, masked, rule } = value;
  const edits = readEdits(value['edits']);
  if (edits === undefined || !isString(model) || model === '') return undefined;
  if (typeof remembersModel !== 'boolean' || !isIndexes(masked)) return undefined;
  const approval = { type: 'approve', id, edits, model, remembersModel, masked } as const;
  if (rule === undefined || rule === null) return { ...approval, rule: undefined };
  const offer = readRule(rule);
  return offer && { ...approval, rule: offer };
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

function readRule(value: unknown): RuleOffer | undefined {
  if (!isRecord(value)) return undefined;
  const { requestsPerHour, tokensPerHour, end, reviewsAnswer, isKept } = value;
  const { requestsPerHour: requests, tokensPerHour: tokens } = modelLimits.rule;
  if (!isWhole(requestsPerHour, requests.minimum, requests.maximum)) return undefined;
  if (!isWhole(tokensPerHour, tokens.minimum, tokens.maximum)) return undefined;
  if (!isRuleEnd(end) || typeof reviewsAnswer !== 'boolean' || typeof isKept !== 'boolean') return undefined;
  return { requestsPerHour, tokensPerHour, end, reviewsAnswer, isKept };
}

function isRuleEnd(value: unknown): value is RuleEnd {
  return (ruleEnds as readonly unknown[]).includes(value);
}

/** Each index at most once. */
function isIndexes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((index) => isWhole(index, 0)) && new Set(value).size === value.length;
}

function isWhole(value: unknown, minimum: number, maximum = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}
