import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../protocol/httpAuthorizer.ts';
import type { LoggingLevel } from '../protocol/mcp/logging.ts';
import type { ProtocolSession } from '../protocol/revisions/session.ts';

type AskedSession = Pick<ProtocolSession, 'capabilities' | 'subscribe' | 'setLogLevel'>;

/**
 * What one server was asked to tell from then on: of changes of resources, and what it logs. It is asked again after a
 * restart, and of resources for another account as well.
 */
export interface StandingRequests {
  subscribe(session: AskedSession, uri: string): Promise<void>;
  /** It is not asked for again. */
  forget(uri: string): void;
  setLogLevel(session: AskedSession, level: LoggingLevel): Promise<void>;
  /** The server runs, in a session that knows of none. */
  connected(session: AskedSession): void;
  /** What another account asked for ends with it; whoever is signed in now asks for the same, or it is dropped with a note. */
  enterContext(session: AskedSession, change: ContextChange): void;
}

export function createStandingRequests(logger: Logger): StandingRequests {
  /** Each with the session that knows of it. */
  const known = new Map<string, AskedSession | undefined>();
  let logLevel: LoggingLevel | undefined;

  function askAgain(session: AskedSession, onRefusal: (uri: string, error: unknown) => void): void {
    for (const [uri, asked] of known) {
      if (asked === session) continue;
      session.subscribe(uri).then(
        () => {
          // It may have been given up meanwhile.
          if (known.has(uri)) known.set(uri, session);
        },
        (error: unknown) => onRefusal(uri, error),
      );
    }
  }

  return {
    async subscribe(session, uri) {
      if (known.get(uri) === session) return;
      await session.subscribe(uri);
      known.set(uri, session);
    },
    forget: (uri) => void known.delete(uri),
    async setLogLevel(session, level) {
      await session.setLogLevel(level);
      logLevel = level;
    },
    connected(session) {
      if (logLevel !== undefined && session.capabilities.logging !== undefined)
        session.setLogLevel(logLevel).catch((error: unknown) => logger.debug(() => `log level: ${messageOf(error)}`));
      if (session.capabilities.resources?.subscribe !== true) return;
      askAgain(session, (uri, error) => logger.debug(() => `subscription to ${uri}: ${messageOf(error)}`));
    },
    enterContext(session, change) {
      const isAnother = isAnotherAccount(change);
      const what = change.account === '' ? 'Signed out' : isAnother ? 'Signed in as another account' : 'Signed in';
      logger.info(`${what}: what is not for every account is asked for again.`);
      if (isAnother) for (const uri of known.keys()) known.set(uri, undefined);
      if (change.account === '') return;
      askAgain(session, (uri, error) => {
        known.delete(uri);
        logger.warn(`Changes of ${uri} are not told to the account that is signed in now: ${messageOf(error)}`);
      });
    },
  };
}
