import { linkAbort, raceAbort } from '../../base/abort.ts';
import {
  type ModelAnswer,
  ModelError,
  type ModelFailure,
  type ModelGateway,
  type ModelInfo,
} from '../../models/modelGateway.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { estimateBlock, factsOf } from './requestFacts.ts';
import type { SpentTokens } from './samplingRecord.ts';
import { isSameModel, reservedTokens } from './samplingRules.ts';
import type { TokenBudget } from './tokenBudget.ts';

/** How a request is sent. */
export interface ModelRun {
  readonly model: ModelInfo;
  readonly limit: number | undefined;
  readonly onText: (text: string) => void;
  /** The run ends with the first that aborts. */
  readonly signals: readonly AbortSignal[];
  /** Called when the tokens are known, also of a run that failed. */
  readonly onSpent: (spent: SpentTokens) => void;
}

/** An answer, and the tokens that it took. */
export interface CountedAnswer {
  readonly answer: ModelAnswer;
  readonly spent: SpentTokens;
}

/** Failures before a provider has worked on a request: it takes no tokens for them. */
const withoutWork: readonly ModelFailure[] = ['unauthorized', 'notFound', 'unreachable', 'rateLimited', 'unsupported'];

/** How far a count may be from the estimate, as each family of models counts differently. */
const believed = { least: 0.5, most: 20, base: 2_000 };

/**
 * What counts of a gateway's report. A gateway is another extension, or repeats what an endpoint says: a count that the text
 * could not have is not believed.
 * @param reported `undefined` if it does not count
 * @param estimate of what was sent or received
 * @param most that was reserved: it counts in the place of a report that is too high
 */
function countOf(reported: number | undefined, estimate: number, most: number): CountedTokens {
  if (reported === undefined || !Number.isSafeInteger(reported) || reported < estimate * believed.least)
    return { tokens: estimate, isEstimated: true };
  const highest = Math.max(estimate, most);
  if (reported > highest * believed.most + believed.base) return { tokens: highest, isEstimated: true };
  return { tokens: reported, isEstimated: false };
}

interface CountedTokens {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

/** The settings may have changed since the person saw where the model is. */
async function requireSame(models: ModelGateway, model: ModelInfo): Promise<void> {
  const now = (await models.list()).find(({ id }) => id === model.id);
  if (now === undefined || !isSameModel(now, model))
    throw new ModelError(
      'notFound',
      `“${model.name}” is gone, or is another model now. Choose another one, or decline.`,
    );
}

/** The tokens of an answer, or of the text that came before it where that is longer. */
function receivedTokens({ result }: ModelAnswer, text: string, estimate: (text: string) => number): number {
  const inResult = result.content.reduce((sum, block) => sum + estimateBlock(block, estimate), 0);
  return Math.max(inResult, estimate(text));
}

/** What a run uses. `estimateTokens` is for providers that do not count, or not as the text shows. */
interface RunPorts {
  readonly models: ModelGateway;
  readonly budget: TokenBudget;
  readonly estimateTokens: (text: string) => number;
}

/**
 * Sends a request to a model, and counts the tokens of the day.
 * @param run its `limit` is that of the day's tokens; without one they are counted, but not limited
 * @returns `undefined` if the day's tokens are used up: nothing was sent then
 * @throws what the gateway throws, or the reason of a signal
 */
export async function runModel(
  { models, budget, estimateTokens }: RunPorts,
  request: SamplingRequest,
  { model, limit, onText, signals, onSpent }: ModelRun,
): Promise<CountedAnswer | undefined> {
  const facts = await factsOf(request, estimateTokens);
  const share = await budget.take(reservedTokens(facts), limit);
  if (share === undefined) return undefined;
  const [first = new AbortController().signal, ...others] = signals;
  const abort = linkAbort(first, ...others);
  let text = '';
  const collect = (piece: string): void => {
    text += piece;
    onText(piece);
  };
  const settle = (spent: SpentTokens): SpentTokens => {
    share.settle(spent.inputTokens + spent.outputTokens);
    onSpent(spent);
    return spent;
  };
  let isSent = false;
  try {
    abort.signal.throwIfAborted();
    await requireSame(models, model);
    abort.signal.throwIfAborted();
    isSent = true;
    const answer = await raceAbort(models.generate(model.id, request, collect, abort.signal), abort.signal);
    const received = receivedTokens(answer, text, estimateTokens);
    const input = countOf(answer.usage.inputTokens, facts.estimatedTokens, facts.estimatedTokens);
    const output = countOf(answer.usage.outputTokens, received, request.maxTokens);
    const areEstimated = input.isEstimated || output.isEstimated;
    const spent = settle({ inputTokens: input.tokens, outputTokens: output.tokens, areEstimated });
    // What is not believed is not shown either.
    const usage = {
      inputTokens: input.isEstimated ? undefined : input.tokens,
      outputTokens: output.isEstimated ? undefined : output.tokens,
    };
    return { answer: { ...answer, usage }, spent };
  } catch (error) {
    const isFree = !isSent || (text === '' && error instanceof ModelError && withoutWork.includes(error.kind));
    const inputTokens = isFree ? 0 : facts.estimatedTokens;
    settle({ inputTokens, outputTokens: estimateTokens(text), areEstimated: true });
    throw error;
  } finally {
    abort.dispose();
  }
}
