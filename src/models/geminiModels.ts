import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { type LanguageModel, type LanguageModelSettings, placeholderKey } from './languageModel.ts';

/** A model behind the Gemini API. */
export function createGemini({ model, baseUrl, fetch }: LanguageModelSettings): LanguageModel {
  return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: placeholderKey, fetch }).chat(model);
}
