import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ModelAnswer, ModelGateway, ModelInfo } from '../../models/modelGateway.ts';
import type { SamplingContent } from '../../protocol/mcp/sampling.ts';
import type { AuditLog } from '../auditLog.ts';
import type { ModelRequest, RequestEdits } from './modelRequest.ts';
import type { RuleBook } from './ruleBook.ts';
import type { RuleTerms, SamplingLimits } from './samplingRules.ts';
import type { SecretFinder } from './secretMarks.ts';
import type { TokenBudget } from './tokenBudget.ts';

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

export interface OfferedModels {
  readonly models: readonly ModelInfo[];
  /** The person's own choice for this server, or the best match for the server's preferences. */
  readonly suggestedModel: string | undefined;
  /** Why, as the end of a sentence. */
  readonly suggestedBecause: string | undefined;
}

export interface SamplingReview extends ModelRequest, OfferedModels {
  /** Reads the models again, after the person added some: a decision may then name one of them. */
  readonly refreshModels?: (() => Promise<OfferedModels>) | undefined;
  /** Why the person is asked although a rule exists, as a sentence; `undefined` without a rule. */
  readonly askedBecause: string | undefined;
  /** Today's tokens; `undefined` without a daily budget. */
  readonly budget: { readonly used: number; readonly limit: number } | undefined;
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

export interface SamplingPorts {
  readonly consent: SamplingConsent;
  readonly models: ModelGateway;
  readonly rules: RuleBook;
  readonly budget: TokenBudget;
  readonly secrets: SecretFinder;
  readonly chosenModels: ChosenModels;
  readonly estimateTokens: (text: string) => number;
  /** Called for every request, so that changed settings apply at once. */
  readonly limits: () => SamplingLimits;
  /** Whether texts are recorded in the audit log. Called for every request. */
  readonly recordsBodies: () => boolean;
  readonly randomId: () => string;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

/** Where the answer to a question goes that the person asks themselves. No server gets it, so it is not reviewed. */
export interface OwnAnswer {
  /** The person has approved the request, and the model starts. Called again after a failure: the answer then starts over. */
  onBegin(model: ModelInfo): void;
  onText(text: string): void;
  /** The model did not answer, and the person is asked about the request again. @param message a full sentence */
  onFailure(message: string): void;
}
