import { canonicalJson } from '../../base/digest.ts';
import type { ModelPreferences, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { ModelInfo, SessionGrant } from './ports.ts';

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

/** The model to suggest, and the reason in a few words. */
export interface ModelMatch {
  readonly model: ModelInfo;
  readonly because: string;
}

/** Words in model names that mark small, fast models and large, capable ones: nothing else is known of a model. */
const smallMarks = ['mini', 'nano', 'flash', 'haiku', 'lite', 'small', 'tiny', 'turbo', 'fast', '8b', '3b', '1b'];
const largeMarks = ['opus', 'pro', 'ultra', 'large', 'max', 'o1', 'o3', 'sonnet', '70b', '405b'];

/**
 * Chooses by hints in their order (a substring of name, id or family), then by priorities, then the first model
 * (2025-11-25, Client Features / Sampling, "Model Preferences": hints before priorities, both advisory).
 * @returns `undefined` if there are no models
 */
export function matchModel(
  models: readonly ModelInfo[],
  preferences: ModelPreferences | undefined,
): ModelMatch | undefined {
  for (const { name } of preferences?.hints ?? []) {
    if (name === undefined || name === '') continue;
    const model = models.find((candidate) => mentions(candidate, name));
    if (model !== undefined) return { model, because: `it matches the server's hint "${name}"` };
  }
  return byPriority(models, preferences) ?? first(models);
}

function byPriority(models: readonly ModelInfo[], preferences: ModelPreferences | undefined): ModelMatch | undefined {
  const small = Math.max(preferences?.costPriority ?? 0, preferences?.speedPriority ?? 0);
  const large = preferences?.intelligencePriority ?? 0;
  if (small === large) return undefined;
  const marks = small > large ? smallMarks : largeMarks;
  const model = models.find((candidate) => isMarked(candidate, marks));
  const wish = small > large ? 'a fast and cheap model' : 'a capable model';
  return model && { model, because: `the server prefers ${wish}` };
}

function first(models: readonly ModelInfo[]): ModelMatch | undefined {
  const [model] = models;
  return model && { model, because: 'it is the first one available' };
}

/** Compares whole words: "gemini" does not contain "mini". */
function isMarked(model: ModelInfo, marks: readonly string[]): boolean {
  const words = `${model.id} ${model.name} ${model.family}`.toLowerCase().split(/[^a-z0-9]+/);
  return words.some((word) => marks.includes(word));
}

function mentions(model: ModelInfo, text: string): boolean {
  const wanted = text.toLowerCase();
  return [model.id, model.name, model.family].some((part) => part.toLowerCase().includes(wanted));
}
