import { linkAbort, raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { RequestHandlerContext } from '../../protocol/incomingRequests.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ElicitRequest, ElicitResult } from '../../protocol/mcp/elicitation.ts';
import { appsCapability, appsExtension } from '../../protocol/mcp/apps.ts';
import { type ClientCapabilities, skillsExtension } from '../../protocol/mcp/lifecycle.ts';
import type { Root } from '../../protocol/mcp/roots.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { ServerRequestHandlers } from '../../protocol/session/session.ts';
import { type AuditLog, maximumRecordedRefusals, MinuteCounter } from '../auditLog.ts';
import { MutedError, type Mutes } from '../mutes.ts';

export interface RequestContext {
  readonly server: string;
  /** Digest of what was launched; absent if the person asks, and not the server. */
  readonly definition?: (() => Promise<string>) | undefined;
  /** What the server was doing for the user, for instance "tool summarize". */
  readonly cause: string | undefined;
  readonly signal: AbortSignal;
  /** Pauses the timeouts of the waiting request until disposed, because a person decides. */
  readonly waitForPerson?: () => Disposable;
  readonly onDecision?: (isApproved: boolean) => void;
}

/** The origin of an elicitation request, and the events that end it. */
export interface ElicitationContext extends RequestContext {
  /** Resolves when the server reports that a URL elicitation is complete. Absent if the server cannot report it. */
  readonly completed: Promise<void> | undefined;
  /** Aborted when the connection ends, even after the answer. */
  readonly ended?: AbortSignal | undefined;
  /** Cancels the user's request that caused the question. Absent if unknown. */
  readonly cancelCause?: (() => void) | undefined;
}

/** Answers requests of servers. A missing function means that its capability is not declared. */
export interface ClientFeaturePorts {
  readonly roots?: (server: string) => readonly Root[];
  readonly sampling?: (request: SamplingRequest, context: RequestContext) => Promise<SamplingResult>;
  readonly elicitation?: (request: ElicitRequest, context: ElicitationContext) => Promise<ElicitResult>;
  /** Whether apps of servers can be shown; asked with each start. Absent where they cannot. */
  readonly apps?: () => boolean;
  /** Absent if a program answers, not a person. */
  readonly mutes?: Mutes;
}

export interface Requester {
  readonly label: string;
  /** Digest of what was launched. Absent for an app: no rule covers it. */
  readonly definition?: () => Promise<string>;
  /** Describes what the server is doing for the user now, for the person who decides. */
  readonly cause: () => string | undefined;
}

/** The capabilities declared to one server, and the handlers of its requests, for every revision. */
export function createServerRequestHandlers(
  requesting: Requester,
  ports: ClientFeaturePorts,
  audit: AuditLog,
  clock: Clock,
): { readonly capabilities: ClientCapabilities; readonly handlers: ServerRequestHandlers } {
  const { label: server } = requesting;
  const { roots, sampling, elicitation, mutes, apps } = ports;
  let lastRecorded: string | undefined;

  /**
   * Sends `file:` URIs only (2025-11-25, Client Features / Roots). Records the same roots once: repeated requests must not
   * flood the audit log.
   */
  function recordRoots(sent: readonly Root[]): readonly Root[] {
    const wrong = sent.find(({ uri }) => !uri.startsWith('file:'));
    if (wrong !== undefined) throw new PatchbayError('configuration', `The root ${wrong.uri} is not a file: URI.`);
    const uris = sent.map(({ uri }) => uri).join(' ');
    if (uris !== lastRecorded) audit.record({ server, action: 'roots', outcome: 'given', detail: { roots: uris } });
    lastRecorded = uris;
    return sent;
  }

  const ask = createQuestioner(requesting, mutes, audit, clock);

  return {
    // Assigned, as V8 gives each object with such spreads a hidden class of its own.
    capabilities: Object.assign(
      { extensions: { [skillsExtension]: {}, ...(apps?.() === true && { [appsExtension]: appsCapability }) } },
      roots && { roots: { listChanged: true } },
      sampling && { sampling: { tools: {} } },
      elicitation && { elicitation: { form: {}, url: {} } },
    ),
    handlers: {
      ...(roots && { listRoots: () => Promise.resolve({ roots: recordRoots(roots(server)) }) }),
      ...(sampling && {
        createMessage: (request, context) => ask('sampling', context, (asked) => sampling(request, asked), rejectMuted),
      }),
      ...(elicitation && {
        elicit: (request, context) => {
          const { completed, ended, cancelCause } = context;
          const answer = (asked: RequestContext): Promise<ElicitResult> =>
            elicitation(request, { ...asked, completed, ended, cancelCause });
          return ask('elicitation', context, answer, () => ({ action: 'decline' }));
        },
      }),
    },
  };
}

/**
 * Creates the function that asks for a server or one of its apps, and counts the person's decisions. Its `refuse` answers, or throws,
 * while the server is muted.
 */
export function createQuestioner(
  { label: server, definition, cause }: Requester,
  mutes: Mutes | undefined,
  audit: AuditLog,
  clock: Clock,
) {
  const refused = new MinuteCounter(clock);
  return async <T>(
    kind: 'sampling' | 'elicitation',
    context: RequestHandlerContext,
    answer: (asked: RequestContext) => Promise<T>,
    refuse: () => T,
  ): Promise<T> => {
    if (mutes?.isMuted(server, 'questions') === true) {
      const detail = { reason: 'the server is muted' };
      if (refused.increment(kind) <= maximumRecordedRefusals)
        audit.record({ server, action: kind, outcome: 'refused', detail });
      return refuse();
    }
    const linked = linkAbort(context.signal);
    const { signal } = linked;
    const muted = new MutedError();
    const watch = mutes?.onDidChange((label) => {
      if (label === server && mutes.isMuted(server, 'questions')) linked.abort(muted);
    });
    let isApproved: boolean | undefined;
    const onDecision = (is: boolean): void => void (isApproved = is);
    try {
      const { waitForPerson, reportProgress } = context;
      const asked: RequestContext = { server, definition, cause: cause(), signal, waitForPerson, onDecision };
      return await withKeepaliveProgress({ signal, reportProgress }, clock, () => answer(asked));
    } catch (error) {
      if (signal.reason !== muted) throw error;
      // Its handler has recorded how it ended.
      return refuse();
    } finally {
      watch?.dispose();
      linked.dispose();
      // Last, because it may mute the server, which ends its other questions.
      if (isApproved !== undefined) mutes?.recordDecision(server, 'questions', isApproved);
    }
  };
}

/** What a request for a model gets while its server is muted. */
export function rejectMuted(): never {
  throw new JsonRpcError(ErrorCodes.userRejected, 'User rejected sampling request');
}

/** Milliseconds between progress notifications: a person may take minutes, and servers often time out after one. */
const progressIntervalMs = 10_000;

/** Sends progress notifications until `answer` settles, so that the server does not time out. */
async function withKeepaliveProgress<T>(
  context: Pick<RequestHandlerContext, 'signal' | 'reportProgress'>,
  clock: Clock,
  answer: () => Promise<T>,
): Promise<T> {
  let progress = 0;
  const schedule = (): Disposable =>
    clock.after(progressIntervalMs, () => {
      progress += 1;
      context.reportProgress({ progress });
      timer = schedule();
    });
  let timer = schedule();
  try {
    return await raceAbort(answer(), context.signal);
  } finally {
    timer.dispose();
  }
}
