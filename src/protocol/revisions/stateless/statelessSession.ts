import { isPatchbayError, PatchbayError } from '../../../base/errors.ts';
import { isString, type UnknownRecord } from '../../../base/json.ts';
import { JsonRpcError } from '../../jsonRpc.ts';
import type { Implementation } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import { type LoggingLevel, readLoggingMessage } from '../../mcp/logging.ts';
import { readToolsPage, type Tool } from '../../mcp/tools.ts';
import type { SendHints } from '../../messageChannel.ts';
import type { Peer, RequestOptions } from '../../peer.ts';
import { createAnswers } from '../answers.ts';
import { createRepeatable } from '../repeatable.ts';
import type { StatelessRevision } from '../revision.ts';
import type { ListKind, ProtocolSession, SessionSetup } from '../session.ts';
import type { TaskChannel } from '../taskChannel.ts';
import type { Discovered } from './discovered.ts';
import { createEnvelope, createHints } from './envelope.ts';
import { createInputStep } from './inputRounds.ts';
import { completeCall, type InterimStep, isComplete } from './interimResults.ts';
import { createListener, type Listener } from './listen.ts';
import { createReadCache } from './readCache.ts';
import { createStatelessTasks } from './taskChannel.ts';
import { readToolHeaders, type ToolHeader, toolHeaderValues } from './toolHeaders.ts';

/** Creates a session in 2026-07-28: each request is complete in itself, and the server sends none. */
export function createStatelessSession(peer: Peer, setup: SessionSetup, discovered: Discovered): ProtocolSession {
  return new StatelessSession(peer, setup, discovered);
}

/** The headers of a request do not match its body (2026-07-28, Basic, "Error Codes"). */
const headerMismatch = -32020;

/** Maximum pages that are searched for one tool. */
const maximumPages = 1_000;

class StatelessSession implements ProtocolSession {
  readonly revision: StatelessRevision;
  readonly server: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly tasks: TaskChannel;
  readonly #peer: Peer;
  readonly #setup: SessionSetup;
  readonly #repeatable = createRepeatable();
  /** Required headers, by the names of the tools. */
  readonly #toolHeaders = new Map<string, readonly ToolHeader[]>();
  readonly #reads;
  readonly #steps: ReadonlyMap<string, () => InterimStep>;
  readonly #listener: Listener;
  #envelope: UnknownRecord;

  constructor(peer: Peer, setup: SessionSetup, { revision, server, capabilities, instructions }: Discovered) {
    const { clock, random, logger, events, onDidChangeAuthorization, authorizationContext } = setup;
    this.revision = revision;
    this.server = server;
    this.capabilities = capabilities;
    this.instructions = instructions;
    this.#peer = peer;
    this.#setup = setup;
    this.#envelope = createEnvelope(setup, revision);
    this.#reads = createReadCache(clock);
    authorizationContext?.onDidChange(() => this.#reads.dropPrivate());
    const answers = (): ReturnType<typeof createAnswers> => createAnswers(setup.requests, revision);
    this.#steps = new Map([['input_required', createInputStep(answers, clock, random)]]);
    this.tasks = createStatelessTasks((...request) => this.#complete(...request), answers, logger);
    peer.refuseRequests();
    peer.onNotification('notifications/message', (params) => events.logged(readLoggingMessage(params)));
    this.#listener = createListener({
      peer,
      listen: (params, options) => this.#post('subscriptions/listen', params, options),
      capabilities,
      events: { listChanged: events.listChanged, resourceUpdated: (uri) => this.#resourceUpdated(uri) },
      onDidChangeAuthorization,
      authorizationContext,
      clock,
      random,
      logger,
    });
  }

  async request(method: string, params: UnknownRecord = {}, options: RequestOptions = {}): Promise<unknown> {
    if (method !== 'resources/read' || !isString(params['uri'])) return this.#complete(method, params, options);
    options.signal?.throwIfAborted();
    const { uri } = params;
    const kept = this.#reads.get(uri);
    if (kept !== undefined) return kept;
    return this.#complete(method, params, options, this.#reads.begin(uri));
  }

  subscribe(uri: string): Promise<void> {
    return this.#listener.subscribe(uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#listener.unsubscribe(uri);
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    this.#envelope = createEnvelope(this.#setup, this.revision, level);
  }

  async notifyRootsChanged(): Promise<void> {
    // The server asks for the roots each time it needs them.
  }

  async ping(options: RequestOptions = {}): Promise<void> {
    await this.#post('server/discover', {}, options);
  }

  admitTool(tool: Tool): string | undefined {
    this.#repeatable.learn(tool);
    if (!this.#setup.isHttp) return undefined;
    const read = readToolHeaders(tool.inputSchema);
    this.#toolHeaders.delete(tool.name);
    if (read.kind === 'invalid') return `The tool "${tool.name}" was left out: its input schema ${read.fault}.`;
    if (read.headers.length > 0) this.#toolHeaders.set(tool.name, read.headers);
    return undefined;
  }

  forgetRead(uri: string): void {
    this.#reads.drop(uri);
  }

  hearsOf(kind: ListKind): boolean {
    return this.#listener.hearsOf(kind);
  }

  /** @param keep stores a result that needed no input; others are not cacheable (2026-07-28, Server / Utilities / Caching, "Cache Key") */
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
    const { clock, maximumMs } = this.#setup;
    const resend = (more: UnknownRecord, signal: AbortSignal): Promise<unknown> =>
      this.#send(method, { ...params, ...more }, { ...options, signal });
    const signals = [options.signal, this.#peer.ended];
    return completeCall(result, { method, resend }, this.#steps, { signals, maximumMs, clock });
  }

  /** Sends a request, and repeats it once where that is safe. @returns the raw result, which may be interim */
  async #send(method: string, params: UnknownRecord, options: RequestOptions): Promise<unknown> {
    try {
      return await this.#post(method, params, options);
    } catch (error) {
      const isLost = isPatchbayError(error, 'answerLost') && this.#repeatable.includes(method, params);
      const mayRepeat = isLost || (await this.#hasNewHeaders(error, method, params, options));
      if (!mayRepeat) throw error;
      return this.#post(method, params, options);
    }
  }

  async #post(method: string, params: UnknownRecord, options: RequestOptions): Promise<unknown> {
    const meta = params['_meta'] as UnknownRecord | undefined;
    const sent = { ...params, _meta: meta === undefined ? this.#envelope : { ...meta, ...this.#envelope } };
    if (!this.#setup.isHttp) return this.#peer.request(method, sent, options);
    return this.#peer.request(method, sent, {
      ...options,
      hints: { ...options.hints, ...this.#hints(method, params) },
    });
  }

  #hints(method: string, params: UnknownRecord): SendHints {
    const headers = method === 'tools/call' ? this.#toolHeaders.get(String(params['name'])) : undefined;
    const more = headers && toolHeaderValues(headers, params['arguments']);
    return createHints(this.revision, method, params, more);
  }

  /** After a header mismatch, which means that the call was not executed: reads the tool's headers again. @returns true to retry */
  async #hasNewHeaders(
    error: unknown,
    method: string,
    params: UnknownRecord,
    options: RequestOptions,
  ): Promise<boolean> {
    if (!this.#setup.isHttp || method !== 'tools/call') return false;
    if (!(error instanceof JsonRpcError) || error.code !== headerMismatch) return false;
    const tool = await this.#findTool(params['name'], options.signal);
    if (tool === undefined) return false;
    const reason = this.admitTool(tool);
    // The tool list changed, so it must be read again.
    this.#setup.events.listChanged('tools');
    if (reason !== undefined) throw new PatchbayError('invalidMessage', reason, { cause: error });
    return true;
  }

  async #findTool(name: unknown, signal: AbortSignal | undefined): Promise<Tool | undefined> {
    const options = signal === undefined ? {} : { signal };
    let cursor: string | undefined;
    for (let page = 0; page < maximumPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const { items, nextCursor } = readToolsPage(await this.#send('tools/list', params, options));
      const tool = items.find((item) => item.name === name);
      if (tool !== undefined || nextCursor === undefined || nextCursor === cursor) return tool;
      cursor = nextCursor;
    }
    return undefined;
  }

  #resourceUpdated(uri: string): void {
    this.#reads.drop(uri);
    this.#setup.events.resourceUpdated(uri);
  }
}
