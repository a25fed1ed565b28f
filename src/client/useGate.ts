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
  readonly identity: () => string;
}

/** A server that is listed anew faster than anything can be asked is not waited for. */
const maximumRounds = 5;

export function createUseGate({ label, guard, audit, activity, ...server }: UseGateOptions): UseGate {
  /**
   * Checks until there is nothing left to ask: what is sent is what was agreed to, even if the server is listed again or
   * restarted while a question is open.
   */
  async function admitted<T>(kind: DefinedKind, key: string, options: CallOptions, then: () => Promise<T>): Promise<T> {
    const { origin = 'background', signal } = options;
    for (let round = 0; round <= maximumRounds; round += 1) {
      server.session();
      const definitions = guard && definitionsOf(server.contents(), kind, key);
      const use = definitions && { server: label, identity: server.identity(), kind, key, definitions, origin, signal };
      const asked = use && guard.check(use);
      if (asked === undefined) return then();
      await asked;
    }
    throw new PatchbayError(
      'declined',
      `The server "${label}" keeps changing its definition of "${key}". Nothing was sent to it.`,
    );
  }

  async function send<T>({ kind, what }: Use, work: (session: ProtocolSession) => Promise<T>): Promise<T> {
    const entry = activity.begin(what);
    try {
      const session = server.session();
      if (session.capabilities[kind] === undefined)
        throw new PatchbayError('capabilityMissing', `The server "${label}" does not offer ${kind}.`);
      return await work(session);
    } finally {
      entry.dispose();
    }
  }

  return {
    admit: (kind, key, options) => admitted(kind, key, options, async () => {}),
    async use(use, options, work, outcomeOf = () => 'done') {
      const { action, detail } = use;
      const record = (outcome: string): void => audit.record({ server: label, action, outcome, detail });
      try {
        const result = await admitted(use.kind, use.key, options, () => send(use, work));
        record(outcomeOf(result));
        return result;
      } catch (error) {
        record(`failed: ${messageOf(error)}`);
        throw error;
      }
    },
  };
}
