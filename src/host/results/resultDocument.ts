import { jsonLength } from '../../base/json.ts';
import { type JsonPreviewLimits, previewJson } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ContentView } from '../../shared/content.ts';
import { openWholeAction, type ResultAction, type ResultBody, type ResultView } from '../../shared/resultMessages.ts';
import { fileName, nameFromUri } from '../platform/fileName.ts';
import { ContentBudget, toContentView } from './contentView.ts';

/** A result of a server, shown in a panel. */
export interface ResultDocument {
  /** Documents with the same key share a tab, so that running something again does not open another. */
  readonly key: string;
  readonly title: string;
  /** The server's label. */
  readonly server: string;
  readonly result: ResultContent;
  /** The call it is the result of, where there was one. */
  readonly call?: ResultCall;
  /** Sentences to show above the result, for instance what of it breaks the tool's own schema. */
  readonly notices?: readonly string[];
  /** Buttons above the result. */
  readonly actions: readonly RunnableAction[];
  /** Links to resources of the server can be opened; otherwise they are plain text. */
  readonly opensResources?: boolean;
}

/** A button above a result, with what it does. Errors are shown to the person, cancellations are not. */
export interface RunnableAction extends ResultAction {
  run(): Promise<void>;
}

/** The call that gave a result. */
export interface ResultCall {
  readonly args: Readonly<Record<string, unknown>>;
  /** Milliseconds from the request to the result. */
  readonly durationMs: number;
}

/** What a document shows. */
export type ResultContent =
  | { readonly kind: 'prompt'; readonly prompt: GetPromptResult }
  | { readonly kind: 'tool'; readonly result: CallToolResult }
  /** Markdown of the server that no call gave. */
  | { readonly kind: 'text'; readonly text: string };

/** Sentences shown above a result, and characters of each. */
const notices = { count: 20, characters: 1_000 };

/** JSON that stands folded beside the result: much less of it than of the result itself. */
const besideBounds: JsonPreviewLimits = { depth: 64, members: 2_000, characters: 60_000, text: 2_000 };

/** Lays a result out for its panel, truncated to what a page can show, with a notice if something was cut. */
export function toResultView(document: ResultDocument): ResultView {
  const room = new ContentBudget(limits.shown.result);
  const { result } = document;
  const description =
    result.kind === 'prompt' && result.prompt.description !== undefined
      ? room.text(result.prompt.description)
      : undefined;
  const body = toBody(result, room);
  const said = (document.notices ?? [])
    .slice(0, notices.count)
    .map((text) => truncateWithCount(text, notices.characters));
  // Functions cannot be sent to the page.
  const actions = document.actions.map(({ id, label, icon }) => ({ id, label, icon }));
  const cutNotice = `This result is too large to be shown whole. Choose ${openWholeAction.label} to see all of it.`;
  return {
    title: document.title,
    server: document.server,
    description,
    ...callOf(document),
    body,
    ...rawOf(result),
    notices: room.isCut ? [...said, cutNotice] : said,
    actions: room.isCut ? [...actions, openWholeAction] : actions,
    opensResources: document.opensResources === true,
  };
}

/** Every resource URI a result mentions: the only ones its panel may ask to open. */
export function resourceUrisOf(content: ResultContent): ReadonlySet<string> {
  return new Set(
    blocksOf(content).flatMap((block) => {
      if (block.type === 'resource_link') return [block.uri];
      return block.type === 'resource' ? [block.resource.uri] : [];
    }),
  );
}

/** The blocks of a result in the order its panel counts them. */
export function blocksOf(content: ResultContent): readonly ContentBlock[] {
  switch (content.kind) {
    case 'prompt':
      return content.prompt.messages.map((message) => message.content);
    case 'tool':
      return content.result.content;
    case 'text':
      return [];
  }
}

/** The result as the server sent it. */
export function wholeOf(content: ResultContent): unknown {
  switch (content.kind) {
    case 'prompt':
      return content.prompt;
    case 'tool':
      return content.result;
    case 'text':
      return content.text;
  }
}

function callOf({ call }: ResultDocument): Pick<ResultView, 'arguments' | 'durationMs'> {
  if (call === undefined) return {};
  return { arguments: previewJson(call.args, besideBounds).json, durationMs: call.durationMs };
}

function rawOf(content: ResultContent): Pick<ResultView, 'raw' | 'size'> {
  if (content.kind === 'text') return {};
  const whole = wholeOf(content);
  const { json, isTruncated: isCut } = previewJson(whole, besideBounds);
  return { raw: { json, isCut }, size: jsonLength(whole) };
}

function toBody(content: ResultContent, room: ContentBudget): ResultBody {
  if (content.kind === 'text') return { kind: 'text', text: room.text(content.text) };
  if (content.kind === 'prompt') {
    const messages = room.blocks(content.prompt.messages);
    return {
      kind: 'messages',
      messages: messages.map(({ role, content: block }) => ({ role, content: [toResultBlock(block, room)] })),
    };
  }
  const { content: blocks, isError, structuredContent } = content.result;
  return {
    kind: 'toolResult',
    isError,
    content: room.blocks(blocks).map((block) => toResultBlock(block, room)),
    structured: structuredContent === undefined ? undefined : room.json(structuredContent),
  };
}

function toResultBlock(block: ContentBlock, room: ContentBudget): ContentView {
  const view = toContentView(block, room);
  return toBlockFile(block) === undefined ? view : { ...view, canSave: true };
}

/** A block of content as a file that a person may save. */
export interface BlockFile {
  /** Safe as a file name, even if the server's own name is not. */
  readonly name: string;
  /** Decodes the content; what is not base64 in it is skipped. */
  bytes(): Uint8Array;
}

/** @returns `undefined` for what is no file: text, links, and content of unknown kinds */
export function toBlockFile(block: ContentBlock): BlockFile | undefined {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { name: fileName(block.type, block.mimeType), bytes: () => Buffer.from(block.data, 'base64') };
    case 'resource': {
      const { uri, mimeType, text, blob = '' } = block.resource;
      return {
        name: fileName(nameFromUri(uri), mimeType),
        bytes: () => (text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text, 'utf8')),
      };
    }
    case 'text':
    case 'resource_link':
    case 'unknown':
      return undefined;
  }
}
