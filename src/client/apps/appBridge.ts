import { linkAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord, type JsonObject, type UnknownRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { RequestHandler } from '../../protocol/incomingRequests.ts';
import { JsonRpcError, type OutgoingMessage } from '../../protocol/jsonRpc.ts';
import { appsRevision } from '../../protocol/mcp/apps.ts';
import type { Implementation } from '../../protocol/mcp/base.ts';
import { type CallToolResult, readToolsPage, readCallToolResult, type Tool } from '../../protocol/mcp/tools.ts';
import { Peer } from '../../protocol/peer.ts';
import { type AppIdentity, type AppNotice, readIdentity, readNotice, toWireResult } from './appMessages.ts';

export type AppCallEnd =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'cancelled'; readonly reason: string };

export interface AppBridgeOptions {
  readonly send: (message: OutgoingMessage) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hostInfo: Implementation;
  readonly capabilities: () => UnknownRecord;
  readonly context: () => UnknownRecord;
  /** By method; what they throw as JsonRpcError goes to the app. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  readonly onInitialized: (identity: AppIdentity) => void;
  readonly onNotice: (notice: AppNotice) => void;
}

/** Milliseconds that an app has to say goodbye, and to run a tool of its own. */
const patience = { teardownMs: 1_000, toolMs: 30_000 };
const maximumAppTools = 50;

/**
 * The host's end of the conversation with one document of an app (SEP-1865, "Communication Protocol"). It answers at once, and
 * sends nothing before the app is initialized.
 */
export class AppBridge implements Disposable {
  readonly #options: AppBridgeOptions;
  readonly #incoming = new Emitter<unknown>();
  #peer: Peer;
  #identity: AppIdentity | undefined;
  #isInitialized = false;
  /** What each document gets of the call, in the order that the specification gives: the end only after the arguments. */
  readonly #callNotices: (readonly [method: string, params: UnknownRecord])[] = [];
  #hasInput = false;
  #end: AppCallEnd | undefined;
  /** How many of {@link #callNotices} the document has got. */
  #sentNotices = 0;
  /** Changed between the answer to `ui/initialize` and the app's `initialized`. */
  #lateContext: UnknownRecord | undefined;

  constructor(options: AppBridgeOptions) {
    this.#options = options;
    this.#peer = this.#openPeer();
  }

  /** `undefined` before `ui/initialize`. */
  get identity(): AppIdentity | undefined {
    return this.#identity;
  }

  /** Takes a message of the app; unchecked. */
  receive(message: unknown): void {
    if (this.#identity !== undefined && isRecord(message) && message['method'] === 'ui/initialize') this.#reopenPeer();
    this.#incoming.fire(message);
  }

  /** Arguments as they are being written. Sent only before {@link setInput} (SEP-1865, "Lifecycle"). */
  addPartialInput(args: JsonObject): void {
    if (!this.#hasInput) this.#tellCall('tool-input-partial', { arguments: args });
  }

  /** The arguments of the call that the app is about. Sent once to each document (SEP-1865, "Lifecycle"). */
  setInput(args: JsonObject): void {
    if (this.#hasInput) return;
    this.#hasInput = true;
    this.#tellCall('tool-input', { arguments: args });
    if (this.#end !== undefined) this.#tellEnd(this.#end);
  }

  /** How the call ended. Sent once, after the arguments. */
  setEnd(end: AppCallEnd): void {
    if (this.#end === undefined && this.#hasInput) this.#tellEnd(end);
    this.#end ??= end;
  }

  changeContext(changed: UnknownRecord): void {
    if (this.#isInitialized) this.#notify('ui/notifications/host-context-changed', changed);
    else if (this.#identity !== undefined) this.#lateContext = { ...this.#lateContext, ...changed };
  }

  listChanged(kind: 'tools' | 'resources' | 'prompts'): void {
    if (this.#isInitialized) this.#notify(`notifications/${kind}/list_changed`, {});
  }

  /** Asks the app to end, and waits for its answer, but not for long. Never rejects. @returns whether it answered in time */
  async teardown(reason: string): Promise<boolean> {
    if (!this.#isInitialized) return true;
    // The peer gives more time to those whose own requests are open.
    const linked = linkAbort();
    const timer = this.#options.clock.after(patience.teardownMs, () =>
      linked.abort(new CancelledError('It took too long')),
    );
    try {
      await this.#peer.request('ui/resource-teardown', { reason }, { signal: linked.signal, isCancellable: false });
      return true;
    } catch (error) {
      this.#options.logger.debug(() => `The app did not end by itself: ${messageOf(error)}`);
      // Many apps have no handler: an error is an answer too.
      return error instanceof JsonRpcError;
    } finally {
      timer.dispose();
      linked.dispose();
    }
  }

  /** The tools that the app itself offers, the first 50 (SEP-1865 draft, "App-Provided Tools"). */
  async listTools(): Promise<readonly Tool[]> {
    this.#assertInitialized();
    const answer = await this.#peer.request('tools/list', {});
    return readToolsPage(answer).items.slice(0, maximumAppTools);
  }

  /** @throws {JsonRpcError} the app's error; {@link PatchbayError} `timeout`, `invalidMessage` */
  async callTool(name: string, args: JsonObject): Promise<CallToolResult> {
    this.#assertInitialized();
    return readCallToolResult(await this.#peer.request('tools/call', { name, arguments: args }));
  }

  dispose(): void {
    this.#peer.close(new CancelledError('The app was closed'));
    this.#peer.dispose();
  }

  #openPeer(): Peer {
    const { clock, logger, handlers, send } = this.#options;
    const peer = new Peer({
      channel: {
        onMessage: this.#incoming.event,
        send: async (message) => send(message),
      },
      clock,
      logger,
      requestMs: patience.toolMs,
      maximumMs: patience.toolMs * 2,
    });
    peer.onRequest('ui/initialize', (params) => Promise.resolve(this.#initialize(params)));
    peer.onRequest('ping', () => Promise.resolve({}));
    for (const [method, handler] of Object.entries(handlers)) {
      peer.onRequest(method, (params, context) => {
        if (!this.#isInitialized) logger.warn(`The app sent ${method} before it was initialized.`);
        return handler(params, context);
      });
    }
    peer.onNotification((method, params) => this.#notified(method, params));
    return peer;
  }

  /**
   * An app that initializes again counts its ids from the start: an answer to a request from before could be taken for one to
   * a new request, so those are given up.
   */
  #reopenPeer(): void {
    this.#peer.close(new CancelledError('The app has started again'));
    this.#peer = this.#openPeer();
  }

  /** A document that was loaded again initializes again: everything is sent to it again. */
  #initialize(params: UnknownRecord): object {
    this.#isInitialized = false;
    this.#sentNotices = 0;
    this.#lateContext = undefined;
    this.#identity = readIdentity(params);
    const { hostInfo, capabilities, context } = this.#options;
    return { protocolVersion: appsRevision, hostInfo, hostCapabilities: capabilities(), hostContext: context() };
  }

  #notified(method: string, params: UnknownRecord): boolean {
    if (method === 'ui/notifications/initialized') {
      if (this.#identity === undefined) return false;
      this.#isInitialized = true;
      this.#flush();
      if (this.#lateContext !== undefined) this.changeContext(this.#lateContext);
      this.#lateContext = undefined;
      this.#options.onInitialized(this.#identity);
      return true;
    }
    const notice = readNotice(method, params);
    if (notice !== undefined) this.#options.onNotice(notice);
    // The tools of an app are listed each time.
    return notice !== undefined || method === 'notifications/tools/list_changed';
  }

  #tellEnd(end: AppCallEnd): void {
    if (end.kind === 'cancelled') this.#tellCall('tool-cancelled', { reason: end.reason });
    else this.#tellCall('tool-result', toWireResult(end.result) as UnknownRecord);
  }

  #tellCall(method: string, params: UnknownRecord): void {
    this.#callNotices.push([method, params]);
    if (this.#isInitialized) this.#flush();
  }

  #flush(): void {
    const unsent = this.#callNotices.slice(this.#sentNotices);
    for (const [method, params] of unsent) this.#notify(`ui/notifications/${method}`, params);
    this.#sentNotices = this.#callNotices.length;
  }

  #notify(method: string, params: UnknownRecord): void {
    // An app that is gone hears of nothing.
    this.#peer.notify(method, params).catch(() => {});
  }

  #assertInitialized(): void {
    if (!this.#isInitialized) throw new PatchbayError('notRunning', 'The app is not ready yet. Try again.');
  }
}
