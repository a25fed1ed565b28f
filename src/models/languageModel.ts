import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/** A model of a provider package. Its protocol is that of `LanguageModelV3` of `@ai-sdk/provider`. */
export type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;

/** What a {@link LanguageModel} is called with. */
export type CallOptions = Parameters<LanguageModel['doStream']>[0];

/** One message of a {@link CallOptions.prompt}. */
export type PromptMessage = CallOptions['prompt'][number];

/** A tool that is offered to the model. */
export type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>;

/** One part of the answer as it streams. */
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** `fetch`, as far as the packages use it. */
export type ModelFetch = NonNullable<Parameters<typeof createOpenAICompatible>[0]['fetch']>;

/** What the function of each API creates a {@link LanguageModel} from. */
export interface LanguageModelSettings {
  readonly model: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Sends the requests, and adds the key to them: the packages never see it. */
  readonly fetch: ModelFetch;
}

/**
 * Given to the packages in place of a key. Without any they would look for one in the environment, which is no one's to send
 * here.
 */
export const placeholderKey = 'added-by-fetch';
