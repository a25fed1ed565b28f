import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import type { Progress } from '../protocol/progress.ts';
import type { ProtocolSession } from '../protocol/session/session.ts';
import type { AuditEntry, AuditLog } from './auditLog.ts';
import { type Contents, type DefinedKind, type Definition, definitionsOf } from './contents.ts';

/**
 * Who uses a server: a person through the user interface, another extension, or an automatic action such as an editor that
 * reloads a file. Only the first two may show a question.
 */
export type UseOrigin = 'person' | 'extension' | 'background';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Who asks for it; `background` by default, which never shows a question. */
  readonly origin?: UseOrigin;
  /** Called when the use waits for an answer about a definition that has changed. */
  readonly onQuestion?: (() => void) | undefined;
}

/** One use of a tool, prompt or resource, before anything is sent. */
export interface ServerUse {
  readonly server: string;
  /** Identifies what was launched: it changes when the label leads to another server. */
  readonly identity: string;
  readonly kind: DefinedKind;
  readonly key: string;
  /** The definitions that the server lists under the key now. The same list gives the same array. */
  readonly definitions: readonly Definition[];
  readonly origin: UseOrigin;
  readonly signal?: AbortSignal | undefined;
  /** See {@link CallOptions.onQuestion}. */
  readonly onQuestion?: (() => void) | undefined;
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

/** A use that the caller records. */
export interface ServerUseRequest {
  readonly kind: 'tools' | 'prompts' | 'resources';
  readonly key: string;
  readonly what: string;
  /**
   * Asks for the caller's own approval of what the server lists now.
   * @returns `undefined` if the use may be sent in this turn; otherwise a promise: check again when it resolves
   */
  confirm?(): Promise<void> | undefined;
}

export interface UsedServer {
  readonly label: string;
  readonly audit: AuditLog;
  readonly activity: Activity;
  /** Without it every use is allowed. */
  readonly guard: UseGuard | undefined;
  /** The running server. @throws {PatchbayError} `notRunning` */
  readonly session: () => ProtocolSession;
  readonly contents: () => Contents;
  /** Resolves when a list that is being read is complete or has failed; `undefined` if it is not being read. */
  readonly pendingList: (kind: DefinedKind) => Promise<void> | undefined;
  /** See `Catalogue.currentList`. */
  readonly currentList: (kind: DefinedKind) => Promise<void> | undefined;
  /** Why a list could not be read the last time, or not to its end. */
  readonly listFailure: (kind: DefinedKind) => Error | undefined;
  readonly reloadList: (kind: DefinedKind) => void;
  readonly identity: () => string;
}

interface PendingUse {
  readonly request: Pick<ServerUseRequest, 'key' | 'confirm'> & { readonly kind: DefinedKind };
  readonly options: CallOptions;
  /** Its list had failed and was read again for this use. */
  isListedAgain?: boolean;
}

/** Rounds of checks after which a server that changes its lists faster than they can be checked is refused. */
const maximumRounds = 8;

/** Every use of a tool, prompt or resource of one server passes here: waits for its list, asks the guard, sends, records. */
export class UseDispatcher {
  readonly server: UsedServer;

  constructor(server: UsedServer) {
    this.server = server;
  }

  /** Asks everything that a use would ask, and sends nothing. */
  async preflight(kind: DefinedKind, key: string, options: CallOptions): Promise<void> {
    const use: PendingUse = { request: { kind, key }, options };
    let round = 0;
    for (let asked = this.#begin(use); asked !== undefined; asked = this.#check((round += 1), use)) await asked;
  }

  /** Like {@link dispatch}, but records nothing. */
  async dispatchUnrecorded<T>(
    request: ServerUseRequest,
    options: CallOptions,
    send: (session: ProtocolSession) => Promise<T>,
  ): Promise<T> {
    const use: PendingUse = { request, options };
    let round = 0;
    // The same loop as in `preflight`: awaiting a shared function would let other code run between the last check and sending.
    for (let asked = this.#begin(use); asked !== undefined; asked = this.#check((round += 1), use)) await asked;
    const { label, activity } = this.server;
    const session = this.server.session();
    if (session.capabilities[request.kind] === undefined) throw capabilityMissing(label, request.kind);
    const entry = activity.begin(request.what);
    try {
      return await send(session);
    } finally {
      entry.dispose();
    }
  }

  /**
   * Sends in the same turn of the event loop in which all checks have passed. While it runs, questions of the server show
   * the use as their cause.
   * @throws {PatchbayError} `declined`, `notRunning`, `capabilityMissing`; what `send` throws; cancellation
   */
  async dispatch<T>(
    use: ServerUseRequest & Pick<AuditEntry, 'action' | 'detail'>,
    options: CallOptions,
    send: (session: ProtocolSession) => Promise<T>,
  ): Promise<T> {
    const { action, detail } = use;
    const { label: server, audit } = this.server;
    try {
      const result = await this.dispatchUnrecorded(use, options, send);
      audit.record({ server, action, outcome: 'done', detail });
      return result;
    } catch (error) {
      audit.record({ server, action, outcome: `failed: ${messageOf(error)}`, detail });
      throw error;
    }
  }

  /** @returns `undefined` if the use may be sent in this turn; otherwise what to wait for before the next round */
  #begin(use: PendingUse): Promise<void> | undefined {
    const listing = this.server.currentList(use.request.kind);
    // The use is checked against the list. Usually the list is complete, and this costs no turn.
    return listing === undefined ? this.#check(0, use) : raceAbort(listing, use.options.signal);
  }

  /**
   * Repeated until all checks pass in one turn: what is sent is what was approved, even if the server is listed again or
   * restarted while a question is open.
   */
  #check(round: number, pending: PendingUse): Promise<void> | undefined {
    const { request, options } = pending;
    const { kind, key } = request;
    const { label: server, guard } = this.server;
    this.server.session();
    const changes = `The server "${server}" keeps changing its definition of "${key}". Nothing was sent to it. Try again when it stays the same, or stop the server.`;
    if (round > maximumRounds) throw new PatchbayError('declined', changes);
    // Without a guard, definitions do not matter: a server may answer a call although its list failed.
    if (guard === undefined) return this.#whenListed(pending, request.confirm?.());
    const definitions = definitionsOf(this.server.contents(), kind, key);
    // A resource may come from a template, or from elsewhere, without being listed.
    const mustBeListed = kind === 'tools' || kind === 'prompts';
    const listing = definitions.length === 0 && mustBeListed ? this.#ensureListed(pending) : undefined;
    if (listing !== undefined) return listing;
    const { origin = 'background', signal, onQuestion } = options;
    const identity = this.server.identity();
    const use: ServerUse = { server, identity, kind, key, definitions, origin, signal, onQuestion };
    return this.#whenListed(pending, guard.check(use) ?? request.confirm?.());
  }

  /** What the server has said of its list while a question was open counts in the next round. */
  #whenListed({ request, options }: PendingUse, asked: Promise<void> | undefined): Promise<void> | undefined {
    return asked?.then(() => raceAbort(this.server.currentList(request.kind) ?? Promise.resolve(), options.signal));
  }

  /**
   * An entry that is missing from an incomplete or failed list may still exist: waits for the list. For a person or an
   * extension a failed list is read again first, which may lead to a sign-in.
   * @returns `undefined` if the list is complete
   * @throws why it could not be read
   */
  #ensureListed(use: PendingUse): Promise<void> | undefined {
    const { kind } = use.request;
    const { origin = 'background', signal } = use.options;
    const { server } = this;
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
}

/** The operations that run on one server for the user now. Consent questions show them as the reason. */
export class Activity {
  readonly #running = new Set<{ readonly what: string }>();

  /** @param what in a few words, for instance "tool summarize". Dispose the result when the operation ends. */
  begin(what: string): Disposable {
    const entry = { what, dispose: () => void this.#running.delete(entry) };
    this.#running.add(entry);
    return entry;
  }

  /** The running operations, newest last, or `undefined` when there are none. */
  describe(): string | undefined {
    return this.#running.size === 0 ? undefined : [...this.#running].map(({ what }) => what).join(', ');
  }
}

/** The error for a use that the server does not support. @param what in words, for instance "prompts" */
export function capabilityMissing(label: string, what: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server "${label}" does not offer ${what}.`);
}

export function notRunning(label: string): PatchbayError {
  return new PatchbayError('notRunning', `The server "${label}" is not running. Start it first.`);
}
