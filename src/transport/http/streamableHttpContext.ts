import type { DisposableStore } from '../../base/disposable.ts';
import type { Transport } from '../transport.ts';
import type { HttpContext } from './httpTransport.ts';

export interface StreamableHttpContext extends HttpContext {
  readonly onDidChangeAuthorization: Transport['onDidChangeAuthorization'];
  readonly random: () => number;
  /** Streams that are read in the background; disposed with the transport. */
  readonly streams: DisposableStore;
  /** Marks the session `id` as lost; no-op for an older session. */
  readonly loseSession: (id: string) => void;
}
