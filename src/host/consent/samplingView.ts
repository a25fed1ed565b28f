import { isThisComputer } from '../../base/hostKind.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncate, truncateWithCount } from '../../base/truncate.ts';
import { printPreview } from '../../base/jsonPreview.ts';
import type { OfferedModels, SamplingReview } from '../../client/sampling/ports.ts';
import { noRuleReason } from '../../client/sampling/samplingRules.ts';
import { maskText, type SecretMark } from '../../client/sampling/secretMarks.ts';
import { costOf, textOf } from '../../client/sampling/samplingRecord.ts';
import { hasMoreMembers } from '../../client/sampling/secrets/requestTexts.ts';
import type { ModelAnswer, ModelInfo, ModelPrice, TokenUsage } from '../../models/modelGateway.ts';
import type { ModelPreferences, SamplingContent, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { formatCost } from '../../shared/auditView.ts';
import type { ConsentMark, ConsentModels, ConsentView, ReviewAnswer } from '../../shared/consentMessages.ts';
import { ContentBudget, toContentView } from '../results/contentView.ts';
import { describeToolHints } from './callText.ts';

/**
 * Lays out a request for the consent panel. Nothing is cut: a request that cannot be shown completely cannot be approved.
 */
export function toConsentView(review: SamplingReview): Omit<ConsentView, 'lookAlike' | 'waiting'> {
  const { server, cause, isOwn, askedBecause, round, marks, request, facts } = review;
  const { isCut: _, unreviewable, ...shown } = layOutRequest(request);
  return {
    server,
    cause,
    isOwn,
    askedBecause,
    round,
    budget: describeBudget(review),
    // Where the request is not shown, what is secret in it is not shown either.
    marks: unreviewable === undefined ? marks.map(toMarkView) : [],
    unreviewable,
    ...shown,
    maxTokens: request.maxTokens,
    temperature: request.temperature,
    includeContext: request.includeContext === 'none' ? undefined : request.includeContext,
    toolChoice: request.toolChoice?.mode,
    preferences: describePreferences(request.modelPreferences),
    ...toModelsView(review, review),
    characters: facts.characters,
    estimatedTokens: facts.estimatedTokens,
    noRuleBecause: noRuleReason(review) ?? whyMarksPreventRule(marks),
  };
}

/** @param offered the models; the request is that of the review */
export function toModelsView(
  { models, suggestedModel, suggestedBecause }: OfferedModels,
  { request, facts }: SamplingReview,
): ConsentModels {
  return {
    models: models.map((model) => ({
      id: model.id,
      name: model.name,
      detail: describeModel(model),
      cost: describeCost(model, facts.estimatedTokens, request.maxTokens),
      problem: whatModelRefuses(model, request),
    })),
    suggestedModel,
    suggestedBecause,
  };
}

/** What cannot be masked would be left in the request that the rule is made of. */
function whyMarksPreventRule(marks: readonly SecretMark[]): string | undefined {
  const canMask = marks.every(({ isMaskable }) => isMaskable);
  return canMask ? undefined : 'No rule covers a request with possible secrets that cannot be masked.';
}

function describeBudget({ budget, facts, request }: SamplingReview): ConsentView['budget'] {
  if (budget === undefined) return undefined;
  const { used, limit } = budget;
  const isExceeded = used + facts.estimatedTokens + request.maxTokens > limit;
  const text = `${formatCount(used)} of ${formatCount(limit)} tokens for today are used.`;
  return { text: isExceeded ? `${text} Approving exceeds this limit.` : text, isExceeded };
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

/**
 * Lays out a request, unless it is too large.
 * @returns `unreviewable` is why a person cannot review it, as a sentence, which only very large requests prevent; the layout is
 * empty then
 */
export function layOutRequest(request: SamplingRequest): Layout & { readonly unreviewable: string | undefined } {
  const tooLarge = whyTooLarge(request);
  const shown = tooLarge === undefined ? layOut(request) : undefined;
  if (shown?.isCut === false) return { ...shown, unreviewable: undefined };
  const unreviewable = tooLarge ?? 'It is too long, or nested too deep, to be reviewed.';
  return { ...layOut({ messages: [], maxTokens: request.maxTokens }), unreviewable };
}

/** What can be told without laying it out. */
function whyTooLarge(request: SamplingRequest): string | undefined {
  const { characters, blocks, tools, members } = limits.shown.review;
  const parts = request.messages.reduce((total, { content }) => total + content.length, 0);
  if (parts > blocks) return `It has ${formatCount(parts)} parts, too many to review.`;
  const offered = request.tools?.length ?? 0;
  if (offered > tools) return `It offers ${formatCount(offered)} tools, too many to review.`;
  const texts = request.messages.flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text.length : 0)),
  );
  const length = (request.systemPrompt?.length ?? 0) + texts.reduce((total, each) => total + each, 0);
  if (length > characters) return `It has ${formatCount(length)} characters, too many to review.`;
  return hasMoreMembers(request, members)
    ? `It has more than ${formatCount(members)} parts, too many to review.`
    : undefined;
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
    claims: annotations && describeToolHints(tool),
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

/**
 * Lays out an answer for its review.
 * @param id of the question
 * @param model that has answered
 * @param inputTokens of the request, estimated
 */
export function toAnswerView(
  id: number,
  { result, usage }: ModelAnswer,
  model: ModelInfo | undefined,
  inputTokens: number,
  estimateTokens: (text: string) => number,
): ReviewAnswer {
  const budget = new ContentBudget(limits.shown.review);
  const extra = result.content.filter((block) => block.type !== 'text');
  const content = budget.blocks(extra).map((block) => toContentView(block, budget));
  const estimated = { inputTokens, outputTokens: usage.outputTokens ?? estimateTokens(textOf([result])) };
  return {
    type: 'reviewAnswer',
    id,
    text: editableText(result.content),
    model: result.model,
    stopReason: result.stopReason,
    extra: extra.length === 0 ? undefined : { role: result.role, content },
    usage: describeUsage(model, usage, estimated),
    isCut: budget.isCut,
  };
}

/** Where a request to the model goes, and its price: "api.example.com, $3.00 in, $15.00 out per million tokens". */
function describeModel({ vendor, destination = vendor, maxInputTokens, price }: ModelInfo): string {
  const hasPrice = price !== undefined && !isFree(price);
  const parts = [
    destination,
    hasPrice ? `${formatCost(price.input)} in, ${formatCost(price.output)} out per million tokens` : '',
    maxInputTokens > 0 ? `${formatCount(maxInputTokens)} input tokens` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What a request takes at most, and what that costs: "about 1,234 tokens, up to 500 more for the answer; at most $0.0021". */
function describeCost(model: ModelInfo, inputTokens: number, outputTokens: number): string {
  const { price, destination } = model;
  const tokens = `about ${formatCount(inputTokens)} tokens, up to ${formatCount(outputTokens)} more for the answer`;
  const cost = costOf(model, { inputTokens, outputTokens });
  if (price === undefined || cost === undefined) return `${tokens}; price unknown`;
  if (!isFree(price)) return `${tokens}; at most ${formatCost(cost)}`;
  return `${tokens}; ${isOnThisComputer(destination) ? 'free on this computer' : 'free'}`;
}

/**
 * What an answer took: "1,203 tokens in, 55 out, $0.0004".
 * @param counted as the provider counted it; what it did not count comes from `estimated`
 */
function describeUsage(
  model: Pick<ModelInfo, 'price'> | undefined,
  counted: TokenUsage,
  estimated: { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const inputTokens = counted.inputTokens ?? estimated.inputTokens;
  const outputTokens = counted.outputTokens ?? estimated.outputTokens;
  const isEstimated = counted.inputTokens === undefined || counted.outputTokens === undefined;
  const cost = costOf(model, { inputTokens, outputTokens });
  const price = cost === undefined ? '' : `, ${cost === 0 ? 'free' : formatCost(cost)}`;
  const tokens = `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out${price}`;
  return isEstimated ? `about ${tokens}` : tokens;
}

/** What the model is known not to take of the request, as a sentence; `undefined` if nothing is. */
function whatModelRefuses({ abilities = {} }: ModelInfo, request: SamplingRequest): string | undefined {
  const types = new Set(request.messages.flatMap(({ content }) => content.map(({ type }) => type)));
  const usesTools = (request.tools?.length ?? 0) > 0 || types.has('tool_use') || types.has('tool_result');
  const refused = [
    ...(abilities.image === false && types.has('image') ? ['images'] : []),
    ...(abilities.audio === false && types.has('audio') ? ['sound'] : []),
    ...(abilities.tools === false && usesTools ? ['tools'] : []),
  ];
  return refused.length === 0 ? undefined : `This model does not take ${refused.join(' or ')}, which this request has.`;
}

function isFree({ input, output }: ModelPrice): boolean {
  return input === 0 && output === 0;
}

function isOnThisComputer(destination: string | undefined): boolean {
  const address = `http://${destination ?? ''}`;
  return URL.canParse(address) && isThisComputer(new URL(address).hostname);
}
