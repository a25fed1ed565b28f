import { raceAbort } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { ModelInfo } from '../../models/modelGateway.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import { chooseModel } from './modelChoice.ts';
import type { CountedAnswer } from './modelRun.ts';
import type { BudgetUse, ConsentSession, OfferedModels, RequestDecision, RuleTerms, SamplingReview } from './ports.ts';
import { factsOf } from './requestFacts.ts';
import { noRuleReason } from './samplingPolicy.ts';
import { textOf } from './samplingRecord.ts';
import { addSpent, type Answered, type Trial, type TrialPorts } from './samplingTrial.ts';

/** The `model` of an answer that the person typed, so that the server can recognise it. */
const humanModel = 'human';

type Approval = Extract<RequestDecision, { readonly kind: 'approve' }>;

/**
 * Asks the person about a request and about its answer, until they send one or decline.
 * @param because why they are asked although there is a rule
 * @throws {JsonRpcError} `-1` if they decline; or the reason of the request's signal
 */
export function askPerson(
  trial: Trial,
  ports: TrialPorts,
  because: string | undefined,
  budget: BudgetUse | undefined,
): Promise<Answered> {
  return withSession(trial, ports, reviewOf(trial, ports, because, budget), (session) =>
    converse(session, trial, ports),
  );
}

/** A request that a rule has approved, but not its answer. */
export interface RuledAnswer {
  readonly model: ModelInfo;
  /** The id of the rule. */
  readonly rule: string;
  readonly revoked: AbortSignal;
  /** Of the tokens of today. */
  readonly limit: number | undefined;
  readonly because: string;
  readonly budget: BudgetUse | undefined;
}

/**
 * Sends a request that a rule has approved, and asks the person about the answer alone.
 * @returns `undefined` if the tokens of today are used up
 * @throws what {@link askPerson} throws; what the model throws
 */
export function reviewAnswer(trial: Trial, ports: TrialPorts, ruled: RuledAnswer): Promise<Answered | undefined> {
  const { model, rule, revoked, limit, because, budget } = ruled;
  return withSession(trial, ports, reviewOf(trial, ports, because, budget), async (session) => {
    session.letThrough(model.id);
    trial.lastSent = { sent: trial.request, model, rule };
    const counted = await runModel(session, trial, ports, { sent: trial.request, model, limit, revoked });
    if (counted === undefined) return undefined;
    const answer = await withPausedTimeouts(trial.context, () => session.askAnswer(counted.answer));
    if (answer.kind === 'withhold') throw rejected();
    if (answer.kind === 'retry') return converse(session, trial, ports);
    const { result } = counted.answer;
    const how = ['allowed by a rule', ...answerEdits(result, answer.content)].join(', ');
    const sent = { ...result, content: answer.content };
    return { how, by: 'rule', rule, sent: trial.request, model, result: sent, spent: trial.spent };
  });
}

/** Talks with the person while the panel shows the request. @throws what `talk` throws; the reason of the request's signal */
export async function withSession<T>(
  { context }: Trial,
  { consent }: TrialPorts,
  review: SamplingReview,
  talk: (session: ConsentSession) => Promise<T>,
): Promise<T> {
  const session = consent.open(review);
  try {
    const outcome = await raceAbort(talk(session), context.signal);
    context.onDecision?.(true);
    return outcome;
  } catch (error) {
    if (error instanceof JsonRpcError && error.code === ErrorCodes.userRejected) context.onDecision?.(false);
    throw error;
  } finally {
    session.dispose();
  }
}

/** Everything that is shown about a request. */
export function reviewOf(
  trial: Trial,
  ports: TrialPorts,
  askedBecause: string | undefined,
  budget: BudgetUse | undefined,
): SamplingReview {
  const { request, context, ruled, marks, round } = trial;
  const { server, cause } = context;
  return {
    server,
    cause,
    isOwn: trial.own !== undefined,
    request,
    ...offeredModels(trial, ports),
    async refreshModels() {
      trial.models = await ports.models.list();
      return offeredModels(trial, ports);
    },
    round,
    marks,
    askedBecause,
    noRuleBecause: noRuleReason({ ...ruled, marks: 0 }),
    estimatedTokens: ruled.facts.estimatedTokens,
    budget,
  };
}

function offeredModels({ models, request, context }: Trial, { chosenModels }: TrialPorts): OfferedModels {
  const match = chooseModel(models, request.modelPreferences, chosenModels.get(context.server));
  return { models, suggestedModel: match?.model.id, suggestedBecause: match?.because };
}

async function converse(session: ConsentSession, trial: Trial, ports: TrialPorts): Promise<Answered> {
  const { request: original, context } = trial;
  for (;;) {
    const decision = await withPausedTimeouts(context, () => session.askRequest());
    if (decision.kind === 'decline') throw rejected();
    if (decision.kind === 'answer')
      return { how: 'answered by hand', by: 'person', result: typedAnswer(decision.text), spent: trial.spent };
    const model = trial.models.find(({ id }) => id === decision.model);
    if (model === undefined) throw rejected();
    const sent = withinLimits(decision.request, original);
    trial.lastSent = { sent, model, masked: decision.masked };
    const counted = await tryModel(session, trial, ports, sent, model);
    if (counted === undefined) continue;
    const answer = await withPausedTimeouts(context, () => session.askAnswer(counted.answer));
    if (answer.kind === 'withhold') throw rejected();
    if (answer.kind === 'retry') continue;
    if (decision.remembersModel) ports.chosenModels.remember(context.server, model.id);
    const problem = decision.rule && (await addRule(trial, ports, decision.rule, sent, model));
    const { result } = counted.answer;
    return {
      how: describeApproval(decision, original, result, answer.content),
      by: 'person',
      sent,
      model,
      result: { ...result, content: answer.content },
      spent: trial.spent,
      masked: decision.masked,
      reason: problem,
    };
  }
}

/** @returns `undefined` if the model failed, and the failure is shown */
async function tryModel(
  session: ConsentSession,
  trial: Trial,
  ports: TrialPorts,
  sent: SamplingRequest,
  model: ModelInfo,
): Promise<CountedAnswer | undefined> {
  const { signal } = trial.context;
  try {
    return await runModel(session, trial, ports, { sent, model, limit: undefined, revoked: undefined });
  } catch (error) {
    signal.throwIfAborted();
    if (session.stopped.aborted) throw rejected();
    session.showFailure(messageOf(error));
    return undefined;
  }
}

interface ShownRun {
  readonly sent: SamplingRequest;
  readonly model: ModelInfo;
  readonly limit: number | undefined;
  readonly revoked: AbortSignal | undefined;
}

/** Shows the answer while it streams. */
async function runModel(
  session: ConsentSession,
  trial: Trial,
  { runner }: TrialPorts,
  { sent, model, limit, revoked }: ShownRun,
): Promise<CountedAnswer | undefined> {
  let text = '';
  session.showAnswer('');
  const signals = [trial.context.signal, session.stopped, ...(revoked === undefined ? [] : [revoked])];
  try {
    return await runner.run(sent, {
      model,
      limit,
      signals,
      onSpent: (spent) => addSpent(trial, spent),
      onText(piece) {
        text += piece;
        session.showAnswer(text);
      },
    });
  } catch (error) {
    trial.context.signal.throwIfAborted();
    if (session.stopped.aborted) throw rejected();
    throw error;
  }
}

/**
 * What was approved is what later requests are compared with: with edits, and only if no mark is left.
 * @returns why there is no rule, as a sentence; the answer is sent all the same
 */
async function addRule(
  { context, ruled }: Trial,
  ports: TrialPorts,
  terms: RuleTerms,
  approved: SamplingRequest,
  { id, name, family, destination }: ModelInfo,
): Promise<string | undefined> {
  const { rules, findSecrets, estimateTokens, randomId, clock } = ports;
  const { server, signal } = context;
  const { definition } = ruled;
  try {
    const [marks, facts] = await Promise.all([findSecrets(approved, server), factsOf(approved, estimateTokens)]);
    const reason = noRuleReason({ server, definition, facts, marks: marks.length });
    if (definition === undefined || reason !== undefined) return reason;
    // The server may have stopped, which ends its rules.
    signal.throwIfAborted();
    const { maxTokens, characters, frame } = facts;
    await rules.add({
      ...terms,
      id: randomId(),
      server,
      definition,
      model: { id, name, family, ...(destination !== undefined && { destination }) },
      madeAt: clock.now(),
      seen: { maxTokens, characters, frame },
      uses: [],
    });
    return undefined;
  } catch (error) {
    return `The rule could not be kept: ${messageOf(error)}`;
  }
}

/** Timeouts pause while a person decides. */
async function withPausedTimeouts<T>({ waitForPerson }: RequestContext, decide: () => Promise<T>): Promise<T> {
  const waiting = waitForPerson?.();
  try {
    return await decide();
  } finally {
    waiting?.dispose();
  }
}

/** The person declines. */
export function rejected(): JsonRpcError {
  return new JsonRpcError(ErrorCodes.userRejected, 'User rejected sampling request');
}

/** The person wrote the answer. */
export function typedAnswer(text: string): SamplingResult {
  return { role: 'assistant', content: [{ type: 'text', text }], model: humanModel, stopReason: 'endTurn' };
}

/** The schema of MCP allows any number; models take whole ones. */
function wholeTokens(maxTokens: number): number {
  return Math.max(1, Math.floor(maxTokens));
}

/** An edit may lower the maximum of tokens, but not raise it. */
export function withinLimits(edited: SamplingRequest, original: SamplingRequest): SamplingRequest {
  const maxTokens = Math.min(wholeTokens(edited.maxTokens), wholeTokens(original.maxTokens));
  return edited.maxTokens === maxTokens ? edited : { ...edited, maxTokens };
}

/** How it ended, for the audit log. */
export function describeApproval(
  { request, masked }: Approval,
  original: SamplingRequest,
  result: SamplingResult,
  sent: SamplingResult['content'],
): string {
  const isEdited = masked === 0 && textOf(request.messages) !== textOf(original.messages);
  return [
    'approved',
    ...(masked > 0 ? ['secrets masked'] : []),
    ...(isEdited ? ['request edited'] : []),
    ...answerEdits(result, sent),
  ].join(', ');
}

function answerEdits(result: SamplingResult, sent: SamplingResult['content']): readonly string[] {
  return textOf([{ content: sent }]) === textOf([result]) ? [] : ['answer edited'];
}
