import { raceAbort } from '../../base/abort.ts';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import type { ModelAnswer, ModelInfo } from '../../models/modelGateway.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import { chooseModel } from './modelChoice.ts';
import { applyEdits, inspectRequest, type ModelRequest, type RequestEdits } from './modelRequest.ts';
import { runModel, type Sending } from './modelRun.ts';
import type {
  ConsentSession,
  OfferedModels,
  OwnAnswer,
  RequestDecision,
  SamplingPorts,
  SamplingReview,
} from './ports.ts';
import type { RuleUsage } from './ruleBook.ts';
import { type SamplingOutcome, type SpentTokens, textOf } from './samplingRecord.ts';
import { noRuleReason, type RuleTerms } from './samplingRules.ts';

/** The `model` of an answer that the person typed, so that the server can recognise it. */
const humanModel = 'human';

const unknownUsage = { inputTokens: undefined, outputTokens: undefined };

export interface Answered extends SamplingOutcome {
  readonly result: SamplingResult;
}

/** `isStopped`: the person stopped the model, and what has arrived is the answer. */
type Run = ModelAnswer & { readonly isStopped: boolean };

/**
 * The way of one request to its answer. About a server's request the panel stays open until the answer is reviewed. About
 * their own it closes when they approve, and opens again after a failure; its answer needs no review.
 */
export class SamplingConversation {
  readonly asked: ModelRequest;
  /** Changes when the person adds a model while the request is shown. */
  models: readonly ModelInfo[];
  /** What all tries took so far. */
  spent: SpentTokens | undefined;
  /** What a model got last, for the record of a request that is not answered in the end. */
  lastSent: Pick<SamplingOutcome, 'sent' | 'model' | 'rule' | 'masked'> | undefined;
  readonly #ports: SamplingPorts;
  readonly #context: RequestContext;
  readonly #own: OwnAnswer | undefined;
  #because: string | undefined;
  #session: ConsentSession | undefined;
  #budget: SamplingReview['budget'];
  /** What the panel shows: after a failure of their own request, as they have sent it. */
  #shown: ModelRequest;
  #lastModel: ModelInfo | undefined;

  constructor(
    asked: ModelRequest,
    models: readonly ModelInfo[],
    ports: SamplingPorts,
    context: RequestContext,
    own: OwnAnswer | undefined,
  ) {
    this.asked = asked;
    this.models = models;
    this.#ports = ports;
    this.#context = context;
    this.#own = own;
    this.#shown = asked;
  }

  get isCancelled(): boolean {
    return this.#context.signal.aborted;
  }

  /**
   * Asks about the request and about its answer, until the person sends one or declines.
   * @param because why they are asked although there is a rule, as a sentence
   * @throws {JsonRpcError} `-1` if they decline; or the reason of the request's signal
   */
  ask(because: string | undefined): Promise<Answered> {
    this.#because = because;
    return this.#talk(() => this.#converse());
  }

  /**
   * Sends a request that a rule has approved, and asks about the answer alone, if the rule says so.
   * @returns `undefined` if the token budget for today is used up
   * @throws what {@link ask} throws; what the model throws
   */
  async answerByRule({ rule, revoked }: RuleUsage, model: ModelInfo): Promise<Answered | undefined> {
    const { request: sent } = this.asked;
    const outcome = { how: 'allowed by a rule', by: 'rule', rule: rule.id, sent, model } as const;
    const sending = { sent, model, limit: this.#ports.limits().dailyTokens };
    this.lastSent = { sent, model, rule: rule.id };
    this.#because = 'Your rule sent this request to the model. Its answer needs your approval.';
    if (!rule.reviewsAnswer) {
      const run = await this.#run(sending, revoked);
      if (run === undefined) return undefined;
      revoked.throwIfAborted();
      // The server would run it: nobody has seen it.
      if (run.result.content.some(({ type }) => type !== 'text'))
        throw new PatchbayError('invalidResult', 'its answer has more than text.');
      return { ...outcome, result: run.result };
    }
    return this.#talk(async () => {
      this.#open().letThrough(model.id);
      const run = await this.#run(sending, revoked);
      if (run === undefined) return undefined;
      const answer = await this.#askAnswer(run);
      if (answer.kind === 'retry') return this.#converse();
      const how = [outcome.how, ...answerEdits(run.result, answer.content)].join(', ');
      return { ...outcome, how, result: { ...run.result, content: answer.content } };
    });
  }

  async #talk<T>(talk: () => Promise<T>): Promise<T> {
    const { onDecision } = this.#context;
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
    const own = this.#own;
    let failure: string | undefined;
    let masked = 0;
    for (;;) {
      const decision = await this.#askRequest(failure);
      if (decision.kind === 'decline') throw rejected();
      if (decision.kind === 'answer')
        return { how: 'answered by hand', by: 'person', result: typedAnswer(decision.text) };
      const model = this.models.find(({ id }) => id === decision.model);
      const sent = await this.#apply(decision.edits);
      if (model === undefined) throw rejected();
      const newlyMasked = decision.edits?.masked.length ?? 0;
      masked = own === undefined ? newlyMasked : masked + newlyMasked;
      this.lastSent = { sent, model, masked };
      const run = await this.#try({ sent, model });
      if (typeof run === 'string') {
        failure = run;
        own?.onFailure(failure);
        if (own !== undefined)
          this.#shown = { ...this.#shown, ...(await inspectRequest(sent, this.asked.server, this.#ports)) };
        this.#lastModel = model;
        continue;
      }
      const { result } = run;
      const answer = own === undefined ? await this.#askAnswer(run) : ({ kind: 'send', ...result } as const);
      failure = undefined;
      if (answer.kind === 'retry') continue;
      if (decision.remembersModel) this.#ports.chosenModels.remember(this.asked.server, model.id);
      const reason = decision.rule && (await this.#addRule(decision.rule, sent, model));
      const edits = [
        ...(masked > 0 ? ['secrets masked'] : []),
        ...(masked === 0 && textOf(sent.messages) !== textOf(this.asked.request.messages) ? ['request edited'] : []),
        ...answerEdits(result, answer.content),
      ];
      const how = ['approved', ...edits, ...(run.isStopped ? ['stopped'] : [])].join(', ');
      return { how, by: 'person', sent, model, result: { ...result, content: answer.content }, masked, reason };
    }
  }

  async #askRequest(failure: string | undefined): Promise<RequestDecision> {
    const session = this.#open();
    const decision = await this.#waitForPerson(() => session.askRequest(failure));
    if (this.#own !== undefined) this.#close();
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
    const { waitForPerson, signal } = this.#context;
    const waiting = waitForPerson?.();
    try {
      return await raceAbort(decide(), signal);
    } finally {
      waiting?.dispose();
    }
  }

  /** What could not be masked is not sent. */
  async #apply(edits: RequestEdits | undefined): Promise<SamplingRequest> {
    const { request } = this.#shown;
    if (edits === undefined) return request;
    const sent = await applyEdits(request, edits, this.#ports.secrets).catch(() => undefined);
    this.#context.signal.throwIfAborted();
    if (sent === undefined || this.#session?.stopped.aborted === true) throw rejected();
    return sent;
  }

  #open(): ConsentSession {
    this.#session ??= this.#ports.consent.open({
      ...this.#shown,
      ...this.#offeredModels(),
      ...(this.#lastModel && { suggestedModel: this.#lastModel.id, suggestedBecause: undefined }),
      refreshModels: async () => {
        this.models = await this.#ports.models.list();
        return this.#offeredModels();
      },
      askedBecause: this.#because,
      budget: this.#budget,
    });
    return this.#session;
  }

  #close(): void {
    this.#session?.dispose();
    this.#session = undefined;
  }

  #offeredModels(): OfferedModels {
    const { models } = this;
    const { request, server } = this.#shown;
    const match = chooseModel(models, request.modelPreferences, this.#ports.chosenModels.get(server));
    return { models, suggestedModel: match?.model.id, suggestedBecause: match?.because };
  }

  /** @returns why the model did not answer, as a sentence, if it failed */
  async #try(sending: Sending): Promise<Run | string> {
    try {
      return (await this.#run(sending)) ?? 'The token budget for today is used up.';
    } catch (error) {
      if (isRejection(error) || this.isCancelled) throw error;
      return messageOf(error);
    }
  }

  /**
   * Shows the answer while it streams. Ends with the request, when the person stops it, or when its rule is revoked.
   * @returns `undefined` if the tokens of the day are used up
   * @throws what the model throws; a rejection if the person stops it and its answer is withheld
   */
  async #run(sending: Sending, revoked?: AbortSignal): Promise<Run | undefined> {
    const session = this.#session;
    const own = this.#own;
    const { signal } = this.#context;
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
      const ends = [signal, session?.stopped, revoked].filter((end) => end !== undefined);
      const answer = await runModel(this.#ports, this, sending, onText, AbortSignal.any(ends));
      return answer && { ...answer, isStopped: false };
    } catch (error) {
      if (own !== undefined && signal.aborted) {
        const content = text === '' ? [] : [{ type: 'text', text } as const];
        const result = { role: 'assistant', content, model: sending.model.name } as const;
        return { result, usage: unknownUsage, isStopped: true };
      }
      signal.throwIfAborted();
      if (session?.stopped.aborted === true) throw rejected();
      throw error;
    }
  }

  /**
   * What was approved is what later requests are compared with: with edits, and only if no mark is left.
   * @returns why there is no rule, as a sentence; the answer is sent all the same
   */
  async #addRule(terms: RuleTerms, approved: SamplingRequest, model: ModelInfo): Promise<string | undefined> {
    const { rules, randomId, clock } = this.#ports;
    const { server, definition, isOwn } = this.asked;
    const { signal } = this.#context;
    const { id, name, family, destination } = model;
    try {
      const { facts, marks } = await inspectRequest(approved, server, this.#ports);
      const reason = noRuleReason({ facts, definition, isOwn });
      if (definition === undefined || reason !== undefined) return reason;
      const unsearched = marks.find(({ kind }) => kind === 'unsearched');
      if (unsearched !== undefined) return `The rule could not be kept: ${unsearched.what}.`;
      if (marks.length > 0) return 'No rule covers a request that contains what may be secret.';
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
