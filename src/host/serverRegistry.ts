import type { AuthorizationDescription } from '../auth/authorizer.ts';
import type { MissingSignIn } from '../auth/ports.ts';
import type { Event } from '../base/event.ts';
import type { ContentKind, Server } from '../client/server.ts';
import type { ConfiguredServer } from '../config/configuredServer.ts';
import type { Waiting } from './attendance.ts';

/** A configured server and its connection, together for as long as the label stays configured. */
export interface HostServer {
  readonly label: string;
  readonly configured: ConfiguredServer;
  readonly server: Server;
  /** The definition changed after the running process was started; a restart would use the new one. */
  readonly isStale: boolean;
  /** Every message of the server is shown. */
  readonly isTraced: boolean;
  /** How its label could be taken for another, in a few words; `undefined` for nearly all. */
  readonly lookAlike: string | undefined;
  /** The server has asked the person something, and waits for the answer. */
  readonly isAsking: boolean;
  /** What the server asks is refused unseen: the person has refused too much of it. */
  readonly isMuted: boolean;
  /** Why the server is without the sign-in it needs, for some of what it is asked at least. */
  readonly missingSignIn: MissingSignIn | undefined;
  /** The sign-in it was last used with in this window. */
  readonly authorization: AuthorizationDescription | undefined;
  /** Starts it for somebody who may be asked for approval, values and a sign-in; `server.start` asks nobody. */
  start(waiting: Waiting, signal?: AbortSignal, until?: ContentKind): Promise<void>;
  restart(waiting: Waiting): Promise<void>;
}

/** All servers of the window, in the order of their configuration. */
export interface ServerRegistry {
  readonly servers: readonly HostServer[];
  get(label: string): HostServer | undefined;
  /**
   * The configuration changed: servers may have come, gone or been redefined. State and contents have events of their own
   * on each {@link Server}.
   */
  readonly onDidChangeServers: Event<void>;
  /** Any server's state or contents changed: at most one event each turn of the event loop. */
  readonly onDidChangeAny: Event<HostServer>;
}
