import type { SamplingRequest, SamplingResult } from '../protocol/mcp/sampling.ts';

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** What a model takes beside text; `undefined` where that is not known. */
export interface ModelAbilities {
  readonly image?: boolean | undefined;
  readonly audio?: boolean | undefined;
  readonly tools?: boolean | undefined;
}

export interface ModelInfo {
  /** Unique among the models of all gateways. */
  readonly id: string;
  /** The name to show, for instance "GPT-4o". */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  /** Tokens that a request may have; 0 where that is not known. */
  readonly maxInputTokens: number;
  /** Where a request goes, to show it: a host name and port. Absent for the models of the editor. */
  readonly destination?: string | undefined;
  readonly price?: ModelPrice | undefined;
  readonly abilities?: ModelAbilities | undefined;
}

export const modelApis = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;

/** The protocol of a provider. `openai-chat` is that of Ollama, LM Studio, llama.cpp, vLLM and OpenRouter too. */
export type ModelApi = (typeof modelApis)[number];

/** A model behind an HTTP API, as a person set it up. Holds no secret. */
export interface ModelConnection {
  /** Unique among the connections of a person. */
  readonly id: string;
  readonly name: string;
  readonly api: ModelApi;
  /** The address before the paths of the API, for instance `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The name of the model at its provider. */
  readonly model: string;
  /** Tokens that a request may have, where known. */
  readonly contextTokens?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly abilities?: ModelAbilities | undefined;
}

/** Tokens as the model's provider counted them; `undefined` where it did not say. */
export interface TokenUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export interface ModelAnswer {
  readonly result: SamplingResult;
  readonly usage: TokenUsage;
}

/** Runs models: those of the editor, those behind an HTTP API, those of a test. */
export interface ModelGateway {
  /** Sends no request. Returns an empty array if there are no models. */
  list(): Promise<readonly ModelInfo[]>;
  /**
   * Requests an answer, which never has more tokens than `request.maxTokens` as far as its provider counts them.
   * @param onText called with each new piece of text as it streams
   * @throws {ModelError} why there is no whole answer; or the signal's reason
   */
  generate(
    model: string,
    request: SamplingRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<ModelAnswer>;
}

export type ModelFailure =
  /** The model, or a filter of its provider, refuses the request or broke off its answer because of what it says. */
  | 'refused'
  /** Too many requests, or the account's quota is used up. */
  | 'rateLimited'
  /** The request has more tokens than the model takes. */
  | 'contextOverflow'
  /** The connection ended in the middle of the answer: what has arrived is not all of it. */
  | 'cutOff'
  /** The key is missing, wrong, or not allowed to use the model. */
  | 'unauthorized'
  | 'notFound'
  /** No connection to the address; the request did not arrive. */
  | 'unreachable'
  /** Something that the model does not take: images, audio, tools. */
  | 'unsupported'
  /** The provider failed, or answered with something else than its protocol says. */
  | 'failed';

/** A model did not answer, or not completely. `message` is a full sentence that says what to do where that is known. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelFailure;
  /** Milliseconds after which another try makes sense, as the provider says (RFC 9110, section 10.2.3). */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelFailure,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}
