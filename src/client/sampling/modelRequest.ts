import { canonicalJson, sha256 } from '../../base/digest.ts';
import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { Round } from './samplingRounds.ts';
import { unsearched } from './secrets/markList.ts';
import type { SecretFinder, SecretMark } from './secretMarks.ts';

/** A request for a model with all that is known of it. Nothing in it changes: what the person edits is in {@link RequestEdits}. */
export interface ModelRequest {
  readonly server: string;
  readonly cause: string | undefined;
  /** The person asks, and not the server: its content is what they send. */
  readonly isOwn: boolean;
  /** See `SamplingRule.definition`; `undefined` if the person or an app asks: no rule covers it. */
  readonly definition: string | undefined;
  readonly request: SamplingRequest;
  readonly facts: RequestFacts;
  readonly marks: readonly SecretMark[];
  /** The round of a conversation that this request continues; `undefined` for the first. */
  readonly round: Round | undefined;
}

/** What a person changes in a request before it is sent. */
export interface RequestEdits {
  /** `messages[i][j]` replaces the text of block `j` of message `i`; `undefined` keeps a block that is not text. */
  readonly messages: readonly (readonly (string | undefined)[])[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
  /** Of the marks that were shown, those whose texts are replaced in all of the request. */
  readonly masked: readonly SecretMark[];
}

/** Reads what is to be known of a request. Its token limit becomes a whole number: MCP allows any, models do not. */
export async function inspectRequest(
  asked: SamplingRequest,
  server: string,
  { secrets, estimateTokens }: { readonly secrets: SecretFinder; readonly estimateTokens: (text: string) => number },
): Promise<Pick<ModelRequest, 'request' | 'facts' | 'marks'>> {
  const maxTokens = Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(asked.maxTokens)));
  const request = asked.maxTokens === maxTokens ? asked : { ...asked, maxTokens };
  const [facts, marks] = await Promise.all([factsOf(request, estimateTokens), findMarks(secrets, request, server)]);
  return { request, facts, marks };
}

/** What may be secret in a request. One that cannot be searched is marked: a person decides about it. */
export function findMarks(secrets: SecretFinder, request: SamplingRequest, server: string) {
  return secrets.find(request, server).catch(() => [unsearched('It could not be searched for secrets')]);
}

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
  const estimate = boundedEstimate(estimateTokens);
  return {
    maxTokens: request.maxTokens,
    characters: countCharacters(request),
    estimatedTokens: measure(request, estimate, (block) => estimateBlock(block, estimate)),
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

/** Adds up everything that the provider receives: messages, system prompt, stop sequences, tools and metadata. */
function measure(
  { messages, systemPrompt = '', tools, stopSequences, metadata }: SamplingRequest,
  ofText: (text: string) => number,
  ofBlock: (block: SamplingContent) => number,
): number {
  let total = ofText(systemPrompt);
  for (const part of [tools, stopSequences, metadata]) if (part !== undefined) total += ofText(JSON.stringify(part));
  for (const { content } of messages) for (const block of content) total += ofBlock(block);
  return total;
}

export function countCharacters(request: SamplingRequest): number {
  return measure(request, (text) => text.length, sizeOf);
}

function sizeOf(block: SamplingContent): number {
  if (block.type === 'text') return block.text.length;
  return block.type === 'image' || block.type === 'audio' ? block.data.length : JSON.stringify(block).length;
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

/** Estimates the tokens of one block of a request or an answer. @param estimate of a text */
export function estimateBlock(block: SamplingContent, estimate: (text: string) => number): number {
  if (block.type === 'image' || block.type === 'audio') return mediaTokens;
  return estimate(block.type === 'text' ? block.text : JSON.stringify(block));
}

/**
 * Makes what is sent of a request and the person's edits. Empty texts are removed, and messages without content too.
 * @returns `undefined` if the edits do not fit the request: a higher token limit, another number of messages or blocks,
 * text in place of media, or nothing left to send
 * @throws where it could not be masked
 */
export async function applyEdits(
  request: SamplingRequest,
  edits: RequestEdits,
  secrets: SecretFinder,
): Promise<SamplingRequest | undefined> {
  const { maxTokens, systemPrompt, masked } = edits;
  if (edits.messages.length !== request.messages.length || maxTokens > request.maxTokens) return undefined;
  const messages: SamplingMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    const content = editBlocks(message.content, edits.messages[index] ?? []);
    if (content === undefined) return undefined;
    if (content.length > 0) messages.push({ role: message.role, content });
  }
  if (messages.length === 0) return undefined;
  const { systemPrompt: _replaced, ...rest } = request;
  const edited = { ...rest, messages, maxTokens, ...(systemPrompt !== '' && { systemPrompt }) };
  if (masked.length === 0) return edited;
  // In all of the request, also where the page has no text field for it. A text field changes every line break to \n.
  const inFields = masked.map((mark) => ({ ...mark, value: mark.value.replaceAll(/\r\n?/g, '\n') }));
  return secrets.mask(edited, [...masked, ...inFields]);
}

function editBlocks(
  blocks: readonly SamplingContent[],
  texts: readonly (string | undefined)[],
): SamplingContent[] | undefined {
  if (texts.length !== blocks.length) return undefined;
  const edited: SamplingContent[] = [];
  for (const [index, block] of blocks.entries()) {
    const text = texts[index];
    if (text === undefined) edited.push(block);
    else if (block.type !== 'text') return undefined;
    else if (text === block.text) edited.push(block);
    else if (text !== '') edited.push({ ...block, text });
  }
  return edited;
}
