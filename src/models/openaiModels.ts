import { createOpenAI } from '@ai-sdk/openai';
import { type LanguageModel, type LanguageModelSettings, placeholderKey } from './languageModel.ts';

/** A model behind the chat completions of OpenAI itself, which names some members differently for newer models. */
export function createOpenAIChat({ model, baseUrl, fetch }: LanguageModelSettings): LanguageModel {
  return createOpenAI({ baseURL: baseUrl, apiKey: placeholderKey, fetch }).chat(model);
}

/** A model behind the Responses API, of OpenAI or of a server that speaks it too. */
export function createOpenAIResponses({ model, baseUrl, fetch }: LanguageModelSettings): LanguageModel {
  return createOpenAI({ baseURL: baseUrl, apiKey: placeholderKey, fetch }).responses(model);
}
