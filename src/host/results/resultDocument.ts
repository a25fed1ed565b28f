import { jsonLength, isRecord, toJsonText } from '../../base/json.ts';
import { type JsonPreviewLimits, previewJson } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { truncateWithCount, formatCount, truncateWithEllipsis } from '../../base/truncate.ts';
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
import { JsonTexts, TableBudget, toTables } from './jsonViews.ts';
import { firstDifference, type JsonDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';

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
  const blockJson = jsonOfBlocks(result);
  const body = toBody(result, budgets, blockJson);
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
    notices: noticesOf(document, blockJson, isCut),
    actions: actionsOf(document, isCut, raw.size),
    opensResources: document.resourcesOf !== undefined,
  };
}

interface BlockJson {
  readonly value: object | undefined;
  /** It is a text, and says what the structured content says. */
  readonly isStructuredContent: boolean;
}

function jsonOfBlocks(content: ResultContent): readonly BlockJson[] {
  if (content.kind !== 'tool') return [];
  const { content: blocks, structuredContent } = content.result;
  const texts = new JsonTexts();
  return blocks.slice(0, limits.shown.result.blocks).map((block) => {
    const value = texts.read(block);
    const isCompared = value !== undefined && block.type === 'text' && structuredContent !== undefined;
    return { value, isStructuredContent: isCompared && isSameJson(value, structuredContent) };
  });
}

function noticesOf(
  { notices: given = [], result }: ResultDocument,
  blockJson: readonly BlockJson[],
  isCut: boolean,
): readonly string[] {
  const said = given.slice(0, notices.count).map((text) => truncateWithCount(text, notices.characters));
  const cutNotice = `This result is too large to be shown whole. Choose ${openWholeAction.label} to see all of it.`;
  return [...said, ...disagreementOf(result, blockJson), ...(isCut ? [cutNotice] : [])];
}

function disagreementOf(content: ResultContent, blockJson: readonly BlockJson[]): readonly string[] {
  const structured = content.kind === 'tool' ? content.result.structuredContent : undefined;
  if (structured === undefined || blockJson.some(({ isStructuredContent }) => isStructuredContent)) return [];
  const blocks = blocksOf(content);
  const texts = blockJson.map(({ value }, index) => (blocks[index]?.type === 'text' ? value : undefined));
  const disagreement = describeDisagreement(texts, structured);
  return disagreement === undefined ? [] : [disagreement];
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

function toBody(content: ResultContent, budgets: Budgets, blockJson: readonly BlockJson[]): ResultBody {
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
    const { value, isStructuredContent = false } = blockJson[index] ?? {};
    const view = toResultBlock(block, budgets, isStructuredContent ? undefined : value);
    return isStructuredContent ? { ...view, isStructuredContent } : view;
  });
  const tables = toTables(structuredContent, budgets.tables);
  return {
    kind: 'toolResult',
    isError,
    content: shown,
    structured: structuredContent === undefined ? undefined : budgets.structured.json(structuredContent),
    ...(tables.length > 0 && { tables }),
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

/** Characters of a path, and of a value, in a sentence. */
const disagreementBounds = { path: 200, value: 100 };

/** True if a text says what the structured content says: the whole of it, as servers should (2025-06-18, "Structured Content"). */
function isSameJson(text: unknown, structured: unknown): boolean {
  return firstDifference(text, structured) === undefined;
}

/**
 * Says where the texts of a result and its structured content differ first. Libraries wrap what is no object in `result`, and
 * give each item of a list a text of its own: such texts agree.
 * @param values of all texts; `undefined` for one that is no JSON
 * @returns `undefined` if one of them agrees, or if there are none
 */
export function describeDisagreement(values: readonly unknown[], structured: unknown): string | undefined {
  const texts = values.filter((value) => value !== undefined);
  const [first] = texts;
  if (first === undefined) return undefined;
  const accepted = [structured, ...wrappedIn(structured)];
  if (texts.some((text) => accepted.some((value) => isSameJson(text, value)))) return undefined;
  const difference = firstDifference(first, structured);
  return difference && sentenceOf(difference);
}

function wrappedIn(structured: unknown): readonly unknown[] {
  if (!isRecord(structured) || !Object.hasOwn(structured, 'result')) return [];
  if (Object.keys(structured).length !== 1) return [];
  const { result } = structured;
  const items: readonly unknown[] = Array.isArray(result) ? result : [];
  return [result, ...items.slice(0, 100)];
}

function sentenceOf({ path, left, right }: JsonDifference): string {
  const place = path.length === 0 ? 'The whole value' : truncateWithEllipsis(jsonPath(path), disagreementBounds.path);
  return `The text and the structured content disagree. ${place} is ${wordsOf(left)} in the text, and ${wordsOf(right)} in the structured content.`;
}

function wordsOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `a list of ${formatCount(value.length)}`;
  if (isRecord(value)) return 'an object';
  return toJsonText(typeof value === 'string' ? truncateWithEllipsis(value, disagreementBounds.value) : value);
}
