import { limits } from '../../base/limits.ts';
import { formatCount, truncate } from '../../base/truncate.ts';
import type { ContentBlock, ResourceContents } from '../../protocol/mcp/content.ts';
import type { PromptMessage } from '../../protocol/mcp/prompts.ts';
import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { blockToMarkdown, inlineCode, jsonFence } from '../results/contentMarkdown.ts';
import { ContentBudget, toMediaView } from '../results/contentView.ts';
import type { RunnableAction } from '../results/resultDocument.ts';

export interface ModelSubject {
  readonly server: string;
  /** For the tab of the answer. */
  readonly title: string;
  /** What the content is, in a few words: "result of the tool add". */
  readonly about: string;
  readonly messages: readonly SamplingMessage[];
  /** The messages do not say what the model should do: the person types a question first. */
  readonly needsQuestion: boolean;
}

/**
 * Asks a model on the person's behalf, with the same consent as a server's own request. The answer streams into a document.
 * @throws {PatchbayError} `declined`, if the request is beyond a limit; cancellation, if the person declines
 */
export type AskModel = (subject: ModelSubject) => Promise<void>;

/** *Ask a Model…*, above a result. @param subject computed when the action runs */
export function askModelAction(askModel: AskModel, subject: () => ModelSubject): RunnableAction {
  return { id: 'model', label: 'Ask a Model…', icon: 'sparkle', run: async () => askModel(subject()) };
}

/** The question before the person has changed it. */
export const defaultQuestion = 'Explain this.';

/** Tokens that a model may answer with, at most; the person can lower them in the consent panel. */
const defaultMaxTokens = 4_096;

/**
 * A subject as a request for a model, in the shape that a server's own request would have.
 * @param question goes before the first message
 * @param maximumTokens that any request may ask for
 */
export function toModelRequest(
  { messages }: Pick<ModelSubject, 'messages'>,
  question: string | undefined,
  maximumTokens: number,
): SamplingRequest {
  const asked: readonly SamplingMessage[] =
    question === undefined ? messages : [{ role: 'user', content: [textBlock(question)] }, ...messages];
  return { messages: mergeRoles(asked), maxTokens: Math.min(defaultMaxTokens, maximumTokens) };
}

export function promptContent(messages: readonly PromptMessage[]): readonly SamplingMessage[] {
  const room = new ContentBudget(limits.shown.review);
  return mergeRoles(messages.map(({ role, content }) => ({ role, content: [toSamplingContent(content, room)] })));
}

/** The result of a tool, as one message. Structured content is left out where a text says the same. */
export function toolContent({ content, structuredContent, isError }: CallToolResult): readonly SamplingMessage[] {
  const isSaid = content.some((block) => block.type === 'text' && isSameJson(block.text, structuredContent));
  return boundedMessage(content, [
    ...(isError ? ['**The tool reported an error.**'] : []),
    ...(structuredContent === undefined || isSaid ? [] : [jsonFence(structuredContent)]),
  ]);
}

export function resourceContent(contents: readonly ResourceContents[]): readonly SamplingMessage[] {
  return boundedMessage(
    contents.map((resource) => ({ type: 'resource', resource })),
    [],
  );
}

/** Characters and blocks of one message: half of what the consent panel shows, which leaves the person room to add to it. */
const bounds = { characters: limits.shown.review.characters / 2, blocks: limits.shown.review.blocks / 2 };

/**
 * What a person could not review is not sent: the message says what is missing.
 * @param texts before the blocks
 */
function boundedMessage(blocks: readonly ContentBlock[], texts: readonly string[]): readonly SamplingMessage[] {
  const room = new ContentBudget(limits.shown.review);
  const content: SamplingContent[] = texts.map(textBlock);
  let left = bounds.characters - texts.join('').length;
  for (const [index, block] of blocks.entries()) {
    if (index >= bounds.blocks || left <= 0) {
      content.push(textBlock(`… (${formatCount(blocks.length - index)} more parts are left out: it is too long)`));
      break;
    }
    const converted = toSamplingContent(block, room);
    if (converted.type !== 'text') {
      content.push(converted);
      continue;
    }
    const kept = truncate(converted.text, left);
    left -= converted.text.length;
    content.push(textBlock(left < 0 ? `${kept}\n\n… (cut here: it is too long)` : kept));
  }
  return [{ role: 'user', content }];
}

/**
 * Models know text, images and sound; anything else goes as Markdown. An image or sound that the consent panel cannot show is
 * named, but not sent. Annotations and `_meta`, which the panel does not show either, are left out.
 */
function toSamplingContent(block: ContentBlock, room: ContentBudget): SamplingContent {
  switch (block.type) {
    case 'text':
      return textBlock(block.text);
    case 'image':
    case 'audio':
      return mediaBlock(block.type, block.data, block.mimeType, room) ?? textBlock(notSent(block.type, block.mimeType));
    case 'resource':
      return resourceMedia(block.resource, room) ?? textBlock(blockToMarkdown(block));
    case 'resource_link':
    case 'unknown':
      return textBlock(blockToMarkdown(block));
  }
}

function resourceMedia(
  { text, blob, mimeType = '' }: ResourceContents,
  room: ContentBudget,
): SamplingContent | undefined {
  const [, kind] = /^(image|audio)\//i.exec(mimeType) ?? [];
  if (text !== undefined || blob === undefined || kind === undefined) return undefined;
  return mediaBlock(kind.toLowerCase() === 'image' ? 'image' : 'audio', blob, mimeType, room);
}

function mediaBlock(
  type: 'image' | 'audio',
  data: string,
  mimeType: string,
  room: ContentBudget,
): SamplingContent | undefined {
  const view = toMediaView(type, data, mimeType, room);
  if (view.kind === 'omitted') return undefined;
  return { type, mimeType: view.mimeType, data: view.source.slice(view.source.indexOf(',') + 1) };
}

function notSent(type: 'image' | 'audio', mimeType: string): string {
  return `(${type}, ${inlineCode(mimeType)}, not included)`;
}

function textBlock(text: string): SamplingContent {
  return { type: 'text', text };
}

/** Neighbours of one role become one message, as providers expect. */
function mergeRoles(messages: readonly SamplingMessage[]): readonly SamplingMessage[] {
  const merged: SamplingMessage[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last?.role === role) merged[merged.length - 1] = { role, content: [...last.content, ...content] };
    else merged.push({ role, content });
  }
  return merged;
}

/** Servers repeat structured content as text (2025-11-25, Server Features / Tools, "Structured Content"). */
function isSameJson(text: string, value: unknown): boolean {
  if (value === undefined || text.length > limits.shown.json.characters) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    // Not JSON, or nested too deep to be written: then it is sent beside the structured content.
    return false;
  }
}
