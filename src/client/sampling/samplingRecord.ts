import { canonicalJson, sha256 } from '../../base/digest.ts';
import { limits } from '../../base/limits.ts';
import type { ModelInfo, TokenUsage } from '../../models/modelGateway.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { AuditEntry } from '../auditLog.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import type { ModelRequest } from './modelRequest.ts';
import { maskStart, type SecretMark } from './secretMarks.ts';

/** How a request ended, for its one entry in the audit log. */
export interface SamplingOutcome {
  /** "approved", "declined", "cancelled" and so on. */
  readonly how: string;
  readonly by: 'person' | 'rule' | 'limit' | 'server' | undefined;
  readonly rule?: string | undefined;
  /** What was sent to the model; absent if nothing was. */
  readonly sent?: SamplingRequest | undefined;
  /** What the server got; absent if it got nothing. */
  readonly result?: SamplingResult | undefined;
  readonly model?: ModelInfo | undefined;
  readonly spent?: SpentTokens | undefined;
  readonly masked?: number | undefined;
  readonly reason?: string | undefined;
}

/** What answers took, of all tries. */
export interface SpentTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The provider did not count them. */
  readonly areEstimated: boolean;
}

/**
 * @param marks what is masked in the texts
 * @param recordsBodies whether texts are recorded, with what may be secret masked; digests always are
 */
export async function samplingEntry(
  request: SamplingRequest,
  { server, cause }: Pick<RequestContext, 'server' | 'cause'>,
  asked: ModelRequest | undefined,
  outcome: SamplingOutcome,
  marks: readonly SecretMark[],
  recordsBodies: boolean,
): Promise<AuditEntry> {
  const round = asked?.round?.number;
  const marked = asked?.marks.length ?? 0;
  const { by, rule, sent, result, model, spent, masked, reason } = outcome;
  const cost = spent && costOf(model, spent);
  const detail = {
    by,
    rule,
    cause,
    // As the provider says; what the person sees is the name.
    model: result?.model ?? model?.name,
    modelName: model?.name,
    destination: model?.destination,
    messages: request.messages.length,
    maxTokens: request.maxTokens,
    round,
    inputTokens: spent?.inputTokens,
    outputTokens: spent?.outputTokens,
    tokensAreEstimated: spent?.areEstimated === true ? true : undefined,
    cost,
    marked: marked > 0 ? marked : undefined,
    masked: masked !== undefined && masked > 0 ? masked : undefined,
    requestDigest: await digestOf(request),
    sentDigest: sent === undefined || sent === request ? undefined : await digestOf(sent),
    answerDigest: result && (await sha256(canonicalJson(result.content))),
    request: recordsBodies ? maskStart(textOf((sent ?? request).messages), marks, limits.audit.body) : undefined,
    answer: recordsBodies && result !== undefined ? maskStart(textOf([result]), marks, limits.audit.body) : undefined,
    reason: reason === undefined ? undefined : maskStart(reason, marks, limits.audit.text),
  };
  return { server, action: 'sampling', outcome: outcome.how, detail: withoutUndefined(detail) };
}

/** Characters of a request as JSON whose digest is made: one that is refused for its size must not cost more. */
const maximumDigested = 25_000_000;

async function digestOf(request: SamplingRequest): Promise<string | undefined> {
  const text = canonicalJson(request, maximumDigested);
  return text === undefined ? undefined : sha256(text);
}

/** @returns US dollars; `undefined` where the price is not known */
export function costOf(
  model: Pick<ModelInfo, 'price'> | undefined,
  { inputTokens = 0, outputTokens = 0 }: TokenUsage,
): number | undefined {
  const price = model?.price;
  return price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** The text of messages, with words in the place of what is not text. */
export function textOf(messages: readonly Pick<SamplingResult, 'content'>[]): string {
  return messages
    .flatMap(({ content }) => content)
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

function withoutUndefined(
  detail: Readonly<Record<string, AuditEntry['detail'][string] | undefined>>,
): AuditEntry['detail'] {
  return Object.fromEntries(
    Object.entries(detail).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
