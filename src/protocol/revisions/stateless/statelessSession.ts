import type { CancelSignal } from '../../../base/abort.ts';
import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isString, type UnknownRecord } from '../../../base/json.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
import type { Implementation } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import type { LoggingLevel } from '../../mcp/logging.ts';
import { readToolsPage, type Tool } from '../../mcp/tools.ts';
import type { SendHints } from '../../messageChannel.ts';
import type { Peer } from '../../peer.ts';
import type { RequestHandler } from '../../incomingRequests.ts';
import type { RequestOptions } from '../../pendingRequests.ts';
import { createRequestHandlers } from '../../session/requestHandlers.ts';
import { IdempotentRequests } from '../../session/idempotentRequests.ts';
import { readPages } from '../../session/pagination.ts';
import type { StatelessRevision } from '../../session/revision.ts';
import type { ListKind, ProtocolSession, SessionSetup } from '../../session/session.ts';
import type { TaskChannel } from '../../session/taskChannel.ts';
import type { DiscoverResult } from './discover.ts';
import { createRequestMeta, createSendHints } from './requestMetadata.ts';
import { completeCall, isComplete } from './multiRoundTrip.ts';
import { Subscriptions } from './subscriptions.ts';
import { ResourceCache } from './resourceCache.ts';
import { createStatelessTasks } from './statelessTasks.ts';
import { readToolHeaders, type ToolHeader, toolHeaderValues } from './toolHeaders.ts';

/** The headers of a request do not match its body (2026-07-28, Basic, "Error Codes"). */
const headerMismatch = -32020;

/** Maximum pages that are searched for one tool. */
const maximumPages = 1_000;

/**
 * Creates a session in 2026-07-28: each request is complete in itself, and the server sends none. Log messages are received by
 * `handleEarlyMessages`, which must have been called.
 */
export class StatelessSession implements ProtocolSession {
  readonly revision: StatelessRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tasks: TaskChannel;
  readonly #peer: Peer;
  readonly #setup: SessionSetup;
  readonly #idempotent = new IdempotentRequests();
  /** Required headers, by the names of the tools. */
  readonly #toolHeaders = new Map<string, readonly ToolHeader[]>();
  readonly #resources;
  readonly #subscriptions: Subscriptions;
  #meta: UnknownRecord;

  constructor(peer: Peer, setup: SessionSetup, { revision, server, capabilities, instructions }: DiscoverResult) {
    const { clock, logger, authorizationContext } = setup;
    this.revision = revision;
    this.server = server;
    this.capabilities = capabilities;
    this.instructions = instructions;
    this.#peer = peer;
    this.#setup = setup;
    this.#meta = createRequestMeta(setup, revision);
    this.#resources = new ResourceCache(clock);
    authorizationContext?.onDidChange(() => this.#resources.clearPrivate());
    this.tasks = createStatelessTasks(
      (...request) => this.#complete(...request),
      () => this.#createHandlers(),
      logger,
    );
    peer.refuseRequests();
    this.#subscriptions = new Subscriptions(
      peer,
      setup,
      capabilities,
      (params, options) => this.#post('subscriptions/listen', params, options),
      (uri) => this.#resourceUpdated(uri),
    );
  }

  async request(method: string, params: UnknownRecord = {}, options: RequestOptions = {}): Promise<unknown> {
    if (method !== 'resources/read' || !isString(params['uri'])) return this.#complete(method, params, options);
    options.signal?.throwIfAborted();
    const { uri } = params;
    const kept = this.#resources.get(uri);
    if (kept !== undefined) return kept;
    return this.#complete(method, params, options, this.#resources.begin(uri));
  }

  subscribe(uri: string): Promise<void> {
    return this.#subscriptions.subscribe(uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#subscriptions.unsubscribe(uri);
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    this.#meta = createRequestMeta(this.#setup, this.revision, level);
  }

  async notifyRootsChanged(): Promise<void> {
    // The server asks for the roots each time it needs them.
  }

  async ping(options: RequestOptions = {}): Promise<void> {
    await this.#post('server/discover', {}, options);
  }

  validateTool(tool: Tool): string | undefined {
    this.#idempotent.addTool(tool);
    if (!this.#setup.isHttp) return undefined;
    const read = readToolHeaders(tool.inputSchema);
    this.#toolHeaders.delete(tool.name);
    if (read.kind === 'invalid') return `The tool "${tool.name}" was left out: its input schema ${read.fault}.`;
    if (read.headers.length > 0) this.#toolHeaders.set(tool.name, read.headers);
    return undefined;
  }

  invalidateResource(uri: string): void {
    this.#resources.invalidate(uri);
  }

  receivesListChanges(kind: ListKind): boolean {
    return this.#subscriptions.receivesListChanges(kind);
  }

  /**
   * @param keep stores a result that needed no input; others are not cacheable (2026-07-28, Server Features / Utilities
   * / Caching, "Cache Key")
   */
  async #complete(
    method: string,
    params: UnknownRecord,
    options: RequestOptions,
    keep?: (result: unknown) => void,
  ): Promise<unknown> {
    const result = await this.#send(method, params, options);
    if (isComplete(method, result)) {
      keep?.(result);
      return result;
    }
    const { clock, random, maximumMs } = this.#setup;
    const resend = (more: UnknownRecord, signal: AbortSignal): Promise<unknown> =>
      this.#send(method, { ...params, ...more }, { ...options, signal });
    const signals = [options.signal, this.#peer.ended];
    return completeCall(result, { method, resend }, this.#createHandlers(), { signals, maximumMs, clock, random });
  }

  /** Of input requests; created for each call, since they remember the pages that were visited for it. */
  #createHandlers(): ReadonlyMap<string, RequestHandler> {
    return createRequestHandlers(this.#setup.requests, this.revision);
  }

  /** Sends a request, and repeats it once where that is safe. @returns the raw result, which may be interim */
  async #send(method: string, params: UnknownRecord, options: RequestOptions): Promise<unknown> {
    try {
      return await this.#post(method, params, options);
    } catch (error) {
      const isLost = isPatchbayError(error, 'answerLost') && this.#idempotent.includes(method, params);
      const mayRepeat = isLost || (await this.#refreshToolHeaders(error, method, params, options));
      if (!mayRepeat) throw error;
      return this.#post(method, params, options);
    }
  }

  async #post(method: string, params: UnknownRecord, options: RequestOptions): Promise<unknown> {
    const meta = params['_meta'] as UnknownRecord | undefined;
    const sent = Object.assign({}, params, { _meta: meta === undefined ? this.#meta : { ...meta, ...this.#meta } });
    if (!this.#setup.isHttp) return this.#peer.request(method, sent, options);
    const hints = Object.assign({}, options.hints, this.#hints(method, params));
    return this.#peer.request(method, sent, Object.assign({}, options, { hints }));
  }

  #hints(method: string, params: UnknownRecord): SendHints {
    const headers = method === 'tools/call' ? this.#toolHeaders.get(String(params['name'])) : undefined;
    const more = headers && toolHeaderValues(headers, params['arguments']);
    return createSendHints(this.revision, method, params, more);
  }

  /**
   * After a header mismatch, which means that the call was not executed: reads the tool's headers again.
   * @returns true to retry
   */
  async #refreshToolHeaders(
    error: unknown,
    method: string,
    params: UnknownRecord,
    options: RequestOptions,
  ): Promise<boolean> {
    if (!this.#setup.isHttp || method !== 'tools/call') return false;
    if (!(error instanceof JsonRpcError) || error.code !== headerMismatch) return false;
    const tool = await this.#findTool(params['name'], options.signal);
    if (tool === undefined) return false;
    const reason = this.validateTool(tool);
    // The tool list changed, so it must be read again.
    this.#setup.events.listChanged('tools');
    if (reason !== undefined) throw new PatchbayError('invalidMessage', reason, { cause: error });
    return true;
  }

  async #findTool(name: unknown, signal: CancelSignal | undefined): Promise<Tool | undefined> {
    const options = signal === undefined ? {} : { signal };
    const pages = readPages({
      request: (cursor) => this.#send('tools/list', cursor === undefined ? {} : { cursor }, options),
      read: readToolsPage,
      revision: this.revision,
      maximumPages,
    });
    for await (const { page } of pages) {
      const tool = page.items.find((item) => item.name === name);
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  #resourceUpdated(uri: string): void {
    this.#resources.invalidate(uri);
    this.#setup.events.resourceUpdated(uri);
  }
}
