import { canonicalJson } from '../../base/digest.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { SessionGrant } from './ports.ts';

/** Limits that apply to every request, with or without a grant. */
export interface SamplingLimits {
  /** Maximum tokens that a request may ask for. */
  readonly maximumTokens: number;
  /** Maximum characters in all messages, the system prompt, the tools and the metadata together. */
  readonly maximumCharacters: number;
  /** Maximum requests of one server that are open at the same time. */
  readonly maximumOpen: number;
}

/** The limits unless settings change them. */
export const defaultSamplingLimits: SamplingLimits = {
  maximumTokens: 100_000,
  maximumCharacters: 20_000_000,
  maximumOpen: 20,
};

/** Maximum messages and content blocks: a person could not review more, however short they are. */
const maximumParts = 10_000;

/** What happens to a request; `reason` is the end of a sentence. */
export type Verdict =
  | { readonly kind: 'ask' }
  | { readonly kind: 'allow'; readonly grant: SessionGrant }
  | { readonly kind: 'refuse'; readonly reason: string };

/** Decides whether a request is refused, allowed by a grant, or shown. Pure: the same input gives the same verdict. */
export function decideSampling(
  request: SamplingRequest,
  state: { readonly open: number; readonly grant: SessionGrant | undefined; readonly now: number },
  limits: SamplingLimits,
): Verdict {
  if (state.open >= limits.maximumOpen)
    return refuse(`more than ${limits.maximumOpen} requests of this server are waiting`);
  if (request.maxTokens > limits.maximumTokens)
    return refuse(`maxTokens is above the limit of ${limits.maximumTokens}`);
  if (countParts(request) > maximumParts) return refuse('there are too many messages');
  if (countCharacters(request) > limits.maximumCharacters) return refuse('the messages are too large');
  const { grant } = state;
  if (grant === undefined || !covers(grant, request, state.now)) return { kind: 'ask' };
  return { kind: 'allow', grant };
}

/** The grant after one more use; `undefined` if it is used up. */
export function spendGrant(grant: SessionGrant): SessionGrant | undefined {
  return grant.requests > 1 ? { ...grant, requests: grant.requests - 1 } : undefined;
}

function covers(grant: SessionGrant, request: SamplingRequest, now: number): boolean {
  // An answer can trigger tools, and the size of an image says nothing about its tokens: a person always reviews both.
  const isPlain =
    request.tools === undefined &&
    request.messages.every(({ content }) => content.every(({ type }) => type === 'text'));
  return (
    isPlain &&
    grant.requests > 0 &&
    grant.expiresAt > now &&
    request.maxTokens <= grant.maximumTokens &&
    countCharacters(request) <= grant.maximumCharacters &&
    (request.systemPrompt ?? '') === grant.systemPrompt &&
    metadataText(request) === grant.metadata
  );
}

function countParts({ messages }: SamplingRequest): number {
  let count = messages.length;
  for (const { content } of messages) count += content.length;
  return count;
}

/** The metadata of a request as canonical JSON, empty for none, for comparison with a grant. */
export function metadataText({ metadata }: SamplingRequest): string {
  return metadata === undefined ? '' : canonicalJson(metadata);
}

/** Characters in all messages, the system prompt, the tools and the metadata: everything that the provider receives. */
export function countCharacters(request: SamplingRequest): number {
  let count = request.systemPrompt?.length ?? 0;
  for (const part of [request.tools, request.metadata]) if (part !== undefined) count += sizeOfJson(part);
  for (const { content } of request.messages) for (const block of content) count += sizeOf(block);
  return count;
}

function sizeOf(block: SamplingRequest['messages'][number]['content'][number]): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'image':
    case 'audio':
      return block.data.length;
    case 'tool_use':
    case 'tool_result':
      return sizeOfJson(block);
  }
}

function sizeOfJson(value: unknown): number {
  return JSON.stringify(value).length;
}

function refuse(reason: string): Verdict {
  return { kind: 'refuse', reason };
}
