import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ElicitRequest, ElicitResult } from '../../protocol/mcp/elicitation.ts';
import { type AuditLog, auditPreview, maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import type { ElicitationContext } from '../serverRequests/serverRequestHandlers.ts';
import { checkElicitationUrl } from './checkedUrl.ts';
import type { ElicitationConsent, ElicitationDecision, ElicitationReview } from './ports.ts';

const outcomes = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

/** Answers elicitation requests of all servers with the person's answers. */
export class ElicitationHandler {
  readonly #consent: ElicitationConsent;
  readonly #limits: ElicitationLimits;
  readonly #audit: AuditLog;
  /** Open questions, by server. */
  readonly #open = new Map<string, number>();
  readonly #asked: MinuteCounter;
  readonly #refused: MinuteCounter;

  constructor(consent: ElicitationConsent, limits: ElicitationLimits, clock: Clock, audit: AuditLog) {
    this.#consent = consent;
    this.#limits = limits;
    this.#audit = audit;
    this.#asked = new MinuteCounter(clock);
    this.#refused = new MinuteCounter(clock);
  }

  /**
   * Validated request → limits → person → audit log. `settleElicitation` adds default values to the form's answer and
   * validates it before it is sent.
   * @throws {JsonRpcError} `-32602` for a URL that cannot be opened, `-32603` if the server exceeds the limits
   */
  async handle(request: ElicitRequest, context: ElicitationContext): Promise<ElicitResult> {
    const { server } = context;
    const open = this.#open.get(server) ?? 0;
    this.#open.set(server, open + 1);
    try {
      const review = toReview(request, context);
      const { maximumOpen, maximumPerMinute } = this.#limits;
      if (open >= maximumOpen) throw refused(`more than ${maximumOpen} questions of this server are waiting`);
      if (this.#asked.count(server) >= maximumPerMinute) throw refused('this server asks too often');
      this.#asked.increment(server);
      const decision = await this.#ask(review, context);
      const content = decision.kind === 'accept' ? decision.content : undefined;
      // The names of the fields that were sent, never their values.
      const sent = content && { sent: auditPreview(Object.keys(content).join(', ')) };
      this.#record(request, context, outcomes[decision.kind], { ...sent });
      return { action: decision.kind, ...(content && { content }) };
    } catch (error) {
      if (!(error instanceof JsonRpcError && this.#refused.increment(server) > maximumRecordedRefusals))
        this.#record(request, context, isCancellation(error) ? 'cancelled' : 'failed', { reason: messageOf(error) });
      throw error;
    } finally {
      this.#open.set(server, (this.#open.get(server) ?? 1) - 1);
    }
  }

  #record(request: ElicitRequest, context: ElicitationContext, outcome: string, facts: object): void {
    const { server, cause } = context;
    const detail = { ...(cause !== undefined && { cause }), ...describe(request), ...facts };
    this.#audit.record({ server, action: 'elicitation', outcome, detail });
  }

  async #ask(review: ElicitationReview, context: ElicitationContext): Promise<ElicitationDecision> {
    const session = this.#consent.open(review);
    const waiting = context.waitForPerson?.();
    let isCompleted = false;
    const complete = (): void => {
      isCompleted = true;
      session.complete();
    };
    void context.completed?.then(complete);
    void session.left.then((how) => {
      context.ended?.removeEventListener('abort', complete);
      if (how === 'cancelled') context.cancelCause?.();
      waiting?.dispose();
    });
    try {
      const decision = await raceAbort(session.decision, context.signal);
      // When the server has completed it itself, a cancelled question is not a refusal by the person.
      if (!isCompleted || decision.kind === 'accept') context.onDecision?.(decision.kind === 'accept');
      // The answer is sent; the person may stay on the page until the server says it is complete, or ends.
      context.ended?.addEventListener('abort', complete, { once: true });
      return decision;
    } finally {
      session.dispose();
    }
  }
}

function refused(why: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.internalError, `Elicitation refused: ${why}`);
}

function toReview(request: ElicitRequest, context: ElicitationContext): ElicitationReview {
  const { server, cause, completed, cancelCause } = context;
  const asked = { server, cause, message: request.message };
  if (request.mode === 'form') return { kind: 'form', ...asked, schema: request.requestedSchema };
  const { isRequired = false, wasVisited = false } = request;
  return {
    kind: 'visit',
    ...asked,
    address: checkElicitationUrl(request.url),
    isRequired,
    wasVisited,
    isAnnounced: completed !== undefined,
    canCancel: isRequired || cancelCause !== undefined,
  };
}

function describe(request: ElicitRequest): object {
  const message = auditPreview(request.message);
  if (request.mode === 'form')
    return { mode: 'form', message, fields: Object.keys(request.requestedSchema.properties).length };
  return { mode: 'url', message, address: auditPreview(withoutQuery(request.url)) };
}

/** Query and fragment may contain personal data, so they are not recorded. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '?…');
}

export interface ElicitationLimits {
  readonly maximumOpen: number;
  /** Questions per minute, answered or not. */
  readonly maximumPerMinute: number;
}

export const defaultElicitationLimits: ElicitationLimits = { maximumOpen: 20, maximumPerMinute: 30 };
