import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { printPreview } from '../../base/jsonPreview.ts';
import type { ModelInfo, SamplingReview } from '../../client/sampling/ports.ts';
import { countCharacters } from '../../client/sampling/samplingPolicy.ts';
import type {
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from '../../protocol/mcp/sampling.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { ConsentEdits, ConsentView } from '../../shared/consentMessages.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import { describeToolHints } from './callText.ts';

/**
 * Lays out a request for the consent panel. Nothing is cut: a request that cannot be shown completely cannot be approved.
 */
export function toConsentView(review: SamplingReview): Omit<ConsentView, 'lookAlike' | 'waiting'> {
  const { request } = review;
  const unreviewable = unreviewableReason(request);
  const { metadata: _unseen, ...bare } = { ...request, messages: [], tools: [], systemPrompt: '', stopSequences: [] };
  const shown = layOut(unreviewable === undefined ? request : bare);
  return {
    server: review.server,
    cause: review.cause,
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
    models: review.models.map((model) => ({ id: model.id, name: model.name, detail: describeModel(model) })),
    suggestedModel: review.suggestedModel,
    suggestedBecause: review.suggestedBecause,
    textCharacters: countCharacters(textOnly(request)),
  };
}

/** The part of a request that a grant may cover: no media and no tools. */
function textOnly({ tools: _tools, messages, ...rest }: SamplingRequest): SamplingRequest {
  const texts = messages.map(({ role, content }) => ({ role, content: content.filter(({ type }) => type === 'text') }));
  return { ...rest, messages: texts };
}

/** The server's token limit as an integer of at least 1. The schema allows any number. */
function tokenLimitOf(request: SamplingRequest): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(request.maxTokens)));
}

/** Why a person cannot review `request`, as a sentence; `undefined` if they can, which only very large requests prevent. */
export function unreviewableReason(request: SamplingRequest): string | undefined {
  const { characters, blocks, tools } = limits.shown.review;
  const parts = request.messages.reduce((total, { content }) => total + content.length, 0);
  if (parts > blocks) return `It has ${count(parts)} parts, too many to review.`;
  const offered = request.tools?.length ?? 0;
  if (offered > tools) return `It offers ${count(offered)} tools, too many to review.`;
  const texts = request.messages.flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text.length : 0)),
  );
  const length = (request.systemPrompt?.length ?? 0) + texts.reduce((total, each) => total + each, 0);
  if (length > characters) return `It has ${count(length)} characters, too many to review.`;
  return layOut(request).isCut ? 'It is too long, or nested too deep, to be reviewed.' : undefined;
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

function describeModel(model: ModelInfo): string {
  const parts = [model.vendor];
  if (model.maxInputTokens > 0) parts.push(`${count(model.maxInputTokens)} input tokens`);
  return parts.filter((part) => part !== '').join(', ');
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
