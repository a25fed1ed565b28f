import type { ModelAbilities, ModelPrice } from './modelGateway.ts';

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
