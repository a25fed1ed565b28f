import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { Transport } from '../transport.ts';
import type { HttpClient } from './httpClient.ts';
import type { HttpSession } from './httpSession.ts';
import type { Inbox } from './inbox.ts';

/** What the parts of one Streamable HTTP transport share. */
export interface Wire {
  readonly client: HttpClient;
  readonly inbox: Inbox;
  readonly session: HttpSession;
  readonly url: URL;
  /** The URL as it may be shown. */
  readonly address: string;
  readonly secrets: Transport['secrets'];
  readonly onDidChangeAuthorization: Transport['onDidChangeAuthorization'];
  readonly authorizationContext: Transport['authorizationContext'];
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: MessageLimits;
  /** Streams that are read though nobody waits for them; ends with the transport. */
  readonly streams: DisposableStore;
  readonly note: (text: string) => void;
  /** The server has forgotten the session `id`. Does nothing when there is a newer one. */
  readonly loseSession: (id: string) => void;
}
