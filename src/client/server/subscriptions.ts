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
export class Subscriptions {
  readonly #logger: Logger;
  /** The session that is subscribed, by URI; `undefined` if none is. */
  readonly #known = new Map<string, SubscribedSession | undefined>();
  #logLevel: LoggingLevel | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Subscribes to a resource unless this session is subscribed already. @throws what the request throws */
  async subscribe(session: SubscribedSession, uri: string): Promise<void> {
    if (this.#known.get(uri) === session) return;
    await session.subscribe(uri);
    this.#known.set(uri, session);
  }

  /** Does not subscribe to the resource again. Sends nothing. */
  remove(uri: string): void {
    this.#known.delete(uri);
  }

  /** Forgets all: they were made with another program, and their URIs are nothing to the one that is started now. */
  clear(): void {
    this.#known.clear();
  }

  /** Sets the level now and after each restart. @throws what the request throws */
  async setLogLevel(session: SubscribedSession, level: LoggingLevel): Promise<void> {
    await session.setLogLevel(level);
    this.#logLevel = level;
  }

  /** A new session is open: restores the subscriptions and the log level in it. */
  connected(session: SubscribedSession): void {
    const { resources, logging } = session.capabilities;
    const note = (what: string, error: unknown): void => this.#logger.debug(() => `${what}: ${messageOf(error)}`);
    if (this.#logLevel !== undefined && logging !== undefined)
      session.setLogLevel(this.#logLevel).catch((error: unknown) => note('log level', error));
    if (resources?.subscribe === true) this.#askAgain(session, (uri, error) => note(`subscription to ${uri}`, error));
  }

  /** The account or its scopes changed: subscribes again for another account, and drops and logs what it refuses. */
  authorizationChanged(session: SubscribedSession, change: ContextChange): void {
    const isAnother = isAnotherAccount(change);
    const what = change.account === '' ? 'Signed out' : isAnother ? 'Signed in as another account' : 'Signed in';
    this.#logger.info(`${what}: what is not for every account is asked for again.`);
    if (isAnother) for (const uri of this.#known.keys()) this.#known.set(uri, undefined);
    if (change.account === '') return;
    this.#askAgain(session, (uri, error) => {
      this.#known.delete(uri);
      this.#logger.warn(`Changes of ${uri} are not sent to the account that is signed in now: ${messageOf(error)}`);
    });
  }

  #askAgain(session: SubscribedSession, onRefusal: (uri: string, error: unknown) => void): void {
    for (const [uri, asked] of this.#known) {
      if (asked === session) continue;
      session.subscribe(uri).then(
        () => {
          // It may have been unsubscribed in the meantime.
          if (this.#known.has(uri)) this.#known.set(uri, session);
        },
        (error: unknown) => onRefusal(uri, error),
      );
    }
  }
}
