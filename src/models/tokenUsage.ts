import { truncate } from '../base/truncate.ts';
import type { SamplingResult } from '../protocol/mcp/sampling.ts';
import type { StreamPart } from './languageModel.ts';
import { ModelError, type TokenUsage } from './modelGateway.ts';

type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/** @returns how many tokens the provider counted, as far as it did */
export function readUsage(usage: FinishPart['usage'] | undefined): TokenUsage {
  return { inputTokens: readCount(usage?.inputTokens?.total), outputTokens: readCount(usage?.outputTokens?.total) };
}

/** The packages say 0 where a provider does not say how many; no request has none. */
function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/**
 * Cuts a text for which its provider counts more tokens than were asked for, in proportion.
 * @throws {ModelError} `failed`, when it is not only a text
 */
export function withinTokens(
  result: SamplingResult,
  { outputTokens = 0 }: TokenUsage,
  maxTokens: number,
  title: string,
): SamplingResult {
  if (outputTokens <= maxTokens) return result;
  const [first, ...others] = result.content;
  if (first?.type !== 'text' || others.length > 0) {
    throw new ModelError(
      'failed',
      `${title} does not keep to the maximum of ${maxTokens} tokens: it used ${outputTokens}.`,
    );
  }
  const text = truncate(first.text, Math.max(1, Math.floor((first.text.length * maxTokens) / outputTokens)));
  return { ...result, content: [{ ...first, text }], stopReason: 'maxTokens' };
}
