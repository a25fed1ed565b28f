import { raceAbort } from '../../base/abort.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { ModelAnswer, ModelInfo } from '../../models/modelGateway.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { chooseModel } from './modelChoice.ts';
import { runModel, type Sending } from './modelRun.ts';
import type { BudgetUse, ConsentSession, OfferedModels, RequestDecision, RuleTerms, SamplingReview } from './ports.ts';
import { applyEdits, unedited } from './requestEdits.ts';
import { factsOf } from './requestFacts.ts';
import type { RuleUsage } from './ruleBook.ts';
import { noRuleReason } from './samplingPolicy.ts';
import { textOf } from './samplingRecord.ts';
import { type Answered, findMarks, type SamplingPorts, type Trial } from './samplingTrial.ts';

/** The `model` of an answer that the person typed, so that the server can recognise it. */
const humanModel = 'human';

const unknownUsage = { inputTokens: undefined, outputTokens: undefined };

type Approval = RequestDecision & { readonly kind: 'approve' };

interface Run {
  readonly answer: ModelAnswer;
  /** The person stopped it, and what has arrived is the answer. */
  readonly isStopped: boolean;
}

/**
 * Talks with the person about one request and its answer. About a server's request the panel stays open until the answer is
 * reviewed. About their own it closes when they approve, and opens again after a failure; its answer needs no review.
 */
export class SamplingConversation {
  readonly #trial: Trial;
  readonly #ports: SamplingPorts;
  readonly #because: string | undefined;
  #session: ConsentSession | undefined;
  #budget: BudgetUse | undefined;
  /** What the panel shows: after a failure of their own request, as they have sent it. */
  #shown: Trial;
  #lastModel: ModelInfo | undefined;

  /** @param because why they are asked although there is a rule */
  constructor(trial: Trial, ports: SamplingPorts, because: string | undefined) {
    this.#trial = trial;
    this.#ports = ports;
    this.#because = because;
    this.#shown = trial;
  }

  /**
   * Asks about the request and about its answer, until the person sends one or declines.
   * @throws {JsonRpcError} `-1` if they decline; or the reason of the request's signal
   */
  ask(): Promise<Answered> {
    return this.#talk(() => this.#converse());
  }

  /**
   * Sends a request that a rule has approved, and asks about the answer alone, if the rule says so.
   * @returns `undefined` if the tokens of today are used up
   * @throws what {@link ask} throws; what the model throws
   */
  async answerByRule({ rule, revoked }: RuleUsage, model: ModelInfo): Promise<Answered | undefined> {
    const sent = unedited(this.#trial.request);
    const outcome = { how: 'allowed by a rule', by: 'rule', rule: rule.id, sent, model } as const;
    const sending = { sent, model, limit: this.#ports.limits().dailyTokens, revoked };
    this.#trial.lastSent = { sent, model, rule: rule.id };
    if (rule.reviewsAnswer)
      return this.#talk(async () => {
        this.#open().letThrough(model.id);
        const run = await this.#run(sending);
        if (run === undefined) return undefined;
        const answer = await this.#askAnswer(run.answer);
        if (answer.kind === 'retry') return this.#converse();
        const { result } = run.answer;
        const how = [outcome.how, ...answerEdits(result, answer.content)].join(', ');
        return { ...outcome, how, result: { ...result, content: answer.content } };
      });
    const run = await this.#run(sending);
    if (run === undefined) return undefined;
    revoked.throwIfAborted();
    const { result } = run.answer;
    // The server would run it: nobody has seen it.
    if (result.content.some(({ type }) => type !== 'text'))
      throw new PatchbayError('invalidResult', 'its answer has more than text.');
    return { ...outcome, result };
  }

  async #talk<T>(talk: () => Promise<T>): Promise<T> {
    const { onDecision } = this.#trial.context;
    const { dailyTokens: limit } = this.#ports.limits();
    this.#budget = limit === undefined ? undefined : { used: await this.#ports.budget.used(), limit };
    try {
      const outcome = await talk();
      onDecision?.(true);
      return outcome;
    } catch (error) {
      if (isRejection(error)) onDecision?.(false);
      throw error;
    } finally {
      this.#close();
    }
  }

  async #converse(): Promise<Answered> {
    const { request, context, own } = this.#trial;
    let failure: string | undefined;
    let masked = 0;
    for (;;) {
      const decision = await this.#askRequest(failure);
      if (decision.kind === 'decline') throw rejected();
      if (decision.kind === 'answer')
        return { how: 'answered by hand', by: 'person', result: typedAnswer(decision.text) };
      const model = this.#shown.models.find(({ id }) => id === decision.model);
      const sent = await this.#apply(decision);
      if (model === undefined) throw rejected();
      const newlyMasked = decision.edits?.masked.length ?? 0;
      masked = own === undefined ? newlyMasked : masked + newlyMasked;
      this.#trial.lastSent = { sent, model, masked };
      const run = await this.#try({ sent, model });
      if (typeof run === 'string') {
        failure = run;
        own?.onFailure(failure);
        if (own !== undefined) this.#shown = await this.#about(sent);
        this.#lastModel = model;
        continue;
      }
      const { result } = run.answer;
      const answer =
        own === undefined ? await this.#askAnswer(run.answer) : { kind: 'send' as const, content: result.content };
      failure = undefined;
      if (answer.kind === 'retry') continue;
      if (decision.remembersModel) this.#ports.chosenModels.remember(context.server, model.id);
      const reason = decision.rule && (await this.#addRule(decision.rule, sent, model));
      const edits = [
        ...(masked > 0 ? ['secrets masked'] : []),
        ...(masked === 0 && textOf(sent.messages) !== textOf(request.messages) ? ['request edited'] : []),
        ...answerEdits(result, answer.content),
      ];
      const how = ['approved', ...edits, ...(run.isStopped ? ['stopped'] : [])].join(', ');
      return { how, by: 'person', sent, model, result: { ...result, content: answer.content }, masked, reason };
    }
  }

  async #askRequest(failure: string | undefined): Promise<RequestDecision> {
    const session = this.#open();
    const decision = await this.#waitForPerson(() => session.askRequest(failure));
    if (this.#trial.own !== undefined) this.#close();
    return decision;
  }

  async #askAnswer(answer: ModelAnswer) {
    const session = this.#open();
    const decision = await this.#waitForPerson(() => session.askAnswer(answer));
    if (decision.kind === 'withhold') throw rejected();
    return decision;
  }

  /** Timeouts pause while a person decides. */
  async #waitForPerson<T>(decide: () => Promise<T>): Promise<T> {
    const { waitForPerson, signal } = this.#trial.context;
    const waiting = waitForPerson?.();
    try {
      return await raceAbort(decide(), signal);
    } finally {
      waiting?.dispose();
    }
  }

  /** What could not be masked is not sent. */
  async #apply({ edits }: Approval): Promise<SamplingRequest> {
    const { request } = this.#shown;
    if (edits === undefined) return unedited(request);
    const sent = await applyEdits(request, edits, this.#ports.secrets).catch(() => undefined);
    this.#trial.context.signal.throwIfAborted();
    if (sent === undefined || this.#session?.stopped.aborted === true) throw rejected();
    return sent;
  }

  #open(): ConsentSession {
    this.#session ??= this.#ports.consent.open(this.#review());
    return this.#session;
  }

  #close(): void {
    this.#session?.dispose();
    this.#session = undefined;
  }

  #review(): SamplingReview {
    const shown = this.#shown;
    const { request, context, own, ruled, marks, round } = shown;
    const offered = this.#offeredModels();
    return {
      server: context.server,
      cause: context.cause,
      isOwn: own !== undefined,
      request,
      ...offered,
      ...(this.#lastModel && { suggestedModel: this.#lastModel.id, suggestedBecause: undefined }),
      refreshModels: async () => {
        shown.models = await this.#ports.models.list();
        return this.#offeredModels();
      },
      round,
      marks,
      askedBecause: this.#because,
      noRuleBecause: noRuleReason({ ...ruled, marks: 0 }),
      estimatedTokens: ruled.facts.estimatedTokens,
      budget: this.#budget,
    };
  }

  #offeredModels(): OfferedModels {
    const { models, request, context } = this.#shown;
    const match = chooseModel(models, request.modelPreferences, this.#ports.chosenModels.get(context.server));
    return { models, suggestedModel: match?.model.id, suggestedBecause: match?.because };
  }

  /** @returns why the model did not answer, as a sentence, if it failed */
  async #try(sending: Sending): Promise<Run | string> {
    try {
      return (await this.#run(sending)) ?? 'The tokens of today are used up.';
    } catch (error) {
      if (isRejection(error) || this.#trial.context.signal.aborted) throw error;
      return messageOf(error);
    }
  }

  /**
   * Shows the answer while it streams.
   * @returns `undefined` if the tokens of the day are used up
   * @throws what the model throws; a rejection if the person stops it and its answer is withheld
   */
  async #run(sending: Sending): Promise<Run | undefined> {
    const session = this.#session;
    const { own, context } = this.#trial;
    const { signal } = context;
    let text = '';
    own?.onBegin(sending.model);
    session?.showAnswer('');
    try {
      const onText = (piece: string): void => {
        if (own !== undefined && signal.aborted) return;
        text += piece;
        own?.onText(piece);
        session?.showAnswer(text);
      };
      const answer = await runModel(this.#ports, this.#trial, sending, onText, session?.stopped);
      return answer && { answer, isStopped: false };
    } catch (error) {
      if (own !== undefined && signal.aborted) {
        const content = text === '' ? [] : [{ type: 'text', text } as const];
        const result = { role: 'assistant', content, model: sending.model.name } as const;
        return { answer: { result, usage: unknownUsage }, isStopped: true };
      }
      signal.throwIfAborted();
      if (session?.stopped.aborted === true) throw rejected();
      throw error;
    }
  }

  /** The same trial about an edited request, in which other texts may be secret. */
  async #about(request: SamplingRequest): Promise<Trial> {
    const { server } = this.#trial.context;
    const [marks, facts] = await Promise.all([
      findMarks(this.#ports.secrets, request, server),
      factsOf(request, this.#ports.estimateTokens),
    ]);
    return { ...this.#shown, request, marks, ruled: { ...this.#shown.ruled, facts, marks: marks.length } };
  }

  /**
   * What was approved is what later requests are compared with: with edits, and only if no mark is left.
   * @returns why there is no rule, as a sentence; the answer is sent all the same
   */
  async #addRule(terms: RuleTerms, approved: SamplingRequest, model: ModelInfo): Promise<string | undefined> {
    const { rules, secrets, estimateTokens, randomId, clock } = this.#ports;
    const { server, signal } = this.#trial.context;
    const { definition } = this.#trial.ruled;
    const { id, name, family, destination } = model;
    try {
      const [marks, facts] = await Promise.all([secrets.find(approved, server), factsOf(approved, estimateTokens)]);
      const reason = noRuleReason({ server, definition, facts, marks: marks.length });
      if (definition === undefined || reason !== undefined) return reason;
      // The server may have stopped, which ends its rules.
      signal.throwIfAborted();
      const { maxTokens, characters, frame } = facts;
      const rule = {
        ...terms,
        id: randomId(),
        server,
        definition,
        model: { id, name, family, ...(destination !== undefined && { destination }) },
        madeAt: clock.now(),
        seen: { maxTokens, characters, frame },
        uses: [],
      };
      await raceAbort(rules.add(rule), signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return `The rule could not be kept: ${messageOf(error)}`;
    }
  }
}

function rejected(): JsonRpcError {
  return new JsonRpcError(ErrorCodes.userRejected, 'User rejected sampling request');
}

/** The person has declined, or a limit has. */
export function isRejection(error: unknown): boolean {
  return error instanceof JsonRpcError && error.code === ErrorCodes.userRejected;
}

function typedAnswer(text: string): SamplingResult {
  return { role: 'assistant', content: [{ type: 'text', text }], model: humanModel, stopReason: 'endTurn' };
}

function answerEdits(result: SamplingResult, sent: SamplingResult['content']): readonly string[] {
  return textOf([{ content: sent }]) === textOf([result]) ? [] : ['answer edited'];
}
