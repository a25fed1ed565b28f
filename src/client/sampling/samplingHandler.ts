import { CancelledError, isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import type { ModelInfo } from '../../models/modelGateway.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import { MutedError } from '../mutes.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import { factsOf, limitRefusal } from './requestFacts.ts';
import type { RuleBook } from './ruleBook.ts';
import { isRejection, SamplingConversation } from './samplingConversation.ts';
import { samplingEntry, type SamplingOutcome, type SpentTokens } from './samplingRecord.ts';
import { countSame, SamplingRounds, toRoundRequest } from './samplingRounds.ts';
import { isSameModel, type RuledRequest, type SamplingRule } from './samplingRules.ts';
import { type Answered, findMarks, type OwnAnswer, type SamplingPorts, type Trial } from './samplingTrial.ts';
import type { SecretMark } from './secretMarks.ts';

export type { OwnAnswer } from './samplingTrial.ts';

/** The origin of a request of the person: `cause` is what they ask about. */
export interface OwnContext {
  readonly server: string;
  readonly cause: string;
  readonly signal: AbortSignal;
}

/** The answer to it, and what all tries took; without a `model` if the person wrote it. */
export interface OwnAnswered {
  readonly result: SamplingResult;
  readonly model?: ModelInfo | undefined;
  readonly spent?: SpentTokens | undefined;
}

/** Refused because of a limit, without a question. */
class LimitRefusal extends JsonRpcError {}

/** Answers sampling requests of servers, with the approval of a person, or of a rule that the person made. */
export class SamplingHandler {
  readonly rules: RuleBook;
  readonly #ports: SamplingPorts;
  readonly #rounds = new SamplingRounds();
  /** Open requests, by server. */
  readonly #open = new Map<string, number>();
  readonly #refusals: MinuteCounter;

  constructor(ports: SamplingPorts) {
    this.#ports = ports;
    this.rules = ports.rules;
    this.#refusals = new MinuteCounter(ports.clock);
  }

  /**
   * Validated request → limits → secrets → rules → consent → model → review → audit log.
   * @throws {JsonRpcError} `-1` if the person declines (2025-11-25, Client Features / Sampling, "Error Handling"), `-32603` if
   * no model could answer
   */
  async handle(request: SamplingRequest, context: RequestContext): Promise<SamplingResult> {
    return (await this.#answer(request, context, undefined)).result;
  }

  /**
   * Sends a request of the person: in the same way, but no rule covers it, and its answer is not reviewed.
   * @param context `server` is the server whose content is sent; with `signal`, the person stops the model
   * @returns what has arrived, if they stop the model
   * @throws {PatchbayError} `declined`, if it is beyond a limit; a cancellation, if the person declines
   */
  async ask(request: SamplingRequest, { server, cause, signal }: OwnContext, own: OwnAnswer): Promise<OwnAnswered> {
    try {
      return await this.#answer(request, { server, cause, signal }, own);
    } catch (error) {
      if (error instanceof LimitRefusal) throw new PatchbayError('declined', `${error.message}.`);
      throw isRejection(error) ? new CancelledError() : error;
    }
  }

  async #answer(request: SamplingRequest, context: RequestContext, own: OwnAnswer | undefined): Promise<Answered> {
    const { server, cause } = context;
    const recorded = own === undefined ? context : { ...context, cause: `${cause}, asked by you` };
    // A server that asks for a lot must not hold up what the person asks.
    const counter = own === undefined ? `server ${server}` : 'own';
    const open = this.#open.get(counter) ?? 0;
    this.#open.set(counter, open + 1);
    const began: { trial?: Trial } = {};
    try {
      // Before any work that grows with the request.
      const refusal = limitRefusal(request, open, this.#ports.limits());
      if (refusal !== undefined) throw limitReached(refusal);
      const trial = await this.#begin(request, context, own);
      began.trial = trial;
      const outcome = { ...(await this.#decide(trial)), spent: trial.spent };
      if (trial.compared !== undefined) this.#rounds.record(trial.compared, seenMessages(trial, outcome));
      await this.#record(request, recorded, trial, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof LimitRefusal && this.#refusals.increment(counter) > maximumRecordedRefusals)) {
        const { trial } = began;
        await this.#record(request, recorded, trial, { ...trial?.lastSent, ...describeFailure(error, trial) });
      }
      throw error;
    } finally {
      this.#open.set(counter, (this.#open.get(counter) ?? 1) - 1);
    }
  }

  /** The server has stopped: its rules end, but for those that are kept, and so do its conversations. */
  serverStopped(server: string): void {
    this.#rounds.forget(server);
    void this.rules.revoke((rule) => rule.server === server && !rule.isKept, 'the server has stopped');
  }

  async #begin(request: SamplingRequest, context: RequestContext, own: OwnAnswer | undefined): Promise<Trial> {
    const { secrets, estimateTokens, models } = this.#ports;
    const { server, signal } = context;
    const [marks, facts, compared, definition, available] = await Promise.all([
      findMarks(secrets, request, server),
      factsOf(request, estimateTokens),
      own === undefined ? toRoundRequest(server, request) : undefined,
      context.definition?.(),
      models.list(),
      this.rules.load(),
    ]);
    signal.throwIfAborted();
    const ruled: RuledRequest = { server, definition, facts, marks: marks.length };
    const round = compared && this.#rounds.find(compared);
    const later = { models: available, spent: undefined, lastSent: undefined };
    return { request, context, own, ruled, compared, marks, round, ...later };
  }

  async #decide(trial: Trial): Promise<Answered> {
    const { ruled, round } = trial;
    const { maximumRounds } = this.#ports.limits();
    if (round !== undefined && round.number > maximumRounds)
      throw limitReached(`the conversation has more than ${maximumRounds} rounds`);
    const found = ruled.definition === undefined ? undefined : this.rules.find(ruled);
    const answered = found && ('rule' in found ? await this.#useRule(trial, found.rule) : notByRule(found.because));
    if (typeof answered === 'object') return answered;
    return new SamplingConversation(trial, this.#ports, answered).ask();
  }

  /** @returns the answer, or why a person is asked after all, as a sentence: whatever fails is for a person */
  async #useRule(trial: Trial, rule: SamplingRule): Promise<Answered | string> {
    const model = trial.models.find(({ id }) => id === rule.model.id);
    if (model === undefined || !isSameModel(rule.model, model))
      return notByRule('its model is gone, or is another one now');
    // A rule that cannot be counted lets nothing through.
    const usage = await this.rules.use(rule, trial.ruled).catch(() => undefined);
    if (usage === undefined) return notByRule('it is used up, or was ended');
    try {
      const because = 'Your rule sent this request to the model. Its answer needs your approval.';
      const answered = await new SamplingConversation(trial, this.#ports, because).answerByRule(usage, model);
      if (answered !== undefined) return answered;
      usage.end(0);
      return notByRule('the tokens of today are used up');
    } catch (error) {
      if (trial.context.signal.aborted || isRejection(error)) throw error;
      if (usage.revoked.aborted) return 'Your rule was stopped before the model had answered.';
      return `The model of your rule did not answer: ${messageOf(error)}`;
    } finally {
      usage.end(trial.spent && trial.spent.inputTokens + trial.spent.outputTokens);
    }
  }

  async #record(
    request: SamplingRequest,
    context: RequestContext,
    trial: Trial | undefined,
    outcome: SamplingOutcome,
  ): Promise<void> {
    const { audit, recordsBodies } = this.#ports;
    // Texts in which nothing was searched for are not recorded.
    const withBodies = recordsBodies() && trial !== undefined;
    const marks = withBodies ? await this.#marksOf(trial, outcome) : (trial?.marks ?? []);
    const isSearched = marks.every(({ kind }) => kind !== 'unsearched');
    const spent = { spent: trial?.spent, ...outcome };
    audit.record(await samplingEntry(request, context, trial, spent, marks, withBodies && isSearched));
  }

  /** What may be secret in all texts of the record: the person may have typed it, and the model may have said it. */
  async #marksOf(
    { request, context, marks }: Trial,
    { sent, result }: SamplingOutcome,
  ): Promise<readonly SecretMark[]> {
    const { messages, ...rest } = sent ?? request;
    const texts = { ...rest, messages: [...messages, ...(result === undefined ? [] : [result])] };
    return [...marks, ...(await findMarks(this.#ports.secrets, texts, context.server))];
  }
}

function notByRule(why: string): string {
  return `Your rule did not answer: ${why}.`;
}

function limitReached(reason: string): LimitRefusal {
  return new LimitRefusal(ErrorCodes.userRejected, `Sampling request refused: ${reason}`);
}

/** How many messages at the beginning a person has approved as they came. */
function seenMessages({ request: { messages }, round }: Trial, { by, sent }: SamplingOutcome): number {
  if (by === 'rule') return round?.newFrom ?? 0;
  return sent === undefined ? messages.length : countSame(messages, sent.messages);
}

function describeFailure(error: unknown, trial: Trial | undefined): SamplingOutcome {
  const reason = messageOf(error);
  if (error instanceof LimitRefusal) return { how: 'refused', by: 'limit', reason };
  if (error instanceof MutedError) return { how: 'refused', by: 'person', reason };
  if (isCancellation(error)) return { how: 'cancelled', by: trial?.own === undefined ? 'server' : 'person', reason };
  return isRejection(error) ? { how: 'declined', by: 'person', reason } : { how: 'failed', by: undefined, reason };
}
