import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { SamplingContent, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { SamplingLimits } from './samplingPolicy.ts';

/** What limits and rules compare of a request. */
export interface RequestFacts {
  readonly maxTokens: number;
  readonly characters: number;
  /** Tokens of the request, as far as they can be told without a model. */
  readonly estimatedTokens: number;
  /** Digest of the system prompt and the metadata, which the provider gets unchanged. */
  readonly frame: string;
  /** Why no rule may cover such a request, as the end of a sentence about it; `undefined` for text alone. */
  readonly special: string | undefined;
}

export async function factsOf(
  request: SamplingRequest,
  estimateTokens: (text: string) => number,
): Promise<RequestFacts> {
  const { systemPrompt = '', metadata } = request;
  return {
    maxTokens: request.maxTokens,
    characters: countCharacters(request),
    estimatedTokens: estimateRequest(request, boundedEstimate(estimateTokens)),
    frame: await sha256(canonicalJson([systemPrompt, metadata ?? null])),
    special: specialOf(request),
  };
}

/** An answer can trigger tools, and the size of an image says nothing about its tokens: a person always reviews both. */
function specialOf({ tools, messages, includeContext }: SamplingRequest): string | undefined {
  if (tools !== undefined) return 'it offers tools to the model';
  if (includeContext !== undefined && includeContext !== 'none') return 'it asks for context';
  const types = new Set(messages.flatMap(({ content }) => content.map(({ type }) => type)));
  if (types.has('image')) return 'it has images';
  if (types.has('audio')) return 'it has sound';
  return types.has('tool_use') || types.has('tool_result') ? 'it has calls of tools' : undefined;
}

/** Maximum messages and content blocks: a person could not review more, however short they are. */
const maximumParts = 10_000;

/** @returns why a request is refused without a question, as the end of a sentence; `undefined` if it is within the limits */
export function limitRefusal(request: SamplingRequest, open: number, limits: SamplingLimits): string | undefined {
  if (open >= limits.maximumOpen) return `more than ${limits.maximumOpen} requests of this server are waiting`;
  if (request.maxTokens > limits.maximumTokens) return `maxTokens is above the limit of ${limits.maximumTokens}`;
  if (countParts(request) > maximumParts) return 'there are too many messages';
  return countCharacters(request) > limits.maximumCharacters ? 'the messages are too large' : undefined;
}

function countParts({ messages }: SamplingRequest): number {
  return messages.reduce((count, { content }) => count + 1 + content.length, 0);
}

/** Characters of everything that the provider receives: messages, system prompt, stop sequences, tools and metadata. */
export function countCharacters(request: SamplingRequest): number {
  let count = request.systemPrompt?.length ?? 0;
  for (const part of [request.tools, request.metadata, request.stopSequences])
    if (part !== undefined) count += JSON.stringify(part).length;
  for (const { content } of request.messages) for (const block of content) count += sizeOf(block);
  return count;
}

function sizeOf(block: SamplingContent): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'image':
    case 'audio':
      return block.data.length;
    case 'tool_use':
    case 'tool_result':
      return JSON.stringify(block).length;
  }
}

/** Tokens that an image or a piece of sound counts for: providers take about this many for one of common size. */
const mediaTokens = 1_000;

/** Characters of a request whose tokens are estimated: each block has a part in it. What follows counts as a token each. */
const estimatedCharacters = 500_000;

function boundedEstimate(estimate: (text: string) => number): (text: string) => number {
  let left = estimatedCharacters;
  return (text) => {
    if (left <= 0) return text.length;
    left -= text.length + 100;
    return estimate(text);
  };
}

function estimateRequest(request: SamplingRequest, estimate: (text: string) => number): number {
  const { messages, systemPrompt = '', tools, stopSequences, metadata } = request;
  let tokens = estimate(systemPrompt);
  for (const part of [tools, stopSequences, metadata]) if (part !== undefined) tokens += estimate(JSON.stringify(part));
  for (const { content } of messages) for (const block of content) tokens += estimateBlock(block, estimate);
  return tokens;
}

/** Estimates the tokens of one block of a request or an answer. @param estimate of a text */
export function estimateBlock(block: SamplingContent, estimate: (text: string) => number): number {
  if (block.type === 'image' || block.type === 'audio') return mediaTokens;
  return estimate(block.type === 'text' ? block.text : JSON.stringify(block));
}
