import { isString } from '../base/json.ts';
import { modelLimits } from '../base/modelLimits.ts';
import type { MessageView } from './content.ts';
import {
  checked,
  createMessageReader,
  indexes,
  listOf,
  type MessageOf,
  objectOf,
  oneOf,
  optional,
  type Read,
  text,
  truth,
  wholeNumber,
} from './messageReader.ts';

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

const edits = objectOf({
  /** `messages[i][j]` replaces block `j` of message `i`; `undefined` keeps a block that is not text. */
  messages: listOf(listOf(optional(text))),
  systemPrompt: text,
  maxTokens: wholeNumber(1),
});

export type ConsentEdits = Read<typeof edits>;

/** When a rule ends, in words that a person can choose from, with the minutes until then. The extension computes the time. */
export const ruleEnds = {
  '30 minutes': 30,
  '1 hour': 60,
  '4 hours': 240,
  'end of today': undefined,
  '7 days': 7 * 24 * 60,
  '30 days': 30 * 24 * 60,
} as const;

export type RuleEnd = keyof typeof ruleEnds;

export const ruleEndNames = Object.keys(ruleEnds) as readonly RuleEnd[];

const rule = objectOf({
  requestsPerHour: wholeNumber(modelLimits.rule.requestsPerHour.minimum, modelLimits.rule.requestsPerHour.maximum),
  /** Tokens of requests and answers together. */
  tokensPerHour: wholeNumber(modelLimits.rule.tokensPerHour.minimum, modelLimits.rule.tokensPerHour.maximum),
  end: oneOf(...ruleEndNames),
  /** The person reviews each answer before the server gets it. */
  reviewsAnswer: truth,
  /** It stays when the window closes or the server stops. */
  isKept: truth,
});

/** What the person allows for further requests; the extension makes a rule of it. */
export type RuleOffer = Read<typeof rule>;

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

const request = { id: wholeNumber() };

/**
 * Checks a message from the consent panel. `approve`, `answer` or `decline` decides a request; `send`, `retry` or `withhold`
 * its answer.
 * @returns `undefined` for a message that is not valid in all parts; callers treat it as a refusal
 */
export const readConsentMessage = createMessageReader({
  ready: {},
  approve: {
    ...request,
    edits,
    model: checked((value): value is string => isString(value) && value !== ''),
    /** Later requests of this server start with this model. */
    remembersModel: truth,
    /** Indexes of the marks that the extension is to mask. */
    masked: indexes,
    rule: optional(rule),
  },
  answer: { ...request, text },
  decline: request,
  addModel: request,
  send: { ...request, text },
  retry: request,
  withhold: request,
});

export type ConsentFromPanel = MessageOf<typeof readConsentMessage>;
