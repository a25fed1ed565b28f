import { createAnthropic } from '@ai-sdk/anthropic';
import { type LanguageModel, type LanguageModelSettings, placeholderKey } from './languageModel.ts';

/** A model behind the Messages API of Anthropic. */
export function createAnthropicMessages({ model, baseUrl, fetch }: LanguageModelSettings): LanguageModel {
  return createAnthropic({ baseURL: baseUrl, apiKey: placeholderKey, fetch }).messages(model);
}
