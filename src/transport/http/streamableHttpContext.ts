import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { Transport } from '../transport.ts';
import type { HttpClient } from './httpClient.ts';
import type { HttpSession } from './httpSession.ts';
import type { ResponseRouter } from './responseRouter.ts';

/** The shared state and ports of one Streamable HTTP transport. */
export interface StreamableHttpContext {
  readonly client: HttpClient;
  readonly router: ResponseRouter;
  readonly session: HttpSession;
  readonly url: URL;
  /** The URL for texts, without secrets. */
  readonly address: string;
  readonly secrets: Transport['secrets'];
  readonly onDidChangeAuthorization: Transport['onDidChangeAuthorization'];
  readonly authorizationContext: Transport['authorizationContext'];
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: MessageLimits;
  /** Streams that are read in the background; disposed with the transport. */
  readonly streams: DisposableStore;
  readonly note: (text: string) => void;
  /** Marks the session `id` as lost; no-op for an older session. */
  readonly loseSession: (id: string) => void;
}
