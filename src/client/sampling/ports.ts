import type { Disposable } from '../../base/disposable.ts';
import type { ModelAnswer, ModelInfo } from '../../models/modelGateway.ts';
import type { SamplingContent, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { Round } from './samplingRounds.ts';
import type { SecretMark } from './secretMarks.ts';

/** Port that keeps a value which windows share. */
export interface SharedStore<T> {
  /**
   * Makes a change of what is there at that moment; it is stored when the promise resolves.
   * @param change may be called again, with what another window has stored meanwhile
   * @returns the value afterwards
   * @throws an error where it cannot be stored: the change is not made then
   */
  update(change: (value: T) => T): Promise<T>;
}

/** What a person allows without a question, in addition to what they have just seen: see `SamplingRule`. */
export interface RuleTerms {
  /** Requests within any hour. */
  readonly requestsPerHour: number;
  /** Tokens within any hour, of requests and answers together. */
  readonly tokensPerHour: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The person reviews each answer before the server gets it. */
  readonly reviewsAnswer: boolean;
  /** It stays when the window reloads or closes, and when the server stops. */
  readonly isKept: boolean;
}

/** What a person changes in a request before it is sent. The request itself stays as it came. */
export interface RequestEdits {
  /** `messages[i][j]` replaces the text of block `j` of message `i`; `undefined` keeps a block that is not text. */
  readonly messages: readonly (readonly (string | undefined)[])[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
  /** Of the marks that were shown, those whose texts are replaced in all of the request. */
  readonly masked: readonly SecretMark[];
}

/** The person's decision about a request. */
export type RequestDecision =
  | {
      readonly kind: 'approve';
      /** `undefined` sends it as it came. */
      readonly edits: RequestEdits | undefined;
      readonly model: string;
      /** Later requests of this server start with this model. */
      readonly remembersModel: boolean;
      readonly rule?: RuleTerms | undefined;
    }
  /** The person wrote the answer; no model is used. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'decline' };

/** The person's decision about a model's answer. */
export type AnswerDecision =
  | { readonly kind: 'send'; readonly content: readonly SamplingContent[] }
  /** Return to the request and ask the model again. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'withhold' };

/** Port that remembers the model a person chose for a server. Neither call fails. */
export interface ChosenModels {
  get(server: string): string | undefined;
  remember(server: string, model: string): void;
}

/** How much of today's tokens is used. */
export interface BudgetUse {
  readonly used: number;
  readonly limit: number;
}

export interface OfferedModels {
  readonly models: readonly ModelInfo[];
  /** The person's own choice for this server, or the best match for the server's preferences. */
  readonly suggestedModel: string | undefined;
  /** Why, as the end of a sentence. */
  readonly suggestedBecause: string | undefined;
}

/** Everything that is shown to the person who decides. */
export interface SamplingReview extends OfferedModels {
  readonly server: string;
  readonly cause: string | undefined;
  /** The person asks, and not the server: its content is what they send. */
  readonly isOwn: boolean;
  readonly request: SamplingRequest;
  /** Reads the models again, after the person added some: a decision may then name one of them. */
  readonly refreshModels?: (() => Promise<OfferedModels>) | undefined;
  /** The round of a conversation that this request continues; `undefined` for the first. */
  readonly round: Round | undefined;
  /** What may be secret in the request. */
  readonly marks: readonly SecretMark[];
  /** Why the person is asked although a rule exists, as a sentence; `undefined` without a rule. */
  readonly askedBecause: string | undefined;
  /** Why no rule can be made of this request, as a sentence; `undefined` if one can. */
  readonly noRuleBecause: string | undefined;
  /** Tokens of the request, as far as they can be told without a model. */
  readonly estimatedTokens: number;
  /** `undefined` without a daily budget. */
  readonly budget: BudgetUse | undefined;
}

/**
 * Port that shows requests to the person: the consent panel, or a test. Every promise settles; closing is a "decline" or
 * "withhold".
 */
export interface SamplingConsent {
  open(review: SamplingReview): ConsentSession;
}

/** One request that is shown. Disposing it removes it; open promises then settle as a refusal. */
export interface ConsentSession extends Disposable {
  /** @param failure why the model did not answer before, as a sentence */
  askRequest(failure?: string): Promise<RequestDecision>;
  /** A rule has approved the request for this model: only the answer is reviewed. Instead of {@link askRequest}. */
  letThrough(model: string): void;
  /** Aborted when the person stops the model while it answers, or closes the panel: nothing is sent then. */
  readonly stopped: AbortSignal;
  /** Shows the answer while it streams; `text` is the complete text so far. */
  showAnswer(text: string): void;
  askAnswer(answer: ModelAnswer): Promise<AnswerDecision>;
}
