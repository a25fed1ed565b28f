import { jsonLength } from '../../base/json.ts';
import { type JsonPreviewLimits, previewJson } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import type { ContentView } from '../../shared/content.ts';
import {
  openWholeAction,
  type ResultAction,
  type ResultBody,
  type ResultView,
  saveWholeAction,
} from '../../shared/resultMessages.ts';
import { ContentBudget, toBlockFile, toContentView } from './contentView.ts';
import { TableBudget, toTables } from './jsonViews.ts';
import { readBlocks, type Readings } from './repeatedContent.ts';

export interface ResultDocument {
  /** Documents with the same key share a tab, so that running something again does not open another. */
  readonly key: string;
  readonly title: string;
  readonly server: string;
  readonly result: ResultContent;
  /** `durationMs`: from the request to the result. */
  readonly call?: { readonly args: Readonly<Record<string, unknown>>; readonly durationMs: number };
  /** Sentences to show above the result, for instance what of it breaks the tool's own schema. */
  readonly notices?: readonly string[];
  /** Where the structured content breaks the tool's output schema. */
  readonly differences?: readonly SchemaProblem[];
  readonly actions: readonly RunnableAction[];
  /**
   * Who the server was, see `Server.identity`: links to its resources can be opened while it is. Without it, they are plain text.
   */
  readonly resourcesOf?: string | undefined;
  /** How the person wants to see the texts is remembered for it; absent: not remembered. */
  readonly texts?: TextOwner;
}

/** Whose texts a result holds: what a person chooses for them belongs to this definition of the server. */
export interface TextOwner {
  readonly identity: string;
  readonly kind: 'tool' | 'prompt' | 'instructions';
  /** Of the tool or prompt; empty for instructions. */
  readonly name: string;
}

/** A button above a result, with what it does. Errors are shown to the person, cancellations are not. */
export interface RunnableAction extends ResultAction {
  run(): Promise<void>;
}

export type ResultContent =
  | { readonly kind: 'prompt'; readonly prompt: GetPromptResult }
  | { readonly kind: 'tool'; readonly result: CallToolResult }
  /** A text that no call gave; drawn as its type says. */
  | { readonly kind: 'text'; readonly text: string; readonly mimeType?: string };

/** Sentences shown above a result, and characters of each. */
const notices = { count: 20, characters: 1_000 };

/** Differences that are shown, keys on the way to each, and characters of each key and of its message. */
const differenceBounds = { count: 50, depth: 64, key: 1_000, message: 300 };

/** A result with more characters can be saved even if all of it is shown. */
const largeResult = 1_000_000;

/** JSON that stands folded beside the result: much less of it than of the result itself. */
const besideBounds: JsonPreviewLimits = { depth: 64, members: 2_000, characters: 60_000, text: 2_000 };

/** Lays a result out for its panel, truncated to what a page can show, with a notice if something was cut. */
export function toResultView(document: ResultDocument): ResultView {
  const budgets = createBudgets();
  const { result, call, title, server } = document;
  const said = result.kind === 'prompt' ? result.prompt.description : undefined;
  const description = said === undefined ? undefined : budgets.content.text(said);
  const readings = result.kind === 'tool' ? readBlocks(result.result) : undefined;
  const body = toBody(result, budgets, readings);
  const isCut = budgets.content.isCut || budgets.structured.isCut || budgets.texts.isCut;
  const raw = rawOf(result);
  return {
    title,
    server,
    description,
    ...(call && { arguments: previewJson(call.args, besideBounds).json, durationMs: call.durationMs }),
    body,
    ...raw,
    ...differencesOf(document),
    notices: noticesOf(document, readings?.disagreement, isCut),
    actions: actionsOf(document, isCut, raw.size),
    opensResources: document.resourcesOf !== undefined,
  };
}

function noticesOf(
  { notices: given = [] }: ResultDocument,
  disagreement: string | undefined,
  isCut: boolean,
): readonly string[] {
  const said = given.slice(0, notices.count).map((text) => truncateWithCount(text, notices.characters));
  const cutNotice = `This result is too large to be shown whole. Choose ${openWholeAction.label} to see all of it.`;
  return [...said, ...(disagreement === undefined ? [] : [disagreement]), ...(isCut ? [cutNotice] : [])];
}

function actionsOf({ actions }: ResultDocument, isCut: boolean, size = 0): readonly ResultAction[] {
  return [
    // Functions cannot be sent to the page.
    ...actions.map(({ id, label, icon }) => ({ id, label, icon })),
    ...(isCut ? [openWholeAction] : []),
    ...(isCut || size > largeResult ? [saveWholeAction] : []),
  ];
}

function differencesOf({ differences = [] }: ResultDocument): Pick<ResultView, 'differences'> {
  if (differences.length === 0) return {};
  const { count, depth, key, message: characters } = differenceBounds;
  return {
    differences: differences.slice(0, count).map(({ path, message }) => ({
      path: path.slice(0, depth).map((step) => truncateWithCount(step, key)),
      message: truncateWithCount(message, characters),
    })),
  };
}

/** Every resource URI a result mentions: the only ones its panel may ask to open. */
export function resourceUrisOf(content: ResultContent): ReadonlySet<string> {
  return new Set(
    blocksOf(content).flatMap((block) => {
      if (block.type === 'resource_link') return block.uri;
      return block.type === 'resource' ? block.resource.uri : [];
    }),
  );
}

/** The blocks of a result in the order its panel counts them. */
export function blocksOf(content: ResultContent): readonly ContentBlock[] {
  if (content.kind === 'text') return [];
  return content.kind === 'tool' ? content.result.content : content.prompt.messages.map((message) => message.content);
}

/** What a tool says of its failure, where places in files may be. */
export function failureText(content: ResultContent): string {
  if (content.kind !== 'tool' || !content.result.isError) return '';
  return blocksOf(content)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}

export function wholeOf(content: ResultContent): unknown {
  if (content.kind === 'text') return content.text;
  return content.kind === 'tool' ? content.result : content.prompt;
}

function rawOf(content: ResultContent): Pick<ResultView, 'raw' | 'size'> {
  if (content.kind === 'text') return {};
  const whole = wholeOf(content);
  const { json, isTruncated: isCut } = previewJson(whole, besideBounds);
  return { raw: { json, isCut }, size: jsonLength(whole) };
}

type Budgets = ReturnType<typeof createBudgets>;

/** What there is room for in one view. JSON of texts and tables repeat what is there already, and have room of their own. */
function createBudgets() {
  const create = (): ContentBudget => new ContentBudget(limits.shown.result);
  return { content: create(), structured: create(), texts: create(), tables: new TableBudget() };
}

function toBody(content: ResultContent, budgets: Budgets, readings: Readings | undefined): ResultBody {
  const room = budgets.content;
  if (content.kind === 'text') return { ...content, text: room.text(content.text) };
  if (content.kind === 'prompt') {
    const messages = room.blocks(content.prompt.messages);
    return {
      kind: 'messages',
      messages: messages.map(({ role, content: block }) => ({ role, content: [toResultBlock(block, budgets)] })),
    };
  }
  const { content: blocks, isError, structuredContent } = content.result;
  const shown = room.blocks(blocks).map((block, index) => {
    const isRepeated = readings?.texts.has(index) === true;
    const view = toResultBlock(block, budgets, isRepeated ? undefined : readings?.values[index]);
    return isRepeated ? { ...view, isRepeated } : view;
  });
  const tables = toTables(structuredContent, budgets.tables);
  return {
    kind: 'toolResult',
    isError,
    content: shown,
    structured: structuredContent === undefined ? undefined : budgets.structured.json(structuredContent),
    ...(tables.length > 0 && { tables }),
    ...(readings?.isStructuredRepeated === true && { isStructuredRepeated: true }),
  };
}

/** @param value what the text of the block says, if it is JSON */
function toResultBlock(block: ContentBlock, { content, texts, tables }: Budgets, value?: object): ContentView {
  const view = toContentView(block, content);
  const file = toBlockFile(block);
  const hasJson = value !== undefined && (view.kind === 'text' || view.kind === 'resource');
  return {
    ...(hasJson ? { ...view, json: { json: texts.json(value), tables: toTables(value, tables) } } : view),
    ...(file !== undefined && { canSave: true }),
    ...(file?.canOpen === true && { canOpen: true }),
  };
}
