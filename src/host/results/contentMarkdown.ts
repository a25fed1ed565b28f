import { limits } from '../../base/limits.ts';
import { truncate } from '../../base/truncate.ts';
import { previewJson, printPreview } from '../../base/jsonPreview.ts';
import type { ContentBlock, ResourceContents } from '../../protocol/mcp/content.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { singleLine } from '../platform/displayText.ts';
import { ContentBudget, toMediaView } from './contentView.ts';
import { readBlocks } from './repeatedContent.ts';

/** Maximum base64 characters included in a document; longer media are only named. */
const maximumDataLength = 300_000;

/** One block of content as Markdown that can follow and be followed by anything: no fence or heading of its own leaks out. */
export function blockToMarkdown(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return mediaToMarkdown(block);
    case 'resource':
      return resourceToMarkdown(block.resource);
    case 'resource_link':
      return `Resource: ${inlineCode(block.title || block.name || block.uri)} ${inlineCode(block.uri)}`;
    case 'unknown':
      return jsonFence(block.original);
  }
}

/** Joins parts of a document, made one after the other until it is as long as a document may be, which it then says. */
export function joinMarkdown(parts: Iterable<string>): string {
  let text = '';
  for (const part of parts) {
    const left = limits.shown.document - text.length;
    text += `${text === '' ? '' : '\n\n'}${truncate(part, left)}`;
    if (part.length >= left)
      return `${text}\n\n… cut here: it is too long for one document. Open it whole as a file.\n`;
  }
  return `${text}\n`;
}

/** A fenced block that `text` cannot close, even with backticks of its own (CommonMark, section 4.5). */
export function fence(text: string, language = ''): string {
  const marks = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${marks}${/^[\w+-]*$/.test(language) ? language : ''}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

/** A value as a fenced block of JSON, as much of it as is shown at once. */
export function jsonFence(value: unknown): string {
  return fence(printPreview(previewJson(value).json), 'json');
}

/** A code span that `text` cannot close, on one line. */
export function inlineCode(text: string): string {
  const line = singleLine(text, 500);
  const marks = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${padding}${line}${padding}${marks}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function mediaToMarkdown(block: Extract<ContentBlock, { type: 'image' | 'audio' }>): string {
  const isShort = block.type === 'image' && block.data.length <= maximumDataLength;
  const view = isShort && toMediaView('image', block.data, block.mimeType, new ContentBudget(limits.shown.result));
  if (view && view.kind === 'image') return `![image](${view.source})`;
  return `(${block.type}, ${inlineCode(block.mimeType)}, not included)`;
}

function resourceToMarkdown({ uri, mimeType, text }: ResourceContents): string {
  const heading = `Resource: ${inlineCode(uri)}`;
  if (text === undefined)
    return `${heading} (${mimeType === undefined ? 'binary' : inlineCode(mimeType)}, not included)`;
  return `${heading}\n\n${fence(text, languageOf(mimeType))}`;
}

/** `text/x-python; charset=utf-8` is `python`: near enough for highlighting. */
function languageOf(mimeType: string | undefined): string {
  const [, subtype = ''] = /^\w+\/(?:x-)?([\w+-]+)/.exec(mimeType ?? '') ?? [];
  return subtype === 'plain' ? '' : subtype;
}

/** What the result says, each thing once: one text alone is just this text. */
export function toolResultToMarkdown(result: CallToolResult): string {
  const { content, structuredContent, isError } = result;
  const { texts, isStructuredRepeated } = readBlocks(result);
  const said = content.filter((_, index) => !texts.has(index));
  const [only] = said;
  const hasStructured = structuredContent !== undefined && !isStructuredRepeated;
  if (said.length === 1 && only?.type === 'text' && !isError && !hasStructured)
    return only.text.length <= limits.shown.document ? only.text : joinMarkdown([only.text]);
  function* parts(): Generator<string> {
    if (isError) yield '**The tool reported an error.**';
    for (const block of said) yield blockToMarkdown(block);
    if (hasStructured) yield jsonFence(structuredContent);
  }
  return joinMarkdown(parts());
}
