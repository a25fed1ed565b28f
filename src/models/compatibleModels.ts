import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, LanguageModelSettings } from './languageModel.ts';

/** A model behind the chat completions of another server than OpenAI's: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter. */
export function createCompatibleChat({ model, baseUrl, fetch }: LanguageModelSettings): LanguageModel {
  return createOpenAICompatible({ name: 'compatible', baseURL: baseUrl, fetch, includeUsage: true }).chatModel(model);
}
