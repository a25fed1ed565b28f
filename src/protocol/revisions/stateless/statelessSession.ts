import { type CancelSignal, delay, linkAbort } from '../../../base/abort.ts';
import { Backoff } from '../../../base/backoff.ts';
import { PausableClock } from '../../../base/clock.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import { type Implementation, invalidResult } from '../../mcp/base.ts';
import { createRequiredElicitation } from '../../mcp/elicitation.ts';
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
import { answerInputRequests, isComplete, readInputRequired } from './multiRoundTrip.ts';
import { Subscriptions } from './subscriptions.ts';
import { ResourceCache } from './resourceCache.ts';
import { createStatelessTasks } from './statelessTasks.ts';
import { readToolHeaders, type ToolHeader, toolHeaderValues } from './toolHeaders.ts';

const maximumPages = 1_000;

/** Maximum counted rounds; a server with more will probably never complete the call. */
const maximumRounds = 100;

/** Delays before a request is repeated that needs time but no input. The time limit of the call ends this. */
const retryPolicy = { initialMs: 250, factor: 1.5, maximumMs: 10_000, limit: Infinity, resetAfterMs: Infinity };

/** A session in 2026-07-28. Log messages are received by `handleEarlyMessages`, to be called before. */
export class StatelessSession implements ProtocolSession {
  readonly revision: StatelessRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tasks: TaskChannel;
  readonly #peer: Peer;
  readonly #setup: SessionSetup;
  readonly #idempotent = new IdempotentRequests();
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
      (uri) => {
        this.#resources.invalidate(uri);
        setup.events.resourceUpdated(uri);
      },
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
    const headers = readToolHeaders(tool.inputSchema);
    this.#toolHeaders.delete(tool.name);
    if (typeof headers === 'string') return `The tool "${tool.name}" was left out: its input schema ${headers}.`;
    if (headers.length > 0) this.#toolHeaders.set(tool.name, headers);
    return undefined;
  }

  invalidateResource(uri: string): void {
    this.#resources.invalidate(uri);
  }

  receivesListChanges(kind: ListKind): boolean {
    return this.#subscriptions.receivesListChanges(kind);
  }

  /** @param keep stores a result that needed no input; others are not cacheable (… / Caching, "Cache Key") */
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
    return this.#completeCall(method, params, options, result);
  }

  /**
   * Continues a call until its result is complete: answers the input requests of an interim result, then repeats the request
   * (2026-07-28, Basic / Patterns / Multi Round-Trip Requests). All input requests of a round must be answered; a declined
   * elicitation counts as an answer, refused sampling or roots do not. Rounds in which a user took part are not counted: the
   * user can end the call.
   * @throws {PatchbayError} `invalidMessage` for an unknown result type or too many rounds, `timeout`; or what
   *   {@link answerInputRequests} throws
   */
  async #completeCall(
    method: string,
    params: UnknownRecord,
    options: RequestOptions,
    first: unknown,
  ): Promise<unknown> {
    const { clock, random, maximumMs } = this.#setup;
    const handlers = this.#createHandlers();
    const linked = linkAbort(options.signal, this.#peer.ended);
    const { signal } = linked;
    const time = new PausableClock(clock);
    const timer = time.after(maximumMs, () => {
      const limit = `${Math.round(maximumMs / 1_000)} s, what the server asked for included.`;
      linked.abort(new PatchbayError('timeout', `${method} was not complete within ${limit}`));
    });
    const backoff = new Backoff(retryPolicy, random);
    let users = 0;
    let hasUser = false;
    const waitForPerson = (): Disposable => {
      hasUser = true;
      users += 1;
      time.pause();
      return toDisposable(() => {
        users -= 1;
        if (users === 0) time.resume();
      });
    };
    try {
      let result = first;
      for (let counted = 0; isRecord(result) && !isComplete(method, result);) {
        const { inputRequests, ...state } = readInputRequired(method, result);
        if (counted === maximumRounds) throw invalidResult(`${method} is not complete after ${maximumRounds} rounds`);
        let inputResponses: UnknownRecord | undefined;
        if (inputRequests === undefined) await delay(clock, backoff.next(0) ?? retryPolicy.maximumMs, signal);
        else {
          backoff.reset();
          hasUser = false;
          inputResponses = await answerInputRequests(inputRequests, handlers, { signal, waitForPerson });
          if (!hasUser) counted += 1;
        }
        const more = { ...(inputResponses && { inputResponses }), ...state };
        result = await this.#send(method, { ...params, ...more }, { ...options, signal });
      }
      return result;
    } finally {
      timer.dispose();
      linked.dispose();
    }
  }

  /** Of input requests; created for each call, since they remember the pages that were visited for it. */
  #createHandlers(): ReadonlyMap<string, RequestHandler> {
    const { elicit, ...others } = this.#setup.requests;
    const requests = { ...others, ...(elicit && { elicit: createRequiredElicitation(elicit) }) };
    return createRequestHandlers(requests, () => this.revision);
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

  /** After a header mismatch, for which no call was executed: reads the headers again. @returns true to retry */
  async #refreshToolHeaders(
    error: unknown,
    method: string,
    params: UnknownRecord,
    options: RequestOptions,
  ): Promise<boolean> {
    if (!this.#setup.isHttp || method !== 'tools/call') return false;
    if (!(error instanceof JsonRpcError) || error.code !== ErrorCodes.headerMismatch) return false;
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
    const request = (cursor: string | undefined): Promise<unknown> =>
      this.#send('tools/list', cursor === undefined ? {} : { cursor }, options);
    const pages = readPages(request, readToolsPage, this.revision, maximumPages);
    for await (const { page } of pages) {
      const tool = page.items.find((item) => item.name === name);
      if (tool !== undefined) return tool;
    }
    return undefined;
  }
}
