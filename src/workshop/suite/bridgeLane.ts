import type { CancelSignal } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, isRequestId, type JsonRpcMessage, type RequestId } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import type { Transport } from '../../transport/transport.ts';

/** Where the messages for one client go; `end` after the last one. */
export interface BridgeStream {
  write(message: UnknownRecord): void;
  end(): void;
}

interface Pending {
  readonly id: RequestId;
  readonly progressToken: unknown;
  readonly stream: BridgeStream;
}

/**
 * One process or session of the server, which several clients may share: each request gets an id of the lane's own, so that those of two
 * clients never meet.
 */
export class BridgeLane {
  readonly #transport: Transport;
  readonly #pending = new Map<RequestId, Pending>();
  #nextId = 1;
  /** The streams for what belongs to no request, by session. */
  readonly listeners = new Map<string, BridgeStream>();
  /** The answer to `initialize`, for all clients that share the lane. */
  opening: Promise<UnknownRecord> | undefined;
  /** The server knows that it is initialized. */
  isTold = false;
  /** Why it ended by itself. */
  ended: string | undefined;
  #closing: Promise<void> | undefined;

  private constructor(transport: Transport) {
    this.#transport = transport;
    transport.onMessage((message) => {
      if (isRecord(message)) this.#route(message);
    });
    transport.onDidDropAnswer?.(({ id, error }) => this.#fail(id, error.message));
    transport.onDidClose((reason) => {
      this.#end(reason.kind === 'failed' ? reason.error.message : 'The server has ended.');
    });
  }

  /** @throws {PatchbayError} the server could not be started; or the signal's reason */
  static async open(transport: Transport, signal: CancelSignal): Promise<BridgeLane> {
    const lane = new BridgeLane(transport);
    try {
      await transport.start(signal);
    } catch (error) {
      await transport.dispose();
      throw error;
    }
    return lane;
  }

  negotiated(revision: string): void {
    this.#transport.negotiated?.(revision);
  }

  /** Sends a request; its answer ends the stream. @returns the id in the lane, to cancel it */
  request(message: UnknownRecord & { readonly id: RequestId }, stream: BridgeStream, hints: SendHints): RequestId {
    const id = this.#nextId++;
    const params = isRecord(message['params']) ? message['params'] : undefined;
    const meta = isRecord(params?.['_meta']) ? params['_meta'] : undefined;
    const progressToken = meta?.['progressToken'];
    const sent =
      progressToken === undefined ? params : { ...params, _meta: { ...meta, progressToken: `${progressPrefix}${id}` } };
    this.#pending.set(id, { id: message.id, progressToken, stream });
    const outgoing = { ...message, id, ...(sent !== undefined && { params: sent }) } as unknown as JsonRpcMessage;
    this.#transport.send(outgoing, hints).catch((error: unknown) => this.#fail(id, this.ended ?? messageOf(error)));
    return id;
  }

  /** Sends what wants no answer: a notification, or the answer to a request of the server. */
  async send(message: UnknownRecord, hints: SendHints): Promise<void> {
    const { method, params } = message;
    if (method === 'notifications/cancelled' && isRecord(params)) {
      const [id] = [...this.#pending].find(([, pending]) => pending.id === params['requestId']) ?? [];
      if (id === undefined) return;
      await this.#transport.send({ jsonrpc: '2.0', method, params: { ...params, requestId: id } }, hints);
      return;
    }
    await this.#transport.send(message as unknown as JsonRpcMessage, hints);
  }

  /** The client no longer waits. */
  cancel(id: RequestId): void {
    if (!this.#pending.delete(id)) return;
    const params = { requestId: id, reason: 'The client has closed the stream' };
    this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
  }

  /** Ends the server, and all that waits for it. @param why a full sentence */
  drop(why: string): void {
    void this.close();
    this.#end(why);
  }

  #end(why: string): void {
    this.ended ??= why;
    for (const id of this.#pending.keys()) this.#fail(id, this.ended);
    for (const listener of this.listeners.values()) listener.end();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#transport.dispose());
  }

  #route(message: UnknownRecord): void {
    if (this.#closing !== undefined) return;
    const { id, method } = message;
    if (method === undefined && isRequestId(id)) {
      const pending = this.#pending.get(id);
      // Judged by Patchbay's own checks: no client waits for it.
      if (pending === undefined) return;
      this.#pending.delete(id);
      pending.stream.write({ ...message, id: pending.id });
      pending.stream.end();
      return;
    }
    const params = isRecord(message['params']) ? message['params'] : {};
    const target = this.#byProgress(params) ?? this.#bySubscription(params);
    if (target !== undefined) target.pending.stream.write({ ...message, params: target.params });
    else this.#broadcast(message);
  }

  /** A notification is for every client; a request for one, which answers it. */
  #broadcast(message: UnknownRecord): void {
    const listeners = [...this.listeners.values()];
    const chosen = isRequestId(message['id']) ? listeners.slice(-1) : listeners;
    for (const listener of chosen) listener.write(message);
    if (chosen.length === 0) [...this.#pending.values()].at(-1)?.stream.write(message);
  }

  #byProgress(params: UnknownRecord): { readonly pending: Pending; readonly params: UnknownRecord } | undefined {
    const token = params['progressToken'];
    if (typeof token !== 'string' || !token.startsWith(progressPrefix)) return undefined;
    const pending = this.#pending.get(Number(token.slice(progressPrefix.length)));
    return pending && { pending, params: { ...params, progressToken: pending.progressToken } };
  }

  #bySubscription(params: UnknownRecord): { readonly pending: Pending; readonly params: UnknownRecord } | undefined {
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    const id = meta[subscriptionId];
    const pending = this.#pending.get(Number(id));
    if (pending === undefined) return undefined;
    const restored = typeof id === 'string' ? String(pending.id) : pending.id;
    return { pending, params: { ...params, _meta: { ...meta, [subscriptionId]: restored } } };
  }

  #fail(id: RequestId, message: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.stream.write({ jsonrpc: '2.0', id: pending.id, error: { code: ErrorCodes.internalError, message } });
    pending.stream.end();
  }
}

const progressPrefix = 'patchbay-';
const subscriptionId = `${metaPrefix}subscriptionId`;
