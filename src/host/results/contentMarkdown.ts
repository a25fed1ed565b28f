import type { ContentBlock, ResourceContents } from '../../protocol/mcp/content.ts';
import { singleLine } from '../displayText.ts';
import { toContentView, toJson } from '../panels/contentView.ts';

/** Characters of base64 that may stand in a document; longer media are named, not included. */
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
      return fence(toJson(block.original), 'json');
  }
}

/** A fenced block that `text` cannot close, whatever backticks it has (CommonMark, section 4.5). */
export function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${/^[\w+-]*$/.test(language) ? language : ''}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}`;
}

/** A code span that `text` cannot close, on one line. */
export function inlineCode(text: string): string {
  const line = singleLine(text, 500);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${padding}${line}${padding}${marks}`;
}

function mediaToMarkdown(block: Extract<ContentBlock, { type: 'image' | 'audio' }>): string {
  const view = toContentView(block);
  if (view.kind === 'image' && view.source.length <= maximumDataLength) return `![image](${view.source})`;
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
