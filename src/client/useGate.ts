import { raceAbort } from '../base/abort.ts';
import { messageOf, PatchbayError } from '../base/errors.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';
import type { Activity } from './activity.ts';
import type { AuditEntry, AuditLog } from './auditLog.ts';
import { type DefinedKind, definitionsOf } from './listedDefinitions.ts';
import type { CallOptions, Contents } from './server.ts';
import type { UseGuard } from './useGuard.ts';

/** What of a server is used, in the words of the audit log and of whoever is asked meanwhile. */
export interface Use extends Pick<AuditEntry, 'action' | 'detail'> {
  readonly kind: 'tools' | 'prompts' | 'resources';
  readonly key: string;
  readonly what: string;
}

/** A use whose record somebody else keeps. */
export interface Passage extends Omit<Use, 'action' | 'detail'> {
  /**
   * Has asked whatever else is to be asked of what the server lists now.
   * @returns `undefined` where nothing is left to ask in this very turn; otherwise resolves when it is time to check again
   */
  ask?(): Promise<void> | undefined;
}

/** The one way to whatever a server offers: asks, sends, records. */
export interface UseGate {
  readonly server: UsedServer;
  /** Asks what a use would ask, and sends nothing. */
  admit(kind: DefinedKind, key: string, options: CallOptions): Promise<void>;
  /** Does what {@link use} does, and records nothing. */
  pass<T>(passage: Passage, options: CallOptions, send: (session: ProtocolSession) => Promise<T>): Promise<T>;
  /**
   * Sends in the same turn in which nothing was left to ask. Meanwhile the use shows up as the cause of whatever the
   * server asks.
   */
  use<T>(use: Use, options: CallOptions, send: (session: ProtocolSession) => Promise<T>): Promise<T>;
}

/** A server as it is to whoever uses it. */
export interface UsedServer {
  readonly label: string;
  readonly audit: AuditLog;
  readonly activity: Activity;
  /** The running server. @throws {PatchbayError} `notRunning` */
  readonly session: () => ProtocolSession;
  /** What it lists now. */
  readonly contents: () => Contents;
  /** Resolves when a list that is not there yet has come or failed; `undefined` for any other. */
  readonly listing: (kind: DefinedKind) => Promise<void> | undefined;
  /** Why a list could not be read the last time, or not to its end. */
  readonly listFailure: (kind: DefinedKind) => Error | undefined;
  /** Begins to read a list again that failed. */
  readonly listAgain: (kind: DefinedKind) => void;
  readonly identity: () => string;
}

export interface UseGateOptions extends UsedServer {
  readonly guard: UseGuard | undefined;
}

/** A use that is not sent yet. */
interface PendingUse {
  readonly wanted: Pick<Passage, 'key' | 'ask'> & { readonly kind: DefinedKind };
  readonly options: CallOptions;
  /** Its list had failed, and was read again for it. */
  isListedAgain?: boolean;
}

/** A server that is listed anew faster than anything can be asked is not waited for. */
const maximumRounds = 8;

export function createUseGate(server: UseGateOptions): UseGate {
  const { label, guard, audit, activity } = server;
  /**
   * To be repeated until there is nothing left to ask: what is sent is what was agreed to, even if the server is listed
   * again or restarted while a question is open.
   */
  function check(round: number, use: PendingUse): Promise<void> | undefined {
    const { wanted, options } = use;
    const { kind, key } = wanted;
    server.session();
    if (round > maximumRounds) throw keepsChanging(label, key);
    // Nothing is held against what was listed then, and a server may well answer what it could not list.
    if (guard === undefined) return wanted.ask?.();
    const definitions = definitionsOf(server.contents(), kind, key);
    const isMissing = definitions.length === 0 && hasToBeListed(kind);
    const listing = isMissing ? awaitList(server, use) : undefined;
    if (listing !== undefined) return listing;
    const { origin = 'background', signal } = options;
    const identity = server.identity();
    return guard.check({ server: label, identity, kind, key, definitions, origin, signal }) ?? wanted.ask?.();
  }

  /** @returns `undefined` where the use may be sent in this very turn; otherwise what to wait for before the next round */
  function begin(use: PendingUse): Promise<void> | undefined {
    const listing = server.listing(use.wanted.kind);
    // A use is held against what is listed; most lists have come long ago, and cost no turn.
    return listing === undefined ? check(0, use) : raceAbort(listing, use.options.signal);
  }

  const pass: UseGate['pass'] = async (passage, options, send) => {
    const use: PendingUse = { wanted: passage, options };
    let round = 0;
    // Repeated from `admit`: awaiting a function would let other code run between the last check and sending.
    for (let asked = begin(use); asked !== undefined; asked = check((round += 1), use)) await asked;
    const session = capable(server.session(), label, passage.kind);
    const entry = activity.begin(passage.what);
    try {
      return await send(session);
    } finally {
      entry.dispose();
    }
  };

  return {
    server,
    async admit(kind, key, options) {
      const use: PendingUse = { wanted: { kind, key }, options };
      let round = 0;
      for (let asked = begin(use); asked !== undefined; asked = check((round += 1), use)) await asked;
    },
    pass,
    async use({ kind, key, what, action, detail }, options, send) {
      const record = (outcome: string): void => audit.record({ server: label, action, outcome, detail });
      try {
        const result = await pass({ kind, key, what }, options, send);
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
 * A list that has not come, or has failed, says nothing of what it does not show. Where somebody waits it is read again
 * first, which may lead to a sign-in.
 * @returns `undefined` for a list that is there
 * @throws why it could not be read
 */
function awaitList(server: UsedServer, use: PendingUse): Promise<void> | undefined {
  const { wanted, options } = use;
  const { kind } = wanted;
  const { origin = 'background', signal } = options;
  const failure = server.listFailure(kind);
  const isBeingRead = server.listing(kind) !== undefined;
  if (!isBeingRead && failure === undefined) return undefined;
  if (!isBeingRead && (origin === 'background' || use.isListedAgain)) throw failure;
  const entry = origin === 'background' ? undefined : server.activity.begin(`list of ${kind}`);
  if (!isBeingRead) {
    use.isListedAgain = true;
    server.listAgain(kind);
  }
  return raceAbort(server.listing(kind) ?? Promise.resolve(), signal).finally(() => entry?.dispose());
}

/** A resource may come from a template, or from elsewhere, without being listed. */
function hasToBeListed(kind: DefinedKind): boolean {
  return kind === 'tools' || kind === 'prompts';
}

/** @throws {PatchbayError} `capabilityMissing` */
function capable(session: ProtocolSession, label: string, kind: Use['kind']): ProtocolSession {
  if (session.capabilities[kind] !== undefined) return session;
  throw capabilityMissing(label, kind);
}

export function capabilityMissing(label: string, what: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server "${label}" does not offer ${what}.`);
}

export function notRunning(label: string): PatchbayError {
  return new PatchbayError('notRunning', `The server "${label}" is not running. Start it first.`);
}

function keepsChanging(label: string, key: string): PatchbayError {
  const message = `The server "${label}" keeps changing its definition of "${key}". Nothing was sent to it.`;
  return new PatchbayError('declined', message);
}
