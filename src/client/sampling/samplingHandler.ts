import { CancelledError, isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import { MutedError } from '../mutes.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import { countCharacters, findMarks, inspectRequest, type ModelRequest } from './modelRequest.ts';
import type { OwnAnswer, SamplingPorts } from './ports.ts';
import type { RuleBook } from './ruleBook.ts';
import { type Answered, isRejection, SamplingConversation } from './samplingConversation.ts';
import { samplingEntry, type SamplingOutcome } from './samplingRecord.ts';
import { countSame, SamplingRounds } from './samplingRounds.ts';
import { isSameModel, type SamplingLimits, type SamplingRule } from './samplingRules.ts';
import type { SecretMark } from './secretMarks.ts';
import type { TokenBudget } from './tokenBudget.ts';

/** The answer to a request of the person, and what all tries took; without a `model` if the person wrote it. */
export type OwnAnswered = Pick<Answered, 'result' | 'model' | 'spent'>;

/** Refused because of a limit, without a question. */
class LimitRefusal extends JsonRpcError {}

/** Answers sampling requests of servers, with the approval of a person, or of a rule that the person made. */
export class SamplingHandler {
  readonly rules: RuleBook;
  readonly budget: TokenBudget;
  readonly #ports: SamplingPorts;
  readonly #rounds = new SamplingRounds();
  /** Open requests, by server. */
  readonly #open = new Map<string, number>();
  readonly #refusals: MinuteCounter;

  constructor(ports: SamplingPorts) {
    this.#ports = ports;
    this.rules = ports.rules;
    this.budget = ports.budget;
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
   * @param context `server` is the server whose content is sent, `cause` what they ask about; with `signal`, they stop the model
   * @returns what has arrived, if they stop the model
   * @throws {PatchbayError} `declined`, if it is beyond a limit; a cancellation, if the person declines
   */
  async ask(
    request: SamplingRequest,
    { server, cause, signal }: Pick<RequestContext, 'server' | 'cause' | 'signal'>,
    own: OwnAnswer,
  ): Promise<OwnAnswered> {
    try {
      return await this.#answer(request, { server, cause, signal }, own);
    } catch (error) {
      if (error instanceof LimitRefusal) throw new PatchbayError('declined', `${error.message}.`);
      throw isRejection(error) ? new CancelledError() : error;
    }
  }

  async #answer(request: SamplingRequest, context: RequestContext, own: OwnAnswer | undefined): Promise<Answered> {
    const { server, cause } = context;
    const recorded = own === undefined ? context : { server, cause: `${cause}, asked by you` };
    // A server that asks for a lot must not hold up what the person asks.
    const counter = own === undefined ? `server ${server}` : 'own';
    const open = this.#open.get(counter) ?? 0;
    this.#open.set(counter, open + 1);
    let began: SamplingConversation | undefined;
    try {
      // Before any work that grows with the request.
      const refusal = limitRefusal(request, open, this.#ports.limits());
      if (refusal !== undefined) throw limitReached(refusal);
      const conversation = await this.#begin(request, context, own);
      began = conversation;
      const outcome = { ...(await this.#decide(conversation)), spent: conversation.spent };
      this.#rounds.record(server, request, seenMessages(conversation.asked, outcome));
      await this.#record(request, recorded, conversation.asked, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof LimitRefusal && this.#refusals.increment(counter) > maximumRecordedRefusals)) {
        const sent = { ...began?.lastSent, spent: began?.spent };
        await this.#record(request, recorded, began?.asked, { ...sent, ...describeFailure(error, own !== undefined) });
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

  async #begin(request: SamplingRequest, context: RequestContext, own?: OwnAnswer): Promise<SamplingConversation> {
    const { server, cause, signal } = context;
    const [inspected, round, definition, models] = await Promise.all([
      inspectRequest(request, server, this.#ports),
      own === undefined ? this.#rounds.find(server, request) : undefined,
      context.definition?.(),
      this.#ports.models.list(),
      this.rules.load(),
    ]);
    signal.throwIfAborted();
    const asked: ModelRequest = { server, cause, isOwn: own !== undefined, definition, round, ...inspected };
    return new SamplingConversation(asked, models, this.#ports, context, own);
  }

  async #decide(conversation: SamplingConversation): Promise<Answered> {
    const { asked } = conversation;
    const { maximumRounds } = this.#ports.limits();
    if (asked.round !== undefined && asked.round.number > maximumRounds)
      throw limitReached(`the conversation has more than ${maximumRounds} rounds`);
    const found = asked.definition === undefined ? undefined : this.rules.find(asked);
    if (found === undefined) return conversation.ask(undefined);
    const answered = 'rule' in found ? await this.#useRule(conversation, found.rule) : notByRule(found.because);
    return typeof answered === 'string' ? conversation.ask(answered) : answered;
  }

  /** @returns the answer, or why a person is asked after all, as a sentence: whatever fails is for a person */
  async #useRule(conversation: SamplingConversation, rule: SamplingRule): Promise<Answered | string> {
    const model = conversation.models.find(({ id }) => id === rule.model.id);
    if (model === undefined || !isSameModel(rule.model, model))
      return notByRule('its model is no longer available or has changed');
    // A rule that cannot be counted lets nothing through.
    const usage = await this.rules.use(rule, conversation.asked).catch(() => undefined);
    if (usage === undefined) return notByRule('it is used up, or was ended');
    try {
      const answered = await conversation.answerByRule(usage, model);
      if (answered !== undefined) return answered;
      usage.end(0);
      return notByRule('the token budget for today is used up');
    } catch (error) {
      if (conversation.isCancelled || isRejection(error)) throw error;
      if (usage.revoked.aborted) return 'Your rule was stopped before the model had answered.';
      return `The model of your rule did not answer: ${messageOf(error)}`;
    } finally {
      const { spent } = conversation;
      usage.end(spent && spent.inputTokens + spent.outputTokens);
    }
  }

  async #record(
    request: SamplingRequest,
    context: Pick<RequestContext, 'server' | 'cause'>,
    asked: ModelRequest | undefined,
    outcome: SamplingOutcome,
  ): Promise<void> {
    const { audit, recordsBodies } = this.#ports;
    // Texts in which nothing was searched for are not recorded.
    const withBodies = recordsBodies() && asked !== undefined;
    const marks = withBodies ? await this.#marksOf(asked, outcome) : (asked?.marks ?? []);
    const isSearched = marks.every(({ kind }) => kind !== 'unsearched');
    audit.record(await samplingEntry(request, context, asked, outcome, marks, withBodies && isSearched));
  }

  /** What may be secret in all texts of the record: the person may have typed it, and the model may have said it. */
  async #marksOf(asked: ModelRequest, { sent, result }: SamplingOutcome): Promise<readonly SecretMark[]> {
    const { messages, ...rest } = sent ?? asked.request;
    const texts = { ...rest, messages: [...messages, ...(result === undefined ? [] : [result])] };
    return [...asked.marks, ...(await findMarks(this.#ports.secrets, texts, asked.server))];
  }
}

function notByRule(why: string): string {
  return `Your rule did not answer: ${why}.`;
}

function limitReached(reason: string): LimitRefusal {
  return new LimitRefusal(ErrorCodes.userRejected, `Sampling request refused: ${reason}`);
}

/** Maximum messages and content blocks: a person could not review more, however short they are. */
const maximumParts = 10_000;

/** @returns why a request is refused without a question, as the end of a sentence; `undefined` if it is within the limits */
function limitRefusal(request: SamplingRequest, open: number, limits: SamplingLimits): string | undefined {
  if (open >= limits.maximumOpen) return `more than ${limits.maximumOpen} requests of this server are waiting`;
  if (request.maxTokens > limits.maximumTokens) return `maxTokens is above the limit of ${limits.maximumTokens}`;
  const parts = request.messages.reduce((count, { content }) => count + 1 + content.length, 0);
  if (parts > maximumParts) return 'there are too many messages';
  return countCharacters(request) > limits.maximumCharacters ? 'the messages are too large' : undefined;
}

/** How many messages at the beginning a person has approved as they came. */
function seenMessages({ request: { messages }, round }: ModelRequest, { by, sent }: SamplingOutcome): number {
  if (by === 'rule') return round?.newFrom ?? 0;
  return sent === undefined ? messages.length : countSame(messages, sent.messages);
}

function describeFailure(error: unknown, isOwn: boolean): SamplingOutcome {
  const reason = messageOf(error);
  if (error instanceof LimitRefusal) return { how: 'refused', by: 'limit', reason };
  if (error instanceof MutedError) return { how: 'refused', by: 'person', reason };
  if (isCancellation(error)) return { how: 'cancelled', by: isOwn ? 'person' : 'server', reason };
  return isRejection(error) ? { how: 'declined', by: 'person', reason } : { how: 'failed', by: undefined, reason };
}
