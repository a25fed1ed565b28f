import { limits } from '../../base/limits.ts';
import { cutText } from '../../base/shown.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ResultAction, ResultBody, ResultView } from '../../shared/resultMessages.ts';
import { Room, toContentView } from './contentView.ts';

/** Something a server gave, to be read in a panel. */
export interface ResultDocument {
  /** Documents with the same key share a tab, so that running something again does not open another. */
  readonly key: string;
  readonly title: string;
  /** The server's label. */
  readonly server: string;
  readonly result: ResultContent;
  /** Sentences to show above the result, for instance what of it breaks the tool's own schema. */
  readonly notices?: readonly string[];
  readonly actions: readonly ResultAction[];
  readonly onAction: (id: string) => void;
  /** Opens a resource the result points to; without it such links are plain text. */
  readonly onOpenResource?: (uri: string) => void;
}

export type ResultContent =
  | { readonly kind: 'prompt'; readonly prompt: GetPromptResult }
  | { readonly kind: 'tool'; readonly result: CallToolResult };

/** The button of a result that is shown in part. */
export const openWholeAction: ResultAction = { id: 'openWhole', label: 'Open Whole as File', icon: 'go-to-file' };

/** Sentences shown above a result, and characters of each. */
const notices = { count: 20, characters: 1_000 };

/** Lays a result out for its panel, cut to what a page can hold; that it was cut is told in a notice. */
export function toResultView(document: ResultDocument): ResultView {
  const room = new Room(limits.shown.result);
  const { result } = document;
  const description =
    result.kind === 'prompt' && result.prompt.description !== undefined
      ? room.text(result.prompt.description)
      : undefined;
  const body = toBody(result, room);
  const said = (document.notices ?? []).slice(0, notices.count).map((text) => cutText(text, notices.characters));
  const cutNotice = `This result is too large to be shown whole. Choose ${openWholeAction.label} to see all of it.`;
  return {
    title: document.title,
    server: document.server,
    description,
    body,
    notices: room.isCut ? [...said, cutNotice] : said,
    actions: room.isCut ? [...document.actions, openWholeAction] : document.actions,
    opensResources: document.onOpenResource !== undefined,
  };
}

/** Every resource URI a result mentions: the only ones its panel may ask to open. */
export function resourceUrisOf(content: ResultContent): ReadonlySet<string> {
  const blocks =
    content.kind === 'prompt' ? content.prompt.messages.map((message) => message.content) : content.result.content;
  return new Set(
    blocks.flatMap((block) => {
      if (block.type === 'resource_link') return [block.uri];
      return block.type === 'resource' ? [block.resource.uri] : [];
    }),
  );
}

function toBody(content: ResultContent, room: Room): ResultBody {
  if (content.kind === 'prompt') {
    const messages = room.blocks(content.prompt.messages);
    return {
      kind: 'messages',
      messages: messages.map(({ role, content: block }) => ({ role, content: [toContentView(block, room)] })),
    };
  }
  const { content: blocks, isError, structuredContent } = content.result;
  return {
    kind: 'toolResult',
    isError,
    content: room.blocks(blocks).map((block) => toContentView(block, room)),
    structured: structuredContent === undefined ? undefined : room.json(structuredContent),
  };
}
