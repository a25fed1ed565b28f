import type { Disposable } from '../../base/disposable.ts';
import type { SamplingContent, SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';

/** An available language model. */
export interface ModelInfo {
  readonly id: string;
  /** The name to show, for instance "GPT-4o". */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
}

/** Port that runs models: `vscode.lm`, an HTTP API, a test. */
export interface ModelGateway {
  /** Returns an empty array if there are no models. */
  list(): Promise<readonly ModelInfo[]>;
  /** Requests an answer. @param onText called with each new piece of text as it streams */
  generate(
    model: string,
    request: SamplingRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<SamplingResult>;
}

/**
 * Allows further requests without a question, in this window and this run of the server only. It covers requests like the
 * one that was shown: text only, without tools, with the same system prompt and metadata, and within these limits.
 */
export interface SessionGrant {
  readonly model: string;
  /** Requests that are still allowed. */
  readonly requests: number;
  /** Maximum tokens that one request may ask for. */
  readonly maximumTokens: number;
  /** Maximum characters of one request, in its messages and system prompt together. */
  readonly maximumCharacters: number;
  /** The approved system prompt, empty for none; a request with another one is not covered. */
  readonly systemPrompt: string;
  /** The approved metadata as canonical JSON, empty for none; it is passed unchanged to the model's provider. */
  readonly metadata: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The person's decision about a request. */
export type RequestDecision =
  | {
      readonly kind: 'approve';
      /** With the user's edits. */
      readonly request: SamplingRequest;
      readonly model: string;
      readonly grant?: SessionGrant;
    }
  /** The user wrote the answer; no model is used. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'decline' };

/** The person's decision about a model's answer. */
export type AnswerDecision =
  | { readonly kind: 'send'; readonly content: readonly SamplingContent[] }
  /** Return to the request and ask the model again. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'withhold' };

/** Everything that is shown to the person who decides. */
export interface SamplingReview {
  readonly server: string;
  readonly cause: string | undefined;
  readonly request: SamplingRequest;
  readonly models: readonly ModelInfo[];
  /** The best match for the server's preferences. */
  readonly suggestedModel: string | undefined;
  readonly suggestedBecause: string | undefined;
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
  askRequest(): Promise<RequestDecision>;
  /** Aborted when the user stops the model while it answers, or closes the panel: nothing is sent then. */
  readonly stopped: AbortSignal;
  /** Shows the answer while it streams; `text` is the complete text so far. */
  showAnswer(text: string): void;
  /** The model failed: shows the message, and the request again. */
  showFailure(message: string): void;
  askAnswer(result: SamplingResult): Promise<AnswerDecision>;
}
