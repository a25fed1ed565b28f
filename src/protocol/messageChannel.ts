import type { Event } from '../base/event.ts';
import type { JsonRpcMessage } from './jsonRpc.ts';

/** What a peer needs of a transport: messages in, messages out. */
export interface MessageChannel {
  /** One parsed JSON value each; not yet checked to be JSON-RPC. */
  readonly onMessage: Event<unknown>;
  /** Resolves when the message is handed on, later under back-pressure; rejects once closed. */
  send(message: JsonRpcMessage): Promise<void>;
}
