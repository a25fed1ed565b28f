import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import type { LoggingLevel } from '../../protocol/mcp/logging.ts';
import type { ProtocolSession } from '../../protocol/session/session.ts';

type SubscribedSession = Pick<ProtocolSession, 'capabilities' | 'subscribe' | 'setLogLevel'>;

/**
 * The resource subscriptions and the log level of one server. They are requested again after a restart; subscriptions
 * also after the account has changed.
 */
export interface Subscriptions {
  /** Subscribes to a resource unless this session is subscribed already. @throws what the request throws */
  subscribe(session: SubscribedSession, uri: string): Promise<void>;
  /** Does not subscribe to the resource again. Sends nothing. */
  remove(uri: string): void;
  /** Forgets all: they were made with another program, and their URIs are nothing to the one that is started now. */
  clear(): void;
  /** Sets the level now and after each restart. @throws what the request throws */
  setLogLevel(session: SubscribedSession, level: LoggingLevel): Promise<void>;
  /** A new session is open: restores the subscriptions and the log level in it. */
  connected(session: SubscribedSession): void;
  /** The account or its scopes changed: subscribes again for another account, and drops and logs what it refuses. */
  authorizationChanged(session: SubscribedSession, change: ContextChange): void;
}

/** Creates an empty set. @param logger of the server */
export function createSubscriptions(logger: Logger): Subscriptions {
  /** The session that is subscribed, by URI; `undefined` if none is. */
  const known = new Map<string, SubscribedSession | undefined>();
  let logLevel: LoggingLevel | undefined;

  function askAgain(session: SubscribedSession, onRefusal: (uri: string, error: unknown) => void): void {
    for (const [uri, asked] of known) {
      if (asked === session) continue;
      session.subscribe(uri).then(
        () => {
          // It may have been unsubscribed in the meantime.
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
    remove: (uri) => void known.delete(uri),
    clear: () => known.clear(),
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
    authorizationChanged(session, change) {
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
