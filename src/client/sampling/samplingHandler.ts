import { linkAbort, raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import { type AuditLog, auditPreview, maximumRecordedRefusals } from '../auditLog.ts';
import { createMinuteCounter, type MinuteCounter } from '../minuteCounter.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import { decideSampling, matchModel, type SamplingLimits, spendGrant } from './samplingPolicy.ts';
import type { ConsentSession, ModelGateway, RequestDecision, SamplingConsent, SessionGrant } from './ports.ts';

/** Answers sampling requests of servers, with the user's approval of the request and of the answer. */
export interface SamplingHandler {
  /**
   * Validated request → limits → policy → consent → model → review → audit log.
   * @throws {JsonRpcError} `-1` if the user declines (2025-11-25, Client Features / Sampling, "Error Handling"), `-32603` if
   * no model could answer
   */
  handle(request: SamplingRequest, context: RequestContext): Promise<SamplingResult>;
  /** The grants for further requests, by server. */
  readonly grants: ReadonlyMap<string, SessionGrant>;
  /** Removes all grants, or those of one server. @returns how many there were */
  revokeGrants(server?: string): number;
}

/** The ports to the person and to the models, and the limits for servers. */
export interface SamplingHandlerOptions {
  readonly consent: SamplingConsent;
  readonly models: ModelGateway;
  /** Called for every request, so that changed settings apply at once. */
  readonly limits: () => SamplingLimits;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

/** The `model` of an answer that the user typed, so that the server can recognise it. */
const humanModel = 'human';

/** Refused because of a limit, without a question. */
class LimitRefusal extends JsonRpcError {}

type Outcome = { readonly how: string; readonly result: SamplingResult };

/** Creates the handler of all servers. */
export function createSamplingHandler(options: SamplingHandlerOptions): SamplingHandler {
  return new ConsentingSamplingHandler(options);
}

class ConsentingSamplingHandler implements SamplingHandler {
  readonly #options: SamplingHandlerOptions;
  readonly #grants = new Map<string, SessionGrant>();
  /** Open requests, by server. */
  readonly #open = new Map<string, number>();
  readonly #refusals: MinuteCounter;

  constructor(options: SamplingHandlerOptions) {
    this.#options = options;
    this.#refusals = createMinuteCounter(options.clock);
  }

  async handle(request: SamplingRequest, context: RequestContext): Promise<SamplingResult> {
    const { server } = context;
    const openCount = this.#open.get(server) ?? 0;
    this.#open.set(server, openCount + 1);
    try {
      const { how, result } = await this.#decide(request, context, openCount);
      this.#record(request, context, how, { model: result.model, answer: auditPreview(textOf([result])) });
      return result;
    } catch (error) {
      if (!(error instanceof LimitRefusal && this.#refusals.increment(server) > maximumRecordedRefusals))
        this.#record(request, context, describeFailure(error), { reason: messageOf(error) });
      throw error;
    } finally {
      this.#open.set(server, (this.#open.get(server) ?? 1) - 1);
    }
  }

  get grants(): ReadonlyMap<string, SessionGrant> {
    return this.#grants;
  }

  revokeGrants(server?: string): number {
    if (server !== undefined) return this.#grants.delete(server) ? 1 : 0;
    const count = this.#grants.size;
    this.#grants.clear();
    return count;
  }

  async #decide(request: SamplingRequest, context: RequestContext, openCount: number): Promise<Outcome> {
    const { clock, limits } = this.#options;
    const grant = this.#grants.get(context.server);
    const verdict = decideSampling(request, { open: openCount, grant, now: clock.now() }, limits());
    switch (verdict.kind) {
      case 'refuse':
        throw new LimitRefusal(ErrorCodes.userRejected, `Sampling request refused: ${verdict.reason}`);
      case 'allow':
        return this.#useGrant(request, context, verdict.grant);
      case 'ask':
        return this.#ask(request, context);
    }
  }

  async #useGrant(request: SamplingRequest, context: RequestContext, grant: SessionGrant): Promise<Outcome> {
    const left = spendGrant(grant);
    if (left === undefined) this.#grants.delete(context.server);
    else this.#grants.set(context.server, left);
    try {
      const result = await this.#options.models.generate(grant.model, request, () => {}, context.signal);
      return { how: 'allowed for this session', result };
    } catch (error) {
      if (context.signal.aborted) throw error;
      // The model of the grant is missing or fails: ask the person.
      this.#grants.delete(context.server);
      return this.#ask(request, context);
    }
  }

  async #ask(request: SamplingRequest, context: RequestContext): Promise<Outcome> {
    const models = await this.#options.models.list();
    context.signal.throwIfAborted();
    const match = matchModel(models, request.modelPreferences);
    const session = this.#options.consent.open({
      server: context.server,
      cause: context.cause,
      request,
      models,
      suggestedModel: match?.model.id,
      suggestedBecause: match?.because,
    });
    try {
      const outcome = await raceAbort(this.#converse(session, request, context), context.signal);
      context.onDecision?.(true);
      return outcome;
    } catch (error) {
      if (error instanceof JsonRpcError && error.code === ErrorCodes.userRejected) context.onDecision?.(false);
      throw error;
    } finally {
      session.dispose();
    }
  }

  /** Repeats request and answer until the user sends an answer or declines. */
  async #converse(session: ConsentSession, original: SamplingRequest, context: RequestContext): Promise<Outcome> {
    for (;;) {
      const decision = await withPausedTimeouts(context, () => session.askRequest());
      if (decision.kind === 'decline') throw rejected();
      if (decision.kind === 'answer') return { how: 'answered by hand', result: typedAnswer(decision.text) };
      const request = withinLimits(decision.request, original);
      const result = await this.#generate(session, request, decision.model, context.signal);
      if (result === undefined) continue;
      const answer = await withPausedTimeouts(context, () => session.askAnswer(result));
      if (answer.kind === 'withhold') throw rejected();
      if (answer.kind === 'retry') continue;
      if (decision.grant !== undefined) this.#grants.set(context.server, decision.grant);
      const how = describeApproval(decision, original, result, answer.content);
      return { how, result: { ...result, content: answer.content } };
    }
  }

  /** @returns the model's answer; `undefined` if it failed and the failure is shown */
  async #generate(
    session: ConsentSession,
    request: SamplingRequest,
    model: string,
    signal: AbortSignal,
  ): Promise<SamplingResult | undefined> {
    const abort = linkAbort(signal, session.stopped);
    let text = '';
    const onText = (piece: string): void => {
      text += piece;
      session.showAnswer(text);
    };
    try {
      session.showAnswer('');
      return await raceAbort(this.#options.models.generate(model, request, onText, abort.signal), abort.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (session.stopped.aborted) throw rejected();
      session.showFailure(messageOf(error));
      return undefined;
    } finally {
      abort.dispose();
    }
  }

  #record(request: SamplingRequest, context: RequestContext, outcome: string, facts: Record<string, string>): void {
    this.#options.audit.record({
      server: context.server,
      action: 'sampling',
      outcome,
      detail: {
        ...(context.cause !== undefined && { cause: context.cause }),
        messages: request.messages.length,
        maxTokens: request.maxTokens,
        request: auditPreview(textOf(request.messages)),
        ...facts,
      },
    });
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

function describeFailure(error: unknown): string {
  if (isCancellation(error)) return 'cancelled';
  return error instanceof JsonRpcError && error.code === ErrorCodes.userRejected ? 'declined' : 'failed';
}

function rejected(): JsonRpcError {
  return new JsonRpcError(ErrorCodes.userRejected, 'User rejected sampling request');
}

function typedAnswer(text: string): SamplingResult {
  return { role: 'assistant', content: [{ type: 'text', text }], model: humanModel, stopReason: 'endTurn' };
}

/** An edit may lower the maximum of tokens, but not raise it. */
function withinLimits(edited: SamplingRequest, original: SamplingRequest): SamplingRequest {
  return { ...edited, maxTokens: Math.min(edited.maxTokens, original.maxTokens) };
}

function describeApproval(
  decision: Extract<RequestDecision, { kind: 'approve' }>,
  original: SamplingRequest,
  result: SamplingResult,
  sent: SamplingResult['content'],
): string {
  const edits = [
    textOf(decision.request.messages) === textOf(original.messages) ? [] : ['request edited'],
    textOf([{ content: sent }]) === textOf([result]) ? [] : ['answer edited'],
  ].flat();
  return edits.length === 0 ? 'approved' : `approved, ${edits.join(', ')}`;
}

function textOf(messages: readonly Pick<SamplingResult, 'content'>[]): string {
  return messages
    .flatMap(({ content }) => content)
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}
