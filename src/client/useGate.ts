import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
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

/** The one way to whatever a server offers: asks, sends, records. */
export interface UseGate {
  /** Asks what a use would ask, and sends nothing. */
  admit(kind: DefinedKind, key: string, options: CallOptions): Promise<void>;
  /**
   * Sends in the same turn in which nothing was left to ask. Meanwhile the use shows up as the cause of whatever the
   * server asks.
   */
  use<T>(
    use: Use,
    options: CallOptions,
    send: (session: ProtocolSession) => Promise<T>,
    outcomeOf?: (result: T) => string,
  ): Promise<T>;
}

export interface UseGateOptions {
  readonly label: string;
  readonly guard: UseGuard | undefined;
  readonly audit: AuditLog;
  readonly activity: Activity;
  /** The running server. @throws {PatchbayError} `notRunning` */
  readonly session: () => ProtocolSession;
  /** What it lists now. */
  readonly contents: () => Contents;
  /** Resolves when a list that is being read for the first time has come or failed; `undefined` for any other. */
  readonly listing: (kind: DefinedKind) => Promise<void> | undefined;
  readonly identity: () => string;
}

/** A server that is listed anew faster than anything can be asked is not waited for. */
const maximumRounds = 5;

export function createUseGate({ label, guard, audit, activity, ...server }: UseGateOptions): UseGate {
  /**
   * To be repeated until there is nothing left to ask: what is sent is what was agreed to, even if the server is listed
   * again or restarted while a question is open.
   */
  function check(round: number, kind: DefinedKind, key: string, options: CallOptions): Promise<void> | undefined {
    server.session();
    if (guard === undefined) return undefined;
    if (round > maximumRounds)
      throw new PatchbayError(
        'declined',
        `The server "${label}" keeps changing its definition of "${key}". Nothing was sent to it.`,
      );
    const definitions = definitionsOf(server.contents(), kind, key);
    const { origin = 'background', signal } = options;
    return guard.check({ server: label, identity: server.identity(), kind, key, definitions, origin, signal });
  }

  function sessionFor(kind: Use['kind']): ProtocolSession {
    const session = server.session();
    if (session.capabilities[kind] !== undefined) return session;
    throw capabilityMissing(label, kind);
  }

  return {
    async admit(kind, key, options) {
      await raceAbort(server.listing(kind) ?? Promise.resolve(), options.signal);
      let asked = check(0, kind, key, options);
      for (let round = 1; asked !== undefined; round += 1) {
        await asked;
        asked = check(round, kind, key, options);
      }
    },
    async use({ kind, key, what, action, detail }, options, send, outcomeOf = () => 'done') {
      const record = (outcome: string): void => audit.record({ server: label, action, outcome, detail });
      let entry: Disposable | undefined;
      try {
        const listing = server.listing(kind);
        // A use is held against what is listed; most lists have come long ago, and cost no turn.
        if (listing !== undefined) await raceAbort(listing, options.signal);
        let asked = check(0, kind, key, options);
        for (let round = 1; asked !== undefined; round += 1) {
          await asked;
          asked = check(round, kind, key, options);
        }
        entry = activity.begin(what);
        const result = await send(sessionFor(kind));
        record(outcomeOf(result));
        return result;
      } catch (error) {
        record(`failed: ${messageOf(error)}`);
        throw error;
      } finally {
        entry?.dispose();
      }
    },
  };
}

export function capabilityMissing(label: string, what: string): PatchbayError {
  return new PatchbayError('capabilityMissing', `The server "${label}" does not offer ${what}.`);
}
