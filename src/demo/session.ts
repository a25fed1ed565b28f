import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { CancelledError, messageOf } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { isRecord, isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { createNullLogger } from '../base/logger.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import { classifyMessage, ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import type { ClientCapabilities } from '../protocol/mcp/lifecycle.ts';
import { type LoggingLevel, loggingLevels } from '../protocol/mcp/logging.ts';
import { Peer } from '../protocol/peer.ts';

/** Newest first. Revisions are dates, so they can be compared as text. */
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

type Revision = (typeof revisions)[number];

export type ClientFeature = 'roots' | 'sampling' | 'sampling.tools' | 'elicitation.form' | 'elicitation.url';

/** Answers a request with its result, or throws a {@link JsonRpcError}. */
export type Method = (
  params: UnknownRecord,
  session: Session,
  context: RequestHandlerContext,
) => object | Promise<object>;

/** The error for parameters that do not match the method. @param detail a sentence */
export function invalidParams(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid params: ${detail}`);
}

/** One connection to a client, and all that changes while it lasts. */
export class Session implements Disposable {
  readonly clock: Clock;
  /** Markdown by name, kept in memory only. */
  readonly notes = new Map([
    ['welcome', '# Welcome\n\nThis note is a resource. The tools **add_note** and **remove_note** change the list.\n'],
    ['ideas', '# Ideas\n\n- Run the prompt *plan_trip* and let it complete the city.\n- Watch `demo://clock` tick.\n'],
  ]);
  /** URIs of resources whose updates the client wants to know. */
  readonly subscribed = new Set<string>();
  readonly #write: (line: string) => void;
  readonly #reportError: (text: string) => void;
  readonly #received = new Emitter<unknown>();
  readonly #peer: Peer;
  #revision: Revision | undefined;
  #capabilities: ClientCapabilities = {};
  #logLevel: LoggingLevel = 'info';
  #showsHidden = false;
  #isClosed = false;

  constructor(clock: Clock, write: (line: string) => void, reportError: (text: string) => void) {
    this.clock = clock;
    this.#write = write;
    this.#reportError = reportError;
    this.#peer = new Peer({
      channel: { onMessage: this.#received.event, send: async (message) => this.#send(message) },
      clock,
      logger: createNullLogger(),
      // A person may be asked, who takes any time.
      requestMs: Infinity,
      maximumMs: Infinity,
    });
    this.#peer.onNotification((method) => {
      const isKnown = method === 'notifications/roots/list_changed';
      if (isKnown) this.log('info', 'roots', 'The client changed its roots.');
      return isKnown;
    });
  }

  handle(name: string, method: Method): void {
    this.#peer.onRequest(name, async (params, context) => {
      this.#assertAllowed(name);
      try {
        return await method(params, this, context);
      } catch (error) {
        if (!(error instanceof JsonRpcError || context.signal.aborted))
          this.#reportError(`${name} failed: ${messageOf(error)}`);
        throw error;
      }
    });
  }

  /** @returns the revision that the client asks for, or else the latest one (2025-11-25, Basic / Lifecycle) */
  begin({ protocolVersion, capabilities }: UnknownRecord): Revision {
    if (!isString(protocolVersion)) throw invalidParams('protocolVersion must be a string.');
    this.#revision = revisions.find((revision) => revision === protocolVersion) ?? revisions[0];
    this.#capabilities = isRecord(capabilities) ? capabilities : {};
    return this.#revision;
  }

  /** True if the negotiated revision is `revision` or newer. Before `initialize`, the latest one counts. */
  isAtLeast(revision: Revision): boolean {
    return (this.#revision ?? revisions[0]) >= revision;
  }

  clientHas(feature: ClientFeature): boolean {
    const { roots, sampling, elicitation } = this.#capabilities;
    switch (feature) {
      case 'roots':
        return roots !== undefined;
      case 'sampling':
        return sampling !== undefined;
      case 'sampling.tools':
        return sampling?.tools !== undefined && this.isAtLeast('2025-11-25');
      case 'elicitation.form':
        // An empty object means form mode, as in 2025-06-18 (2025-11-25, Client / Elicitation).
        return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
      case 'elicitation.url':
        return elicitation?.url !== undefined && this.isAtLeast('2025-11-25');
    }
  }

  /** Rejects with the client's {@link JsonRpcError}, or with the signal's reason; an abort cancels the request. */
  request(method: string, params: UnknownRecord, signal: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, { signal });
  }

  notify(method: string, params?: UnknownRecord): void {
    if (!this.#isClosed) void this.#peer.notify(method, params);
  }

  notifyUpdated(uri: string): void {
    if (this.subscribed.has(uri)) this.notify('notifications/resources/updated', { uri });
  }

  /** Sends `notifications/message`, unless the client asked for a higher level. @param topic the name of the logger */
  log(level: LoggingLevel, topic: string, data: JsonValue): void {
    if (loggingLevels.indexOf(level) < loggingLevels.indexOf(this.#logLevel)) return;
    this.notify('notifications/message', { level, logger: topic, data });
  }

  setLogLevel(wanted: unknown): void {
    const level = loggingLevels.find((known) => known === wanted);
    if (level === undefined) throw invalidParams(`level must be one of ${loggingLevels.join(', ')}.`);
    this.#logLevel = level;
  }

  get showsHidden(): boolean {
    return this.#showsHidden;
  }

  showHidden(value: boolean): void {
    if (value === this.#showsHidden) return;
    this.#showsHidden = value;
    for (const list of ['tools', 'prompts']) this.notify(`notifications/${list}/list_changed`);
  }

  /** Handles one line from the client. Never throws; an invalid message gets an error response. */
  receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(ErrorCodes.parseError, `Parse error: ${messageOf(error)}`);
      return;
    }
    // Batches exist only in 2025-03-26 (Basic / Overview).
    const isBatch = Array.isArray(value) && value.length > 0 && this.#revision === '2025-03-26';
    for (const entry of isBatch ? (value as unknown[]) : [value]) {
      const message = classifyMessage(entry);
      if (message.kind === 'malformed' && message.id === undefined)
        this.#refuse(ErrorCodes.invalidRequest, `Invalid request: ${message.reason}`);
      else this.#received.fire(entry);
    }
  }

  /** Aborts all requests in both directions. Nothing is written after this. */
  dispose(): void {
    this.#isClosed = true;
    this.#peer.close(new CancelledError('The client closed the connection.'));
  }

  /** `-32600` for a second `initialize`, and for any method but `ping` before the first. */
  #assertAllowed(method: string): void {
    const isInitialize = method === 'initialize';
    if (method === 'ping' || isInitialize === (this.#revision === undefined)) return;
    const detail = isInitialize ? 'The session is initialized already.' : 'Send "initialize" first.';
    throw new JsonRpcError(ErrorCodes.invalidRequest, `Invalid request: ${detail}`);
  }

  /** For a message whose id could not be read (2025-11-25, Schema / JSONRPCErrorResponse). */
  #refuse(code: number, message: string): void {
    this.#send({ jsonrpc: '2.0', error: { code, message } });
  }

  #send(message: object): void {
    if (!this.#isClosed) this.#write(`${JSON.stringify(message)}\n`);
  }
}
