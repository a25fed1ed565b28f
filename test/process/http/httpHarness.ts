import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import type { ServerLimits } from '../../../src/base/limits.ts';
import { parseServerAddress, type ServerAddress } from '../../../src/base/serverAddress.ts';
import type { RemoteLaunchPlan } from '../../../src/base/launchPlan.ts';
import type { JsonRpcMessage } from '../../../src/protocol/jsonRpc.ts';
import type { SendHints } from '../../../src/protocol/messageChannel.ts';
import type { HttpPorts } from '../../../src/transport/http/requestSender.ts';
import { createHttpTransports } from '../../../src/transport/http/streamableHttpTransport.ts';
import type { CloseReason, Transport, TransportLog } from '../../../src/transport/transport.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import type { TestSocket } from '../../fixtures/testSocket.ts';
import { type AwaitedClock, createAwaitedClock } from './awaitedClock.ts';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed body; empty where there is none. */
  readonly message: UnknownRecord;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void;

/** A real HTTP server on loopback, or on a socket, that calls a handler and records each request. */
export interface HttpServer {
  /** Its address without the path of the requests. */
  readonly origin: string;
  /** 0 on a socket. */
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** How many connections were opened so far. */
  readonly connections: number;
  /** Requests of one method or JSON-RPC method, in order. */
  seen(method: string): readonly SeenRequest[];
  handler: Handler;
  /** Resolves with the request number `count` of `method`. */
  request(method: string, count?: number): Promise<SeenRequest>;
  /** Closes every connection and stops listening. */
  stop(): Promise<void>;
}

/** Starts a server for the current test. */
export async function serve(handler: Handler, place: number | TestSocket = 0): Promise<HttpServer> {
  const requests: SeenRequest[] = [];
  const waiters: (() => void)[] = [];
  const server: Server = createServer((incoming, response) => void receive(incoming, response));
  // Of Node's 5 seconds, a busy machine takes more between two calls.
  server.keepAliveTimeout = 60_000;

  let connections = 0;
  server.on('connection', () => (connections += 1));

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming).catch(() => '');
    const message = body === '' ? {} : (JSON.parse(body) as UnknownRecord);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, message };
    requests.push(request);
    waiters.splice(0).forEach((wake) => wake());
    started.handler(request, response);
  }

  const listening = once(server, 'listening');
  if (typeof place === 'number') server.listen(place, '127.0.0.1');
  else server.listen(place.path);
  await listening;
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const started: HttpServer = {
    origin: typeof place === 'number' ? `http://127.0.0.1:${port}` : place.url(''),
    port,
    requests,
    get connections() {
      return connections;
    },
    handler,
    seen: (method) => requests.filter((request) => request.method === method || request.message['method'] === method),
    async request(method, count = 1) {
      for (;;) {
        const found = started.seen(method)[count - 1];
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  onTestFinished(() => started.stop());
  return started;
}

export interface TransportUnderTest {
  readonly transport: Transport;
  readonly clock: AwaitedClock;
  readonly messages: readonly UnknownRecord[];
  readonly logs: readonly TransportLog[];
  readonly closed: Promise<CloseReason>;
  readonly lost: Promise<void>;
  /** Resolves with the first message that has `id` or, as a string, `method`. */
  message(idOrMethod: number | string): Promise<UnknownRecord>;
  /** Resolves with the first log line that includes `part`. */
  log(part: string): Promise<TransportLog>;
  /** @param message without `jsonrpc` */
  send(message: UnknownRecord, hints?: SendHints): Promise<void>;
  /** Calls a tool with the id 1, whose failure need not be awaited. */
  call(): Promise<void>;
  /** Sends `initialize` and `notifications/initialized`, as a session does. */
  shakeHands(revision?: string): Promise<void>;
}

export type TransportOptions = Partial<Pick<HttpPorts, 'createHttpClient' | 'random' | 'authorizer' | 'connections'>> &
  Partial<Pick<RemoteLaunchPlan, 'kind' | 'headers'>> & { readonly limits?: Partial<ServerLimits> };

/** Makes a transport with the adapter that is under test and a stopped clock. */
export function createTransportUnderTest(url: string, options: TransportOptions = {}): TransportUnderTest {
  const { kind = 'http', headers = {}, authorizer, limits, ...ports } = options;
  const clock = createAwaitedClock();
  const create = createHttpTransports({ createHttpClient: createTestHttpClient, random: () => 0, ...ports, clock });
  const transport = create({ kind, ...addressOf(url), headers }, authorizer, limits);
  const messages: UnknownRecord[] = [];
  const logs: TransportLog[] = [];
  const waiters: (() => void)[] = [];
  const wake = (): void => waiters.splice(0).forEach((waiter) => waiter());
  const { promise: closed, resolve: close } = withResolvers<CloseReason>();
  const { promise: lost, resolve: lose } = withResolvers<void>();
  transport.onMessage((value) => {
    messages.push(value as UnknownRecord);
    wake();
  });
  transport.onLog((entry) => {
    if (entry.source !== 'http') logs.push(entry);
    wake();
  });
  transport.onDidClose(close);
  transport.onDidLoseSession?.(lose);

  async function find<T>(list: readonly T[], isWanted: (entry: T) => boolean): Promise<T> {
    for (;;) {
      const found = list.find(isWanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiters.push(resolve));
    }
  }

  const send: TransportUnderTest['send'] = (message, hints) =>
    transport.send({ jsonrpc: '2.0', ...message } as unknown as JsonRpcMessage, hints);
  return {
    transport,
    clock,
    messages,
    logs,
    closed,
    lost,
    message: (key) => find(messages, ({ id, method }) => (typeof key === 'number' ? id : method) === key),
    log: (part) => find(logs, ({ text: line }) => line.includes(part)),
    send,
    call() {
      const sent = send({ id: 1, method: 'tools/call' });
      sent.catch(() => {});
      return sent;
    },
    async shakeHands(revision = '2025-11-25') {
      await send({ id: 'init', method: 'initialize', params: { protocolVersion: revision } });
      transport.negotiated?.(revision);
      await send({ method: 'notifications/initialized' });
    },
  };
}

/** Opens a transport to a server for the current test. */
export async function connect(server: HttpServer, options?: TransportOptions): Promise<TransportUnderTest> {
  const client = createTransportUnderTest(`${server.origin}/mcp`, options);
  onTestFinished(async () => {
    server.handler = refuse(405);
    await client.transport.dispose();
  });
  await client.transport.start(AbortSignal.timeout(30_000));
  return client;
}

/** Connects, and shakes hands. */
export async function open(server: HttpServer, options?: TransportOptions): Promise<TransportUnderTest> {
  const client = await connect(server, options);
  await client.shakeHands();
  return client;
}

function addressOf(url: string): ServerAddress {
  const address = parseServerAddress(url);
  if (address === undefined) throw new Error(`${url} is no address`);
  return address;
}

export function refuse(status: number, body?: string, headers: Record<string, string> = {}): Handler {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/** A server with sessions that answers with JSON; `rest` handles all requests after the handshake. */
export function withSession(id: string, rest: Handler): Handler {
  return (request, response) => {
    const { method } = request.message;
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25' };
      answerJson(response, resultOf(request, result), { 'Mcp-Session-Id': id });
    } else if (method === 'notifications/initialized') response.writeHead(202).end();
    else rest(request, response);
  };
}

type Answer = UnknownRecord | ((request: SeenRequest, response: ServerResponse) => object | undefined);

/**
 * Answers the JSON-RPC methods of the table with its results, as JSON: a function that returns none has answered itself. Other
 * messages that want an answer get an error, the rest 202; other HTTP requests go to `rest`.
 */
export function answering(results: Readonly<Record<string, Answer>>, rest: Handler = refuse(405)): Handler {
  return (request, response) => {
    if (request.method !== 'POST') return rest(request, response);
    const { id, method } = request.message;
    const answer = results[String(method)];
    const result = typeof answer === 'function' ? answer(request, response) : answer;
    if (result !== undefined) answerJson(response, resultOf(request, result));
    else if (answer === undefined && id === undefined) response.writeHead(202).end();
    else if (answer === undefined)
      answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
  };
}

export const answerAll: Handler = (request, response) => answerJson(response, resultOf(request));

export function answerJson(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function openEvents(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
}

/** Answers with an event stream that holds `events`, and ends. */
export function streamOf(events: string | ((request: SeenRequest) => string) = ''): Handler {
  return (request, response) => {
    openEvents(response);
    response.end(typeof events === 'string' ? events : events(request));
  };
}

/** One event that carries `value`. */
export function event(value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

export function resultOf({ message }: SeenRequest, result: object = {}): object {
  return { jsonrpc: '2.0', id: message['id'], result };
}

/** A promise and what resolves it. */
export function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
