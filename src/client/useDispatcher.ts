import { raceAbort } from '../base/abort.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import type { Progress } from '../protocol/progress.ts';
import type { ProtocolSession } from '../protocol/session/session.ts';
import type { Activity } from './activity.ts';
import type { AuditEntry, AuditLog } from './auditLog.ts';
import { type Contents, type DefinedKind, type Definition, definitionsOf } from './contents.ts';

/**
 * Who uses a server: a person through the user interface, another extension, or an automatic action such as an editor that
 * reloads a file. Only the first two may show a question.
 */
export type UseOrigin = 'person' | 'extension' | 'background';

/** How a request is sent on behalf of a caller. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Who asks for it; `background` by default, which never shows a question. */
  readonly origin?: UseOrigin;
}

/** One use of a tool, prompt or resource, before anything is sent. */
export interface ServerUse {
  readonly server: string;
  /** Identifies what was launched: it changes when the label leads to another server. */
  readonly identity: string;
  readonly kind: DefinedKind;
  /** Its name, URI or URI template. */
  readonly key: string;
  /** The definitions that the server lists under the key now. The same list gives the same array. */
  readonly definitions: readonly Definition[];
  readonly origin: UseOrigin;
  readonly signal?: AbortSignal | undefined;
}

/** Port that decides whether a definition may be used. It checks every call, prompt and read, for every caller. */
export interface UseGuard {
  /**
   * @returns `undefined` if the use may be sent in this turn of the event loop; otherwise a promise: check again when it
   * resolves
   * @throws {PatchbayError} `declined`; {@link CancelledError} when the person who started the use declines; the signal's
   * reason
   */
  check(use: ServerUse): Promise<void> | undefined;
}

/** One use of a server, with the texts for the audit log and for questions that appear while it runs. */
export interface RecordedUse extends Pick<AuditEntry, 'action' | 'detail'> {
  readonly kind: 'tools' | 'prompts' | 'resources';
  readonly key: string;
  readonly what: string;
}

/** A use that the caller records. */
export interface ServerUseRequest extends Omit<RecordedUse, 'action' | 'detail'> {
  /**
   * Asks for the caller's own approval of what the server lists now.
   * @returns `undefined` if the use may be sent in this turn; otherwise a promise: check again when it resolves
   */
  confirm?(): Promise<void> | undefined;
}

/** Every use of a tool, prompt or resource passes here: waits for its list, asks the guard, sends, records. */
export interface UseDispatcher {
  readonly server: UsedServer;
  /** Asks everything that a use would ask, and sends nothing. */
  preflight(kind: DefinedKind, key: string, options: CallOptions): Promise<void>;
  /** Like {@link dispatch}, but records nothing. */
  dispatchUnrecorded<T>(
    request: ServerUseRequest,
    options: CallOptions,
    send: (session: ProtocolSession) => Promise<T>,
  ): Promise<T>;
  /**
   * Sends in the same turn of the event loop in which all checks have passed. While it runs, questions of the server show
   * the use as their cause.
   * @throws {PatchbayError} `declined`, `notRunning`, `capabilityMissing`; what `send` throws; cancellation
   */
  dispatch<T>(use: RecordedUse, options: CallOptions, send: (session: ProtocolSession) => Promise<T>): Promise<T>;
}

/** What a use needs to know of its server. */
export interface UsedServer {
  readonly label: string;
  readonly audit: AuditLog;
  readonly activity: Activity;
  /** The running server. @throws {PatchbayError} `notRunning` */
  readonly session: () => ProtocolSession;
  /** The current lists. */
  readonly contents: () => Contents;
  /** Resolves when a list that is being read is complete or has failed; `undefined` if it is not being read. */
  readonly pendingList: (kind: DefinedKind) => Promise<void> | undefined;
  /** Why a list could not be read the last time, or not to its end. */
  readonly listFailure: (kind: DefinedKind) => Error | undefined;
  /** Starts to read a failed list again. */
  readonly reloadList: (kind: DefinedKind) => void;
  readonly identity: () => string;
}

/** A server, and the guard of its definitions; without a guard every use is allowed. */
export interface UseDispatcherOptions extends UsedServer {
  readonly guard: UseGuard | undefined;
}

/** A use that is not sent yet. */
interface PendingUse {
  readonly request: Pick<ServerUseRequest, 'key' | 'confirm'> & { readonly kind: DefinedKind };
  readonly options: CallOptions;
  /** Its list had failed and was read again for this use. */
  isListedAgain?: boolean;
}

/** Rounds of checks after which a server that changes its lists faster than they can be checked is refused. */
const maximumRounds = 8;

/** Creates the dispatcher of one server. */
export function createUseDispatcher(server: UseDispatcherOptions): UseDispatcher {
  const { label, guard, audit, activity } = server;
  /**
   * Repeated until all checks pass in one turn: what is sent is what was approved, even if the server is listed again or
   * restarted while a question is open.
   */
  function check(round: number, use: PendingUse): Promise<void> | undefined {
    const { request, options } = use;
    const { kind, key } = request;
    server.session();
    if (round > maximumRounds) throw changesTooOften(label, key);
    // Without a guard, definitions do not matter: a server may answer a call although its list failed.
    if (guard === undefined) return request.confirm?.();
    const definitions = definitionsOf(server.contents(), kind, key);
    const isMissing = definitions.length === 0 && mustBeListed(kind);
    const listing = isMissing ? ensureListed(server, use) : undefined;
    if (listing !== undefined) return listing;
    const { origin = 'background', signal } = options;
    const identity = server.identity();
    return guard.check({ server: label, identity, kind, key, definitions, origin, signal }) ?? request.confirm?.();
  }

  /** @returns `undefined` if the use may be sent in this turn; otherwise what to wait for before the next round */
  function begin(use: PendingUse): Promise<void> | undefined {
    const listing = server.pendingList(use.request.kind);
    // The use is checked against the list. Usually the list is complete, and this costs no turn.
    return listing === undefined ? check(0, use) : raceAbort(listing, use.options.signal);
  }

  const dispatchUnrecorded: UseDispatcher['dispatchUnrecorded'] = async (request, options, send) => {
    const use: PendingUse = { request, options };
    let round = 0;
    // The same loop as in `preflight`: awaiting a shared function would let other code run between the last check and sending.
    for (let asked = begin(use); asked !== undefined; asked = check((round += 1), use)) await asked;
    const session = requireCapability(server.session(), label, request.kind);
    const entry = activity.begin(request.what);
    try {
      return await send(session);
    } finally {
      entry.dispose();
    }
  };

  return {
    server,
    async preflight(kind, key, options) {
      const use: PendingUse = { request: { kind, key }, options };
      let round = 0;
      for (let asked = begin(use); asked !== undefined; asked = check((round += 1), use)) await asked;
    },
    dispatchUnrecorded,
    async dispatch({ kind, key, what, action, detail }, options, send) {
      const record = (outcome: string): void => audit.record({ server: label, action, outcome, detail });
      try {
        const result = await dispatchUnrecorded({ kind, key, what }, options, send);
        record('done');
        return result;
      } catch (error) {
        record(`failed: ${messageOf(error)}`);
        throw error;
      }
    },
  };
}

/**
 * An entry that is missing from an incomplete or failed list may still exist: waits for the list. For a person or an
 * extension a failed list is read again first, which may lead to a sign-in.
 * @returns `undefined` if the list is complete
 * @throws why it could not be read
 */
function ensureListed(server: UsedServer, use: PendingUse): Promise<void> | undefined {
  const { request, options } = use;
  const { kind } = request;
  const { origin = 'background', signal } = options;
  const failure = server.listFailure(kind);
  const isBeingRead = server.pendingList(kind) !== undefined;
  if (!isBeingRead && failure === undefined) return undefined;
  if (!isBeingRead && (origin === 'background' || use.isListedAgain)) throw failure;
  const entry = origin === 'background' ? undefined : server.activity.begin(`list of ${kind}`);
  if (!isBeingRead) {
    use.isListedAgain = true;
    server.reloadList(kind);
  }
  return raceAbort(server.pendingList(kind) ?? Promise.resolve(), signal).finally(() => entry?.dispose());
}

/** False for resources: they may come from a template, or from elsewhere, without being listed. */
function mustBeListed(kind: DefinedKind): boolean {
  return kind === 'tools' || kind === 'prompts';
}

/** @returns `session`. @throws {PatchbayError} `capabilityMissing` */
function requireCapability(session: ProtocolSession, label: string, kind: RecordedUse['kind']): ProtocolSession {
  if (session.capabilities[kind] !== undefined) return session;
  throw capabilityMissing(label, kind);
}

/** The error for a use that the server does not support. @param what in words, for instance "prompts" */
export function capabilityMissing(label: string, what: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server "${label}" does not offer ${what}.`);
}

/** The error for a use while the server does not run. */
export function notRunning(label: string): PatchbayError {
  return new PatchbayError('notRunning', `The server "${label}" is not running. Start it first.`);
}

function changesTooOften(label: string, key: string): PatchbayError {
  const message = `The server "${label}" keeps changing its definition of "${key}". Nothing was sent to it.`;
  return new PatchbayError('declined', message);
}
