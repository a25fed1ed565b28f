import type { createOpenAICompatible as createCompatible } from '@ai-sdk/openai-compatible';
import type { Endpoint } from './endpoint.ts';

/** A model of a provider package. Its protocol is that of `LanguageModelV3` of `@ai-sdk/provider`. */
export type LanguageModel = ReturnType<ReturnType<typeof createCompatible>['chatModel']>;

export type CallOptions = Parameters<LanguageModel['doStream']>[0];

export type PromptMessage = CallOptions['prompt'][number];

export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** The last part of a whole answer. */
export type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/** `fetch`, as far as the packages use it. */
export type ModelFetch = NonNullable<Parameters<typeof createCompatible>[0]['fetch']>;

/**
 * The package of a provider is loaded with the first request to it.
 * @param fetch sends the requests, and adds the key to them: the packages get a placeholder, as without any they would look for one
 *   in the environment
 */
export async function createLanguageModel(
  { api, baseUrl: baseURL, isOpenAI }: Endpoint,
  model: string,
  fetch: ModelFetch,
): Promise<LanguageModel> {
  const settings = { baseURL, apiKey: 'added-by-fetch', fetch };
  switch (api) {
    case 'openai-chat': {
      // The package for OpenAI itself names some members differently for newer models.
      if (isOpenAI) return (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model);
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name: 'compatible', baseURL, fetch, includeUsage: true }).chatModel(model);
    }
    case 'openai-responses':
      return (await import('@ai-sdk/openai')).createOpenAI(settings).responses(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings).messages(model);
    case 'gemini':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).chat(model);
  }
}
