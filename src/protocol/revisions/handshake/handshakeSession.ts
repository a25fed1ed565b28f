import { type CancelSignal, raceAbort } from '../../../base/abort.ts';
import { isPatchbayError, messageOf } from '../../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { isAnotherAccount } from '../../httpAuthorizer.ts';
import { ErrorCodes, JsonRpcError } from '../../jsonRpc.ts';
import type { RequestHandler } from '../../incomingRequests.ts';
import type { Implementation } from '../../mcp/base.ts';
import type { ServerCapabilities } from '../../mcp/lifecycle.ts';
import { type LoggingLevel, readLoggingMessage } from '../../mcp/logging.ts';
import type { Tool } from '../../mcp/tools.ts';
import type { Peer } from '../../peer.ts';
import type { RequestOptions } from '../../pendingRequests.ts';
import { createRequestHandlers } from '../../session/requestHandlers.ts';
import { IdempotentRequests } from '../../session/idempotentRequests.ts';
import { saySessionLost } from '../../session/lostWords.ts';
import { isAtLeast } from '../../session/revision.ts';
import {
  changedList,
  type ListKind,
  listKinds,
  type ProtocolSession,
  type SessionSetup,
} from '../../session/session.ts';
import type { TaskChannel } from '../../session/taskChannel.ts';
import { HandshakeElicitation } from './elicitation.ts';
import { createReinitialize, initialize, type InitializeResult } from './initialize.ts';
import { HandshakeTasks } from './handshakeTasks.ts';

/**
 * Handles messages that may come before the handshake ends: `ping` and logging (2025-11-25, Basic / Lifecycle,
 * "Initialization"). Some servers also need the roots before they answer anything.
 */
export function handleEarlyMessages(peer: Peer, { requests: { listRoots }, events }: SessionSetup): void {
  peer.onRequest('ping', () => Promise.resolve({}));
  if (listRoots !== undefined)
    peer.onRequest(
      'roots/list',
      withRelatedTask((_params, context) => listRoots(context)),
    );
  peer.onNotification((method, params) => {
    if (method !== 'notifications/message') return false;
    events.logged(readLoggingMessage(params));
    return true;
  });
}

/**
 * Opens a session in one of the revisions 2024-11-05 to 2025-11-25, in which both sides send requests. Call
 * {@link handleEarlyMessages} first.
 * @param signal ends the handshake only, `setup.signal` the session
 * @throws what {@link initialize} throws
 */
export async function openHandshakeSession(
  peer: Peer,
  setup: SessionSetup,
  signal: CancelSignal = setup.signal,
): Promise<ProtocolSession> {
  let revision = '';
  const { elicit } = setup.requests;
  const elicitation = elicit && new HandshakeElicitation(peer, elicit);
  const requests = { ...setup.requests, ...(elicitation && { elicit: elicitation.answer }) };
  for (const [method, handler] of createRequestHandlers(requests, () => revision))
    peer.onRequest(method, withRelatedTask(handler));
  receiveEvents(peer, setup);
  const result = await initialize(peer, { ...setup, signal });
  ({ revision } = result);
  return new HandshakeSession(peer, setup, elicitation, result);
}

class HandshakeSession implements ProtocolSession {
  readonly revision: string;
  readonly #peer: Peer;
  readonly #setup: SessionSetup;
  readonly #elicitation: HandshakeElicitation | undefined;
  readonly #idempotent = new IdempotentRequests();
  readonly #tasks: HandshakeTasks;
  #initializeAgain: (() => Promise<InitializeResult>) | undefined;
  /** Subscribed URIs, to be subscribed again in a new session. */
  #subscriptions: Set<string> | undefined;
  #logLevel: LoggingLevel | undefined;
  #current: InitializeResult;
  #renewal: Promise<void> | undefined;
  #renewals = 0;
  #isLost = false;
  #heedsWords = true;

  constructor(
    peer: Peer,
    setup: SessionSetup,
    elicitation: HandshakeElicitation | undefined,
    result: InitializeResult,
  ) {
    this.revision = result.revision;
    this.#peer = peer;
    this.#setup = setup;
    this.#elicitation = elicitation;
    this.#current = result;
    setup.authorizationContext?.onDidChange((change) => {
      if (isAnotherAccount(change)) this.#subscriptions?.clear();
    });
    this.#tasks = new HandshakeTasks(
      peer,
      (...request) => this.#send(...request),
      (...request) => this.#sendWithElicitation(...request),
      setup.logger,
    );
  }

  get server(): Implementation {
    return this.#current.server;
  }

  get capabilities(): ServerCapabilities {
    return this.#current.capabilities;
  }

  get instructions(): string | undefined {
    return this.#current.instructions;
  }

  get tasks(): TaskChannel | undefined {
    return isAtLeast(this.revision, '2025-11-25') ? this.#tasks.channel(this.capabilities) : undefined;
  }

  request(method: string, params?: UnknownRecord, options?: RequestOptions): Promise<unknown> {
    return this.#sendWithElicitation(() => this.#send(method, params, options), options?.signal);
  }

  /** Sends a request, and again after the URL elicitations that the server requires for it. */
  #sendWithElicitation(send: () => Promise<unknown>, signal: CancelSignal | undefined): Promise<unknown> {
    return this.#elicitation === undefined ? send() : this.#elicitation.send(send, signal);
  }

  #send(...request: Parameters<Peer['request']>): Promise<unknown> {
    // Until the renewal ends there is no session to send in.
    if (this.#isLost) return raceAbort(this.renew(), request[2]?.signal).then(() => this.#send(...request));
    const renewals = this.#renewals;
    return this.#peer.request(...request).catch((error: unknown) => this.#retry(error, renewals, request));
  }

  async #retry(error: unknown, renewals: number, request: Parameters<Peer['request']>): Promise<unknown> {
    const [method, params, options] = request;
    const isSaid = !isPatchbayError(error) && this.#saysLost(error);
    if (isSaid || isPatchbayError(error, 'sessionLost')) {
      // Another request may have noticed first, and renewed the session.
      if (renewals === this.#renewals) await raceAbort(this.renew(), options?.signal);
    } else if (!isPatchbayError(error, 'answerLost') || !this.#idempotent.includes(method, params)) throw error;
    // The response was lost, and so was the session.
    else if (this.#isLost) await raceAbort(this.renew(), options?.signal);
    const again = this.#peer.request(...request);
    // In the new session too, so the words are about something else.
    if (isSaid) again.catch((second: unknown) => (this.#heedsWords &&= !this.#saysLost(second)));
    return again;
  }

  /** True where a server over HTTP answers in a lost session with an error of JSON-RPC, and no status. */
  #saysLost(error: unknown): boolean {
    const isOfProtocol = error instanceof JsonRpcError && lostCodes.includes(error.code);
    return isOfProtocol && this.#heedsWords && this.#setup.isHttp && saySessionLost(error.message);
  }

  async subscribe(uri: string): Promise<void> {
    await this.request('resources/subscribe', { uri });
    (this.#subscriptions ??= new Set()).add(uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#subscriptions?.delete(uri);
    await this.request('resources/unsubscribe', { uri });
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    await this.request('logging/setLevel', { level });
    this.#logLevel = level;
  }

  notifyRootsChanged(): Promise<void> {
    return this.#peer.notify('notifications/roots/list_changed');
  }

  async ping(options?: RequestOptions): Promise<void> {
    await this.request('ping', undefined, options);
  }

  validateTool(tool: Tool): undefined {
    this.#idempotent.addTool(tool);
    this.#tasks.addTool(tool);
  }

  receivesListChanges(kind: ListKind): boolean {
    return this.capabilities[kind]?.listChanged === true;
  }

  /** Concurrent calls share one renewal. After a failed renewal, the next request tries again. */
  renew(): Promise<void> {
    this.#isLost = true;
    return (this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined)));
  }

  async #renew(): Promise<void> {
    const { logger, events } = this.#setup;
    // The new session may be lost while its state is restored.
    while (this.#isLost) {
      logger.info('The session has ended; opening a new one.');
      this.#initializeAgain ??= createReinitialize(this.#peer, this.#setup, this.revision);
      this.#current = await this.#initializeAgain();
      this.#renewals += 1;
      this.#isLost = false;
      const level = this.#logLevel;
      if (level !== undefined) await this.#restore('logging/setLevel', { level });
      for (const uri of this.#subscriptions ?? []) await this.#restore('resources/subscribe', { uri });
    }
    for (const kind of listKinds) if (this.capabilities[kind] !== undefined) events.listChanged(kind);
  }

  /** Sends a request that restores state in a new session; a failure is only logged. */
  async #restore(method: string, params: UnknownRecord): Promise<void> {
    try {
      await this.#peer.request(method, params);
    } catch (error) {
      this.#setup.logger.warn(`${method} could not be renewed: ${messageOf(error)}`);
    }
  }
}

function receiveEvents(peer: Peer, { events }: SessionSetup): void {
  peer.onNotification((method, { uri, taskId }) => {
    const list = changedList(method);
    if (list !== undefined) events.listChanged(list);
    else if (method === 'notifications/resources/updated') {
      if (isString(uri)) events.resourceUpdated(uri);
    } else if (method === 'notifications/tasks/status') {
      if (isString(taskId)) events.taskChanged(taskId);
    } else return false;
    return true;
  });
}

/** Of errors that are not about what a request asks for. */
const lostCodes: readonly number[] = [-32_001, -32_002, -32_005, ErrorCodes.invalidRequest];

const relatedTask = 'io.modelcontextprotocol/related-task';

/** Copies `related-task` (2025-11-25, Basic / Utilities / Tasks, "Associating Task-Related Messages"). */
function withRelatedTask(handler: RequestHandler): RequestHandler {
  return async (params, context) => {
    const related = readRelatedTask(params);
    if (related === undefined) return handler(params, context);
    const result: UnknownRecord = {
      ...(await handler(params, {
        ...context,
        reportProgress: (progress) => context.reportProgress({ ...progress, _meta: related }),
      })),
    };
    return { ...result, _meta: { ...(result['_meta'] as UnknownRecord | undefined), ...related } };
  };
}

function readRelatedTask({ _meta }: UnknownRecord): UnknownRecord | undefined {
  const related = isRecord(_meta) ? _meta[relatedTask] : undefined;
  const taskId = isRecord(related) ? related['taskId'] : undefined;
  return isString(taskId) ? { [relatedTask]: { taskId } } : undefined;
}
