import { messageOf } from '../../base/errors.ts';
import type { ModelInfo } from '../../models/modelGateway.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { BudgetUse, RequestDecision } from './ports.ts';
import { factsOf } from './requestFacts.ts';
import { findMarks } from './samplingTrial.ts';
import {
  describeApproval,
  rejected,
  reviewOf,
  typedAnswer,
  withinLimits,
  withSession,
} from './samplingConversation.ts';
import { addSpent, type Answered, type OwnAnswer, type Trial, type TrialPorts } from './samplingTrial.ts';

/** What the person is shown: after a failure, the request as they sent it, and what went wrong. */
interface Attempt {
  readonly asked: Trial;
  readonly failure: string | undefined;
  readonly model: ModelInfo | undefined;
}

/**
 * Asks the person about their own request until a model has answered or they decline. Unlike with a server's request, the panel
 * closes when they approve. If the signal aborts while the model answers, what has arrived is the answer.
 * @throws {JsonRpcError} `-1` if they decline; or the reason of the request's signal
 */
export async function askOwn(
  trial: Trial,
  ports: TrialPorts,
  own: OwnAnswer,
  budget: BudgetUse | undefined,
): Promise<Answered> {
  let attempt: Attempt = { asked: trial, failure: undefined, model: undefined };
  let masked = 0;
  for (;;) {
    const decision = await decide(attempt, ports, budget);
    if (decision.kind === 'decline') throw rejected();
    if (decision.kind === 'answer')
      return { how: 'answered by hand', by: 'person', result: typedAnswer(decision.text), spent: trial.spent };
    const { asked } = attempt;
    const model = asked.models.find(({ id }) => id === decision.model);
    if (model === undefined) throw rejected();
    const sent = withinLimits(decision.request, trial.request);
    masked += decision.masked;
    trial.lastSent = { sent, model, masked };
    const run = await runModel(trial, ports, own, { sent, model });
    if ('result' in run) {
      const { result, isStopped } = run;
      if (decision.remembersModel) ports.chosenModels.remember(trial.context.server, model.id);
      const approved = describeApproval({ ...decision, masked }, trial.request, result, result.content);
      const how = isStopped ? `${approved}, stopped` : approved;
      return { how, by: 'person', sent, model, result, spent: trial.spent, masked };
    }
    const { failure } = run;
    own.onFailure(failure);
    attempt = { asked: await withRequest(asked, ports, sent), failure, model };
  }
}

function decide(
  { asked, failure, model }: Attempt,
  ports: TrialPorts,
  budget: BudgetUse | undefined,
): Promise<RequestDecision> {
  const review = reviewOf(asked, ports, undefined, budget);
  const again = model === undefined ? review : { ...review, suggestedModel: model.id, suggestedBecause: undefined };
  return withSession(asked, ports, again, async (session) => {
    if (failure !== undefined) session.showFailure(failure);
    return session.askRequest();
  });
}

interface SentRequest {
  readonly sent: SamplingRequest;
  readonly model: ModelInfo;
}

type Run = { readonly result: SamplingResult; readonly isStopped: boolean } | { readonly failure: string };

async function runModel(
  trial: Trial,
  { runner }: TrialPorts,
  own: OwnAnswer,
  { sent, model }: SentRequest,
): Promise<Run> {
  const { signal } = trial.context;
  let text = '';
  own.onBegin(model);
  try {
    const counted = await runner.run(sent, {
      model,
      limit: undefined,
      signals: [signal],
      onSpent: (spent) => addSpent(trial, spent),
      onText(piece) {
        if (signal.aborted) return;
        text += piece;
        own.onText(piece);
      },
    });
    if (counted === undefined) return { failure: 'The tokens of today are used up.' };
    return { result: counted.answer.result, isStopped: false };
  } catch (error) {
    if (!signal.aborted) return { failure: messageOf(error) };
    const content = text === '' ? [] : [{ type: 'text', text } as const];
    return { result: { role: 'assistant', content, model: model.name }, isStopped: true };
  }
}

/** The same trial about an edited request, in which other texts may be secret. */
async function withRequest(
  trial: Trial,
  { findSecrets, estimateTokens }: TrialPorts,
  request: SamplingRequest,
): Promise<Trial> {
  const { server } = trial.context;
  const [marks, facts] = await Promise.all([findMarks(findSecrets, request, server), factsOf(request, estimateTokens)]);
  return { ...trial, request, marks, ruled: { ...trial.ruled, facts, marks: marks.length } };
}
