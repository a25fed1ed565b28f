import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ElicitRequest, ElicitResult } from '../../protocol/mcp/elicitation.ts';
import { type AuditLog, auditPreview, maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import type { ElicitationContext } from '../serverRequests/serverRequestHandlers.ts';
import { checkElicitationUrl } from './checkedUrl.ts';
import type { ElicitationConsent, ElicitationDecision, ElicitationReview } from './ports.ts';

/** Answers elicitation requests of servers with the person's answers. */
export interface ElicitationHandler {
  /**
   * Validated request → limits → person → audit log. `settleElicitation` adds default values to the form's answer and
   * validates it before it is sent.
   * @throws {JsonRpcError} `-32602` for a URL that cannot be opened, `-32603` if the server exceeds the limits
   */
  handle(request: ElicitRequest, context: ElicitationContext): Promise<ElicitResult>;
}

/** The port to the person, and the limits for servers. */
export interface ElicitationHandlerOptions {
  readonly consent: ElicitationConsent;
  readonly limits: ElicitationLimits;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

const outcomes = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

/** Creates the handler of all servers. */
export function createElicitationHandler({
  consent,
  limits,
  clock,
  audit,
}: ElicitationHandlerOptions): ElicitationHandler {
  /** Open questions, by server. */
  const open = new Map<string, number>();
  const asked = new MinuteCounter(clock);
  const refused = new MinuteCounter(clock);

  function record(request: ElicitRequest, context: ElicitationContext, outcome: string, facts: object = {}): void {
    const { server, cause } = context;
    const detail = { ...(cause !== undefined && { cause }), ...describe(request), ...facts };
    audit.record({ server, action: 'elicitation', outcome, detail });
  }

  async function ask(review: ElicitationReview, context: ElicitationContext): Promise<ElicitationDecision> {
    const session = consent.open(review);
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

  return {
    async handle(request, context) {
      const { server } = context;
      const count = open.get(server) ?? 0;
      open.set(server, count + 1);
      try {
        const review = toReview(request, context);
        const refusal = elicitationRefusal({ open: count, recent: asked.count(server) }, limits);
        if (refusal !== undefined) throw new JsonRpcError(ErrorCodes.internalError, `Elicitation refused: ${refusal}`);
        asked.increment(server);
        const decision = await ask(review, context);
        record(request, context, outcomes[decision.kind], sentBy(decision));
        return toResult(decision);
      } catch (error) {
        if (!(error instanceof JsonRpcError && refused.increment(server) > maximumRecordedRefusals))
          record(request, context, isCancellation(error) ? 'cancelled' : 'failed', { reason: messageOf(error) });
        throw error;
      } finally {
        open.set(server, (open.get(server) ?? 1) - 1);
      }
    },
  };
}

function toReview(request: ElicitRequest, context: ElicitationContext): ElicitationReview {
  const { message } = request;
  const { server, cause, completed, cancelCause } = context;
  if (request.mode === 'form') return { kind: 'form', server, cause, message, schema: request.requestedSchema };
  const address = checkElicitationUrl(request.url);
  return {
    kind: 'visit',
    server,
    cause,
    message,
    address,
    isRequired: request.isRequired === true,
    wasVisited: request.wasVisited === true,
    isAnnounced: completed !== undefined,
    canCancelCause: cancelCause !== undefined,
  };
}

function toResult(decision: ElicitationDecision): ElicitResult {
  if (decision.kind !== 'accept' || decision.content === undefined) return { action: decision.kind };
  return { action: 'accept', content: decision.content };
}

/** The names of the fields that were sent, never their values. */
function sentBy(decision: ElicitationDecision): object {
  if (decision.kind !== 'accept' || decision.content === undefined) return {};
  return { sent: auditPreview(Object.keys(decision.content).join(', ')) };
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

/** Limits for the questions of one server. */
export interface ElicitationLimits {
  /** Questions that are open at the same time. */
  readonly maximumOpen: number;
  /** Questions per minute, answered or not. */
  readonly maximumPerMinute: number;
}

/** The limits unless settings change them. */
export const defaultElicitationLimits: ElicitationLimits = { maximumOpen: 20, maximumPerMinute: 30 };

/**
 * Decides whether a question is refused before it is shown.
 * @param state open questions of the same server, and those of the last minute
 * @returns the reason, as the end of a sentence; `undefined` if the question may be shown
 */
function elicitationRefusal(
  state: { readonly open: number; readonly recent: number },
  limits: ElicitationLimits,
): string | undefined {
  if (state.open >= limits.maximumOpen) return `more than ${limits.maximumOpen} questions of this server are waiting`;
  return state.recent >= limits.maximumPerMinute ? 'this server asks too often' : undefined;
}
