import type { ModelInfo, SamplingReview } from '../../client/sampling/ports.ts';
import { countCharacters } from '../../client/sampling/samplingPolicy.ts';
import type { ModelPreferences, SamplingContent, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { ConsentView } from '../../shared/consentMessages.ts';
import { toContentView, toJson } from './contentView.ts';

/** More than a person can review, and more than a page of text fields can hold. */
const reviewableLimits = { characters: 2_000_000, blocks: 1_000, tools: 500 };

/** Lays a request out for the consent panel. Nothing is cut: what cannot be shown whole cannot be approved. */
export function toConsentView(review: SamplingReview): ConsentView {
  const { request } = review;
  const unreviewable = unreviewableReason(request);
  const shown = unreviewable === undefined ? request : { ...request, messages: [], tools: [], systemPrompt: '' };
  return {
    server: review.server,
    cause: review.cause,
    unreviewable,
    messages: shown.messages.map(({ role, content }) => ({ role, content: content.map(toContentView) })),
    systemPrompt: shown.systemPrompt ?? '',
    maxTokens: tokenLimitOf(request),
    temperature: request.temperature,
    stopSequences: request.stopSequences ?? [],
    includeContext: request.includeContext === 'none' ? undefined : request.includeContext,
    tools: (shown.tools ?? []).map((tool) => ({
      // Not its title: the name is what the model gets and calls.
      name: tool.name,
      description: tool.description ?? '',
      schema: toJson(tool.inputSchema),
    })),
    toolChoice: request.toolChoice?.mode,
    preferences: describePreferences(request.modelPreferences),
    models: review.models.map((model) => ({ id: model.id, name: model.name, detail: describeModel(model) })),
    suggestedModel: review.suggestedModel,
    suggestedBecause: review.suggestedBecause,
    waiting: review.waiting,
    textCharacters: countCharacters(textOnly(request)),
  };
}

/** What a standing yes may cover: neither media nor tools. */
function textOnly({ tools: _tools, messages, ...rest }: SamplingRequest): SamplingRequest {
  const texts = messages.map(({ role, content }) => ({ role, content: content.filter(({ type }) => type === 'text') }));
  return { ...rest, messages: texts };
}

/** The server's limit as a whole number of at least 1: the schema allows any number. */
export function tokenLimitOf(request: SamplingRequest): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(request.maxTokens)));
}

/** Why nobody can be asked to approve `request`, as a sentence; `undefined` for all but floods. */
export function unreviewableReason(request: SamplingRequest): string | undefined {
  const blocks = request.messages.flatMap((message) => message.content);
  if (blocks.length > reviewableLimits.blocks) return `It has ${count(blocks.length)} parts, too many to review.`;
  const tools = request.tools ?? [];
  if (tools.length > reviewableLimits.tools) return `It offers ${count(tools.length)} tools, too many to review.`;
  const characters =
    (request.systemPrompt?.length ?? 0) + sum(blocks.map(textLength)) + sum(tools.map((tool) => toJson(tool).length));
  return characters > reviewableLimits.characters
    ? `It has ${count(characters)} characters, too many to review.`
    : undefined;
}

/** Media are bounded by themselves, in {@link toContentView}. */
function textLength(block: SamplingContent): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'image':
    case 'audio':
      return 0;
    case 'tool_use':
      return toJson(block.input).length;
    case 'tool_result':
      return toJson(block.content.filter((part) => part.type !== 'image' && part.type !== 'audio')).length;
  }
}

function describeModel(model: ModelInfo): string {
  const parts = [model.vendor];
  if (model.maxInputTokens > 0) parts.push(`${count(model.maxInputTokens)} input tokens`);
  return parts.filter((part) => part !== '').join(', ');
}

function describePreferences(preferences: ModelPreferences | undefined): string[] {
  if (preferences === undefined) return [];
  const hints = (preferences.hints ?? []).flatMap(({ name }) => (name === undefined || name === '' ? [] : [name]));
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
