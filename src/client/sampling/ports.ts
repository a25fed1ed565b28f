import type { Disposable } from '../../base/disposable.ts';
import type { SamplingContent, SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';

/** Where a server's request came from. */
export interface RequestContext {
  readonly server: string;
  /** Why now: what was running, for instance "tool summarize". */
  readonly cause: string | undefined;
  readonly signal: AbortSignal;
  /** Says that a person is at it: until disposed no time passes for what waits for the answer. */
  readonly waitForPerson?: () => Disposable;
  /** Told whether the person agreed, where one decided. */
  readonly onDecision?: (isApproved: boolean) => void;
}

/** A language model somebody could use. */
export interface ModelInfo {
  readonly id: string;
  /** For people, for instance "GPT-4o". */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
}

/** Port to whatever runs models: `vscode.lm`, an HTTP API, a test. */
export interface ModelGateway {
  /** Never rejects for want of models: that is an empty list. */
  list(): Promise<readonly ModelInfo[]>;
  /** @param onText called with each new piece of text as it streams */
  generate(
    model: string,
    request: SamplingRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<SamplingResult>;
}

/**
 * A standing yes, for this window and this run of the server only. It covers requests like the one that was seen: text
 * alone, without tools, with the same system prompt and metadata, and within these amounts.
 */
export interface SessionGrant {
  readonly model: string;
  /** Requests still allowed. */
  readonly requests: number;
  /** The most tokens one request may ask for. */
  readonly maxTokens: number;
  /** The most characters one request may have, in its messages and system prompt together. */
  readonly maxCharacters: number;
  /** As it was approved, empty for none; a request with another one is not covered. */
  readonly systemPrompt: string;
  /** As it was approved, as canonical JSON, empty for none; it goes to the model's provider as it is. */
  readonly metadata: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type RequestDecision =
  | {
      readonly kind: 'approve';
      /** As the user left it, after editing. */
      readonly request: SamplingRequest;
      readonly model: string;
      readonly grant?: SessionGrant;
    }
  /** The user wrote the answer instead of asking a model. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'decline' };

export type AnswerDecision =
  | { readonly kind: 'send'; readonly content: readonly SamplingContent[] }
  /** Back to the request, to ask again. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'withhold' };

/** Everything the person deciding gets to see. */
export interface SamplingReview {
  readonly server: string;
  readonly cause: string | undefined;
  readonly request: SamplingRequest;
  readonly models: readonly ModelInfo[];
  /** The best match for the server's preferences. */
  readonly suggestedModel: string | undefined;
  readonly suggestedBecause: string | undefined;
  /** How many other requests wait behind this one. */
  readonly waiting: number;
}

/** Port to whoever decides: the consent panel, or a test. Every promise settles; going away is a "decline" or "withhold". */
export interface SamplingConsent {
  open(review: SamplingReview): Promise<ConsentSession>;
}

/** One request on the screen. Disposing it takes it off; promises still open then settle as a no. */
export interface ConsentSession extends Disposable {
  askRequest(): Promise<RequestDecision>;
  /** Aborted when the user stops the model while it answers, or the panel goes away: nothing is sent then. */
  readonly stopped: AbortSignal;
  /** The model has begun; `text` is everything so far. */
  showAnswer(text: string): void;
  /** The model failed: the session goes back to the request, the message shown. */
  showFailure(message: string): void;
  askAnswer(result: SamplingResult): Promise<AnswerDecision>;
  /** How many others wait now. */
  setWaiting(count: number): void;
}
