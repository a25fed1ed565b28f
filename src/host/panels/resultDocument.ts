import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ContentView } from '../../shared/content.ts';
import type { ResultAction, ResultBody, ResultView } from '../../shared/resultMessages.ts';
import { toContentView, toJson } from './contentView.ts';

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

/** What one panel draws without becoming slow. *Open in Editor* and the clipboard get the whole. */
const drawnLimits = { characters: 500_000, blocks: 500 };

/** Lays a result out for its panel, cut to what a page can hold; each cut is told in a notice. */
export function toResultView(document: ResultDocument): ResultView {
  const budget = { characters: drawnLimits.characters, blocks: drawnLimits.blocks, isCut: false };
  const body = toBody(document.result, budget);
  const cutNotice = budget.isCut
    ? ['This result is too large to be shown whole. Open it in an editor to see all of it.']
    : [];
  return {
    title: document.title,
    server: document.server,
    description: document.result.kind === 'prompt' ? document.result.prompt.description : undefined,
    body,
    notices: [...(document.notices ?? []), ...cutNotice],
    actions: document.actions,
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

interface Budget {
  characters: number;
  blocks: number;
  isCut: boolean;
}

function toBody(content: ResultContent, budget: Budget): ResultBody {
  if (content.kind === 'prompt') {
    const messages = content.prompt.messages.slice(0, budget.blocks);
    budget.isCut = messages.length < content.prompt.messages.length;
    return {
      kind: 'messages',
      messages: messages.map(({ role, content: block }) => ({ role, content: [cut(toContentView(block), budget)] })),
    };
  }
  const { result } = content;
  const blocks = result.content.slice(0, budget.blocks);
  budget.isCut = blocks.length < result.content.length;
  return {
    kind: 'toolResult',
    isError: result.isError,
    content: blocks.map((block) => cut(toContentView(block), budget)),
    structured: structuredText(result.structuredContent, budget),
  };
}

/** JSON cut in the middle is no JSON: structured content is shown whole or not at all. */
function structuredText(value: unknown, budget: Budget): string | undefined {
  if (value === undefined) return undefined;
  const text = toJson(value);
  if (text.length <= budget.characters) return text;
  budget.isCut = true;
  return undefined;
}

function cut(view: ContentView, budget: Budget): ContentView {
  const take = (text: string): string => {
    const taken = text.slice(0, budget.characters);
    budget.characters -= taken.length;
    if (taken.length < text.length) budget.isCut = true;
    return taken;
  };
  switch (view.kind) {
    case 'text':
      return { ...view, text: take(view.text) };
    case 'json':
      return { ...view, json: take(view.json) };
    case 'toolUse':
      return { ...view, input: take(view.input) };
    case 'resource':
      return view.text === undefined ? view : { ...view, text: take(view.text) };
    case 'toolResult':
      return { ...view, content: view.content.map((part) => cut(part, budget)) };
    case 'image':
    case 'audio':
    case 'link':
    case 'omitted':
      return view;
  }
}
