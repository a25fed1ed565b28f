import { raceAbort } from '../../base/abort.ts';
import {
  type ModelAnswer,
  ModelError,
  type ModelFailure,
  type ModelGateway,
  type ModelInfo,
} from '../../models/modelGateway.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { estimateBlock, factsOf } from './modelRequest.ts';
import type { SamplingPorts } from './ports.ts';
import type { SpentTokens } from './samplingRecord.ts';
import { isSameModel, reservedTokens } from './samplingRules.ts';

export interface Sending {
  readonly sent: SamplingRequest;
  readonly model: ModelInfo;
  /** Of the day's tokens; without one they are counted, but not limited. */
  readonly limit?: number | undefined;
}

/** Failures before a provider has worked on a request: it takes no tokens for them. */
const withoutWork: readonly ModelFailure[] = ['unauthorized', 'notFound', 'unreachable', 'rateLimited', 'unsupported'];

/** How far a count may be from the estimate, as each family of models counts differently. */
const believed = { least: 0.5, most: 20, base: 2_000 };

interface CountedTokens {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

/**
 * What counts of a gateway's report. A gateway is another extension, or repeats what an endpoint says: a count that the text
 * could not have is not believed.
 * @param reported `undefined` if it does not count
 * @param estimate of what was sent or received
 * @param most that was reserved: it counts in the place of a report that is too high
 */
function countOf(reported: number | undefined, estimate: number, most: number): CountedTokens {
  if (reported === undefined || !Number.isSafeInteger(reported) || reported < estimate * believed.least)
    return estimated(estimate);
  const highest = Math.max(estimate, most);
  if (reported > highest * believed.most + believed.base) return estimated(highest);
  return { tokens: reported, isEstimated: false };
}

function estimated(tokens: number): CountedTokens {
  return { tokens, isEstimated: true };
}

/** The settings may have changed since the person saw where the model is. */
async function requireSame(models: ModelGateway, model: ModelInfo): Promise<void> {
  const now = (await models.list()).find(({ id }) => id === model.id);
  if (now === undefined || !isSameModel(now, model))
    throw new ModelError(
      'notFound',
      `“${model.name}” is no longer available or has changed. Choose another model or decline.`,
    );
}

/**
 * Sends a request to a model, and counts the tokens of the day.
 * @param account gets the tokens that it took
 * @returns `undefined` if the day's tokens are used up: nothing was sent then
 * @throws what the gateway throws, or the reason of the signal
 */
export async function runModel(
  { models, budget, estimateTokens }: SamplingPorts,
  account: { spent: SpentTokens | undefined },
  { sent, model, limit }: Sending,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<ModelAnswer | undefined> {
  const facts = await factsOf(sent, estimateTokens);
  const share = await budget.take(reservedTokens(facts), limit);
  if (share === undefined) return undefined;
  let text = '';
  const collect = (piece: string): void => {
    text += piece;
    onText(piece);
  };
  const settle = (input: CountedTokens, output: CountedTokens): void => {
    share.settle(input.tokens + output.tokens);
    const { inputTokens = 0, outputTokens = 0, areEstimated = false } = account.spent ?? {};
    account.spent = {
      inputTokens: inputTokens + input.tokens,
      outputTokens: outputTokens + output.tokens,
      areEstimated: areEstimated || input.isEstimated || output.isEstimated,
    };
  };
  let isSent = false;
  try {
    signal.throwIfAborted();
    await requireSame(models, model);
    signal.throwIfAborted();
    isSent = true;
    const answer = await raceAbort(models.generate(model.id, sent, collect, signal), signal);
    const inResult = answer.result.content.reduce((sum, block) => sum + estimateBlock(block, estimateTokens), 0);
    // The text that came before the answer may be longer.
    const received = Math.max(inResult, estimateTokens(text));
    const input = countOf(answer.usage.inputTokens, facts.estimatedTokens, facts.estimatedTokens);
    const output = countOf(answer.usage.outputTokens, received, sent.maxTokens);
    settle(input, output);
    // What is not believed is not shown either.
    const usage = {
      inputTokens: input.isEstimated ? undefined : input.tokens,
      outputTokens: output.isEstimated ? undefined : output.tokens,
    };
    return { ...answer, usage };
  } catch (error) {
    const isFree = !isSent || (text === '' && error instanceof ModelError && withoutWork.includes(error.kind));
    settle(estimated(isFree ? 0 : facts.estimatedTokens), estimated(estimateTokens(text)));
    throw error;
  }
}
