import { limits } from '../../base/limits.ts';
import { truncate, truncateWithCount } from '../../base/truncate.ts';
import { printPreview } from '../../base/jsonPreview.ts';
import type { BudgetUse, OfferedModels, SamplingReview } from '../../client/sampling/ports.ts';
import { countCharacters } from '../../client/sampling/requestFacts.ts';
import { maskText, type SecretMark } from '../../client/sampling/secretMarks.ts';
import { hasMoreMembers } from '../../client/sampling/secrets/requestMembers.ts';
import type {
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from '../../protocol/mcp/sampling.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { ConsentEdits, ConsentMark, ConsentModels, ConsentView } from '../../shared/consentMessages.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import { describeToolHints } from './callText.ts';
import { describeCost, describeModel, whatModelRefuses } from './modelFacts.ts';

/**
 * Lays out a request for the consent panel. Nothing is cut: a request that cannot be shown completely cannot be approved.
 * @param layout of the request of this review
 */
export function toConsentView(
  review: SamplingReview,
  layout: RequestLayout = layOutRequest(review.request),
): Omit<ConsentView, 'lookAlike' | 'waiting'> {
  const { request } = review;
  const { unreviewable, shown, characters } = layout;
  return {
    server: review.server,
    cause: review.cause,
    isOwn: review.isOwn,
    askedBecause: review.askedBecause,
    budget: describeBudget(review),
    round: review.round,
    // Where the request is not shown, what is secret in it is not shown either.
    marks: unreviewable === undefined ? review.marks.map(toMarkView) : [],
    unreviewable,
    messages: shown.messages,
    systemPrompt: shown.systemPrompt,
    maxTokens: tokenLimitOf(request),
    temperature: request.temperature,
    stopSequences: shown.stopSequences,
    includeContext: request.includeContext === 'none' ? undefined : request.includeContext,
    tools: shown.tools,
    toolChoice: request.toolChoice?.mode,
    metadata: shown.metadata,
    preferences: describePreferences(request.modelPreferences),
    ...toModelsView(review, review),
    characters,
    estimatedTokens: review.estimatedTokens,
    noRuleBecause: review.noRuleBecause ?? whyMarksPreventRule(review.marks),
  };
}

/** @param offered the models; the request is that of the review */
export function toModelsView(
  { models, suggestedModel, suggestedBecause }: OfferedModels,
  { request, estimatedTokens }: Pick<SamplingReview, 'request' | 'estimatedTokens'>,
): ConsentModels {
  const most = { inputTokens: estimatedTokens, outputTokens: tokenLimitOf(request) };
  return {
    models: models.map((model) => ({
      id: model.id,
      name: model.name,
      detail: describeModel(model),
      cost: describeCost(model, most),
      problem: whatModelRefuses(model, request),
    })),
    suggestedModel,
    suggestedBecause,
  };
}

/** What cannot be masked would be left in the request that the rule is made of. */
function whyMarksPreventRule(marks: readonly SecretMark[]): string | undefined {
  const canMask = marks.every(({ isMaskable }) => isMaskable);
  return canMask ? undefined : 'No rule covers a request with what may be secret and cannot be masked.';
}

function describeBudget({
  budget,
  estimatedTokens,
  request,
}: Pick<SamplingReview, 'budget' | 'estimatedTokens' | 'request'>): ConsentView['budget'] {
  if (budget === undefined) return undefined;
  const { used, limit }: BudgetUse = budget;
  const isExceeded = used + estimatedTokens + tokenLimitOf(request) > limit;
  const text = `${count(used)} of ${count(limit)} tokens of today are used.`;
  return { text: isExceeded ? `${text} Approving goes beyond it.` : text, isExceeded };
}

/** Characters of a secret that are shown: enough to recognize it, and never more than a part of it. */
const excerptLength = { start: 4, end: 2 };

function toMarkView(mark: SecretMark): ConsentMark {
  const { what, value, places, isMaskable } = mark;
  const start = truncate(value, Math.min(excerptLength.start, Math.floor(value.length / 4)));
  const end = value
    .slice(value.length - Math.min(excerptLength.end, Math.floor(value.length / 8)))
    .replace(/^[\udc00-\udfff]/, '');
  return { what, places, value, excerpt: `${start}…${end}`, mask: maskText(value, [mark]), isMaskable };
}

/** The server's token limit as an integer of at least 1. The schema allows any number. */
function tokenLimitOf(request: SamplingRequest): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(request.maxTokens)));
}

/** What the panel shows of a request. Making it takes time: it is made once for each question. */
export interface RequestLayout {
  /** See {@link unreviewableReason}. */
  readonly unreviewable: string | undefined;
  /** Empty if the request cannot be reviewed. */
  readonly shown: Layout;
  readonly characters: number;
}

/** Lays out a request, unless it is too large. */
export function layOutRequest(request: SamplingRequest): RequestLayout {
  const characters = countCharacters(request);
  const tooLarge = whyTooLarge(request);
  const shown = tooLarge === undefined ? layOut(request) : undefined;
  if (shown?.isCut === false) return { unreviewable: undefined, shown, characters };
  const unreviewable = tooLarge ?? 'It is too long, or nested too deep, to be reviewed.';
  return { unreviewable, shown: layOut({ messages: [], maxTokens: request.maxTokens }), characters };
}

/** Why a person cannot review `request`, as a sentence; `undefined` if they can, which only very large requests prevent. */
export function unreviewableReason(request: SamplingRequest): string | undefined {
  return layOutRequest(request).unreviewable;
}

/** What can be told without laying it out. */
function whyTooLarge(request: SamplingRequest): string | undefined {
  const { characters, blocks, tools, members } = limits.shown.review;
  const parts = request.messages.reduce((total, { content }) => total + content.length, 0);
  if (parts > blocks) return `It has ${count(parts)} parts, too many to review.`;
  const offered = request.tools?.length ?? 0;
  if (offered > tools) return `It offers ${count(offered)} tools, too many to review.`;
  const texts = request.messages.flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text.length : 0)),
  );
  const length = (request.systemPrompt?.length ?? 0) + texts.reduce((total, each) => total + each, 0);
  if (length > characters) return `It has ${count(length)} characters, too many to review.`;
  return hasMoreMembers(request, members) ? `It has more than ${count(members)} parts, too many to review.` : undefined;
}

type Layout = Pick<ConsentView, 'messages' | 'systemPrompt' | 'stopSequences' | 'tools' | 'metadata'> & {
  readonly isCut: boolean;
};

/** The parts of a request whose size the server decides. */
function layOut({ messages, systemPrompt = '', stopSequences = [], tools = [], metadata }: SamplingRequest): Layout {
  const budget = new ContentBudget(limits.shown.review);
  const layout = {
    systemPrompt: budget.text(systemPrompt),
    messages: messages.map(({ role, content }) => ({
      role,
      content: budget.blocks(content).map((block) => toContentView(block, budget)),
    })),
    stopSequences: budget.blocks(stopSequences).map((sequence) => budget.text(sequence)),
    tools: tools.map((tool) => toToolView(tool, budget)),
    metadata: metadata && printPreview(budget.json(metadata)),
  };
  return { ...layout, isCut: budget.isCut };
}

function toToolView(tool: Tool, budget: ContentBudget): ConsentView['tools'][number] {
  const { title, description = '', annotations, inputSchema, outputSchema } = tool;
  const titles = [title, annotations?.title].filter((each) => each !== undefined).filter((each) => each !== '');
  return {
    // The name, not the title: it is what the model sees and calls.
    name: budget.text(tool.name),
    titles: [...new Set(titles)].map((each) => budget.text(each)),
    claims: annotations && `The tool ${describeToolHints(tool)}.`,
    description: budget.text(description),
    schema: printPreview(budget.json(inputSchema)),
    outputSchema: outputSchema && printPreview(budget.json(outputSchema)),
  };
}

function describePreferences(preferences: ModelPreferences | undefined): string[] {
  if (preferences === undefined) return [];
  const hints = (preferences.hints ?? [])
    .slice(0, 20)
    .flatMap(({ name }) => (name === undefined || name === '' ? [] : [truncateWithCount(name, 200)]));
  const priorities = [
    ['low cost', preferences.costPriority],
    ['speed', preferences.speedPriority],
    ['intelligence', preferences.intelligencePriority],
  ] as const;
  return [
    ...(hints.length > 0 ? [`a model named like ${hints.map((hint) => `"${hint}"`).join(', then ')}`] : []),
    ...priorities.flatMap(([label, value]) => (value === undefined ? [] : [`${label} ${Math.round(value * 100)} %`])),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/**
 * Applies the edits of the person. Empty texts are removed, and messages without content too.
 * @returns `undefined` if the edits do not fit the request: a higher token limit, another number of messages or blocks,
 * text in place of media, or nothing left to send
 */
export function applyConsentEdits(request: SamplingRequest, edits: ConsentEdits): SamplingRequest | undefined {
  if (edits.messages.length !== request.messages.length || edits.maxTokens > tokenLimitOf(request)) return undefined;
  const messages: SamplingMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    const content = editBlocks(message.content, edits.messages[index] ?? []);
    if (content === undefined) return undefined;
    if (content.length > 0) messages.push({ role: message.role, content });
  }
  if (messages.length === 0) return undefined;
  const { systemPrompt: _replaced, ...rest } = request;
  return {
    ...rest,
    messages,
    maxTokens: edits.maxTokens,
    ...(edits.systemPrompt !== '' && { systemPrompt: edits.systemPrompt }),
  };
}

/** The text of an answer, which the person can edit. Content that is not text is left out. */
export function editableText(content: readonly SamplingContent[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

/**
 * Replaces the text of an answer. An unchanged text leaves the content as it is; another one becomes one block in place of
 * the first text.
 */
export function replaceText(content: readonly SamplingContent[], text: string): readonly SamplingContent[] {
  if (text === editableText(content)) return content;
  const first = content.findIndex((block) => block.type === 'text');
  const before = first === -1 ? [] : content.slice(0, first);
  const after = content.slice(before.length).filter((block) => block.type !== 'text');
  const isRemoved = text === '' && before.length + after.length > 0;
  return [...before, ...(isRemoved ? [] : [{ type: 'text', text } as const]), ...after];
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
