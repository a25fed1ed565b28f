import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { CancelSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { AsyncDisposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { isRequestId, type RequestId } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { createRequestMeta, createSendHints, metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { isStatelessRevision, latestStatelessRevision } from '../../protocol/session/revision.ts';
import type { CheckTarget } from '../own/wireProbe.ts';
import { BridgeLane, type BridgeStream } from './bridgeLane.ts';

export interface Bridge extends AsyncDisposable {
  /** With a secret in its path. */
  readonly url: string;
}

interface BridgePorts {
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** Milliseconds until the first answer, from which on a process is shared. */
  readonly slowMs?: number;
}

/** The suite's requests are small. */
const maximumBodyBytes = 1024 * 1024;

/** Processes that wait for their next request: older ones are stopped. */
const maximumIdle = 3;

const bridgeInfo = { name: 'patchbay-check', version: '1.0.0' };

const jsonType = { 'content-type': 'application/json' };

/**
 * An HTTP server on loopback that gives a server to the official suite, which knows HTTP only: one process or session for each
 * session of the suite; one for all where the server starts slowly.
 */
export async function startBridge(target: CheckTarget, ports: BridgePorts): Promise<Bridge> {
  const path = `/${crypto.randomUUID()}/mcp`;
  const lanes = new BridgeLanes(target, ports);
  const server = createServer((request, response) => {
    answer(request, response, path, lanes).catch((error: unknown) => refuse(response, 500, messageOf(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async dispose() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([lanes.close(), closed]);
    },
  };
}

/** The lanes of one run, by session. */
class BridgeLanes {
  readonly #target: CheckTarget;
  readonly #ports: BridgePorts;
  readonly #sessions = new Map<string, BridgeLane>();
  readonly #all = new Set<BridgeLane>();
  #stateless: Promise<BridgeLane> | undefined;
  #shared: { readonly key: string; readonly lane: BridgeLane } | undefined;

  constructor(target: CheckTarget, ports: BridgePorts) {
    this.#target = target;
    this.#ports = ports;
  }

  get(session: string | undefined): BridgeLane | undefined {
    return session === undefined ? undefined : this.#sessions.get(session);
  }

  stateless(): Promise<BridgeLane> {
    return (this.#stateless ??= this.#openStateless());
  }

  /** Over stdio some servers take the era of their first message for that of all: the suite may begin with a wrong one. */
  async #openStateless(): Promise<BridgeLane> {
    const lane = await this.#open();
    const meta = createRequestMeta({ clientInfo: bridgeInfo, capabilities: {} }, latestStatelessRevision);
    // The first alone may be a probe: a client may still choose the handshake after it.
    for (const method of ['server/discover', 'tools/list']) {
      const hints = createSendHints(latestStatelessRevision, method);
      await new Promise<void>((resolve) => {
        const stream: BridgeStream = { write: () => {}, end: resolve };
        lane.request({ jsonrpc: '2.0', id: method, method, params: { _meta: meta } }, stream, hints);
      });
    }
    return lane;
  }

  async #open(): Promise<BridgeLane> {
    const transport = await this.#target.createTransport(this.#target.plan);
    const lane = await BridgeLane.open(transport, this.#ports.clock, this.#ports.signal);
    this.#all.add(lane);
    return lane;
  }

  /** @returns the lane, and a session id to be given to the client */
  async begin(key: string): Promise<{ readonly lane: BridgeLane; readonly session: string }> {
    const lane = this.#shared?.key === key ? this.#shared.lane : await this.#open();
    this.#endIdle(lane);
    const session = crypto.randomUUID();
    this.#sessions.set(session, lane);
    return { lane, session };
  }

  initialized(lane: BridgeLane, key: string, result: UnknownRecord): void {
    if (typeof result['protocolVersion'] === 'string') lane.negotiated(result['protocolVersion']);
    lane.initialized = result;
    if ((lane.firstAnswerMs ?? 0) >= (this.#ports.slowMs ?? 1_000)) this.#shared ??= { key, lane };
  }

  async end(session: string): Promise<void> {
    const lane = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (lane === undefined || lane === this.#shared?.lane) return;
    this.#all.delete(lane);
    await lane.close();
  }

  #endIdle(current: BridgeLane): void {
    const idle = [...this.#sessions].filter(
      ([, lane]) => !lane.isBusy && lane.listener === undefined && lane !== current && lane !== this.#shared?.lane,
    );
    for (const [session] of idle.slice(0, Math.max(idle.length - maximumIdle, 0))) void this.end(session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((lane) => lane.close()));
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  lanes: BridgeLanes,
): Promise<void> {
  if (!isFromHere(request)) return refuse(response, 403, 'Only for the test suite on this machine.');
  if (request.url !== path) return refuse(response, 404, 'Not found.');
  const session = headerOf(request, 'mcp-session-id');
  const lane = lanes.get(session);
  if (request.method === 'POST') return take(request, response, lanes, session);
  if (request.method === 'GET' && lane !== undefined) return listen(response, lane);
  if (request.method !== 'DELETE') return refuse(response, 405, 'Not allowed.');
  if (session !== undefined) await lanes.end(session);
  response.writeHead(lane === undefined ? 404 : 200).end();
}

/** A page in a browser, also under a name that it has for this machine, is refused. */
function isFromHere({ headers, socket }: IncomingMessage): boolean {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  const { host = '', origin } = headers;
  return hosts.includes(host) && (origin === undefined || hosts.some((name) => origin === `http://${name}`));
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  lanes: BridgeLanes,
  session: string | undefined,
): Promise<void> {
  const message = await readMessage(request);
  if (message === undefined) return refuse(response, 400, 'Not a JSON-RPC message.', -32700);
  const hints = hintsFor(request, message);
  if (message['method'] === 'initialize' && isRequestId(message['id']) && hints.isStateless !== true)
    return initialize(response, lanes, { ...message, id: message['id'] });
  const lane = hints.isStateless === true ? await lanes.stateless() : lanes.get(session);
  if (lane === undefined) return refuse(response, session === undefined ? 400 : 404, 'No such session.');
  const { id, method } = message;
  if (typeof method === 'string' && isRequestId(id)) {
    const sent = lane.request({ ...message, id }, createStream(response, hints.isStateless === true), hints);
    response.on('close', () => lane.cancel(sent));
    return;
  }
  // A lane that is shared was told before.
  const isKnown = method === 'notifications/initialized' && lane.initialized?.['told'] === true;
  if (!isKnown) await lane.send(message, hints);
  if (method === 'notifications/initialized') lane.initialized = { ...lane.initialized, told: true };
  response.writeHead(202).end();
}

/** 2026-07-28 needs no session; the headers of the request go to a server behind HTTP too. */
function hintsFor({ headers }: IncomingMessage, { params }: UnknownRecord): SendHints {
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  const isStateless = isStatelessRevision(headers['mcp-protocol-version']) || `${metaPrefix}protocolVersion` in meta;
  if (!isStateless) return {};
  const passed = Object.entries(headers).filter(([name]) => name.startsWith('mcp-') && name !== 'mcp-session-id');
  return { isStateless, headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])) };
}

async function initialize(
  response: ServerResponse,
  lanes: BridgeLanes,
  message: UnknownRecord & { readonly id: RequestId },
): Promise<void> {
  const { clientInfo: _, ...offered } = isRecord(message['params']) ? message['params'] : {};
  const key = JSON.stringify(offered);
  const { lane, session } = await lanes.begin(key);
  const headers = { ...jsonType, 'mcp-session-id': session };
  const send = (body: UnknownRecord): void => void response.writeHead(200, headers).end(JSON.stringify(body));
  if (lane.initialized !== undefined) {
    const { told: _told, ...result } = lane.initialized;
    return send({ jsonrpc: '2.0', id: message.id, result });
  }
  const stream: BridgeStream = {
    write(body) {
      // What precedes the answer has no stream yet.
      if (body['id'] !== message.id || 'method' in body) return;
      if (isRecord(body['result'])) lanes.initialized(lane, key, body['result']);
      send(body);
    },
    end: () => {},
  };
  lane.request(message, stream, {});
}

function listen(response: ServerResponse, lane: BridgeLane): void {
  const stream = createStream(response, false);
  response.writeHead(200, eventStream);
  response.flushHeaders();
  lane.listener = stream;
  response.on('close', () => {
    if (lane.listener === stream) lane.listener = undefined;
  });
}

const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** An answer alone is JSON; with messages before it, a stream of events. */
function createStream(response: ServerResponse, isStateless: boolean): BridgeStream {
  return {
    write(message) {
      if (!response.headersSent && !('method' in message)) {
        response.writeHead(isStateless ? statusOf(message) : 200, jsonType).end(JSON.stringify(message));
        return;
      }
      if (!response.headersSent) response.writeHead(200, eventStream);
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    end: () => void response.end(),
  };
}

/** 2026-07-28, Basic / Transports / Streamable HTTP, "Sending Messages". */
function statusOf({ error }: UnknownRecord): number {
  const code = isRecord(error) ? error['code'] : undefined;
  if (code === -32601) return 404;
  return code === -32602 || (typeof code === 'number' && code <= -32020 && code >= -32022) ? 400 : 200;
}

async function readMessage(request: IncomingMessage): Promise<UnknownRecord | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maximumBodyBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function refuse(response: ServerResponse, status: number, message: string, code = -32000): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, jsonType).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}
