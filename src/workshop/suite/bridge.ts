import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CancelSignal, linkAbort } from '../../base/abort.ts';
import type { AsyncDisposable } from '../../base/disposable.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, isRequestId, type RequestId } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { createRequestMeta, createSendHints, metaPrefix } from '../../protocol/revisions/stateless/requestMetadata.ts';
import { isStatelessRevision, latestStatelessRevision } from '../../protocol/session/revision.ts';
import type { CheckTarget } from '../own/wireProbe.ts';
import { BridgeLane, type BridgeStream } from './bridgeLane.ts';
import { jsonType, parseBody, readBody, refuse, serveLoopback } from './loopback.ts';
import { isBeyondFixtures } from './suiteData.ts';

export interface Bridge extends AsyncDisposable {
  /** With a secret in its path. Its sessions share one process for each revision. */
  readonly url: string;
  /** Each of its sessions has a process of its own. */
  readonly separateUrl: string;
  /** Starts what sessions of a revision share, so that the time of a scenario does not have the start of the server in it. */
  prepare(revision: string): Promise<void>;
}

/** The suite's requests are small. */
const maximumBodyBytes = 1024 * 1024;

/** What a client has not read: with more, the server is ended, since it cannot be told to wait. */
const maximumWaitingBytes = 8 * 1024 * 1024;

const bridgeInfo = { name: 'patchbay-check', version: '1.0.0' };

/**
 * An HTTP server on loopback that gives a server to the official suite, which knows HTTP only. A server may start slowly, or hold a
 * port that a second process cannot have: so sessions share a process where they can. Calls no tool, and gets no prompt, but those of
 * the suite's own server.
 * @param readable resources of the server that may be read
 */
export async function startBridge(
  target: CheckTarget,
  signal: CancelSignal,
  readable: readonly string[] = [],
): Promise<Bridge> {
  const lanes = new BridgeLanes(target, signal, readable);
  const server = await serveLoopback((request, response, path) => respond(request, response, path, lanes));
  return {
    url: `${server.base}/mcp`,
    separateUrl: `${server.base}/separate`,
    prepare: (revision) => lanes.prepare(revision),
    async dispose() {
      await Promise.all([lanes.close(), server.dispose()]);
    },
  };
}

/** The lanes of one run, by session. */
class BridgeLanes {
  readonly #target: CheckTarget;
  /** Ends the starts that are on their way, too. */
  readonly #end;
  readonly readable: readonly string[];
  readonly #sessions = new Map<string, BridgeLane>();
  readonly #all = new Set<BridgeLane>();
  /** Lanes of one session each. */
  readonly #separate = new Set<BridgeLane>();
  /** By the revision that their clients offered: what else those can do matters to none but the suite's own server. */
  readonly #shared = new Map<string, Promise<BridgeLane>>();

  constructor(target: CheckTarget, signal: CancelSignal, readable: readonly string[]) {
    this.#target = target;
    this.#end = linkAbort(signal);
    this.readable = readable;
  }

  get(session: string | undefined): BridgeLane | undefined {
    return session === undefined ? undefined : this.#sessions.get(session);
  }

  stateless(): Promise<BridgeLane> {
    return this.#share(latestStatelessRevision, () => this.#openStateless());
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
    const lane = await BridgeLane.open(transport, this.#end.signal);
    this.#all.add(lane);
    return lane;
  }

  /** @returns the id of the session, and the answer to its `initialize` @param key absent for a process of its own */
  async begin(
    key: string | undefined,
    message: UnknownRecord & { readonly id: RequestId },
  ): Promise<{ readonly session: string; readonly answer: UnknownRecord }> {
    const lane = await (key === undefined ? this.#open() : this.#share(key, () => this.#open()));
    if (key === undefined) this.#separate.add(lane);
    const answer = await (lane.opening ??= initialize(lane, message));
    const session = crypto.randomUUID();
    this.#sessions.set(session, lane);
    return { session, answer };
  }

  /** Never rejects: who uses the lane is told. */
  async prepare(revision: string): Promise<void> {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: bridgeInfo };
    const opening = isStatelessRevision(revision)
      ? this.stateless()
      : this.begin(revision, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await opening.catch(() => {});
  }

  async #share(key: string, open: () => Promise<BridgeLane>): Promise<BridgeLane> {
    const known = this.#shared.get(key);
    if (known !== undefined && (await known).ended === undefined) return known;
    // Another client may have opened one meanwhile, in place of the one that has ended.
    const newer = this.#shared.get(key);
    if (newer !== undefined && newer !== known) return newer;
    const opened = open();
    this.#shared.set(key, opened);
    opened.catch(() => this.#shared.delete(key));
    return opened;
  }

  async end(session: string): Promise<void> {
    const lane = this.#sessions.get(session);
    this.#sessions.delete(session);
    lane?.listeners.delete(session);
    if (lane === undefined || !this.#separate.delete(lane)) return;
    this.#all.delete(lane);
    await lane.close();
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('The bridge is closed'));
    this.#end.dispose();
    await Promise.all([...this.#all].map((lane) => lane.close()));
  }
}

/** Asks a new lane, and tells it what the answer means for the ways of the transport. */
async function initialize(
  lane: BridgeLane,
  message: UnknownRecord & { readonly id: RequestId },
): Promise<UnknownRecord> {
  const opening = await new Promise<UnknownRecord>((resolve) => {
    // What precedes the answer has no stream yet.
    const write: BridgeStream['write'] = (body) => void ('method' in body || resolve(body));
    lane.request(message, { write, end: () => {} }, {});
  });
  const { protocolVersion } = isRecord(opening['result']) ? opening['result'] : {};
  if (typeof protocolVersion === 'string') lane.negotiated(protocolVersion);
  return opening;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  lanes: BridgeLanes,
): Promise<void> {
  const isShared = path === '/mcp';
  if (!isShared && path !== '/separate') return refuse(response, 404, 'Not found.');
  const session = headerOf(request, 'mcp-session-id');
  const lane = lanes.get(session);
  if (request.method === 'POST') return take(request, response, lanes, { session, isShared });
  if (request.method === 'GET' && session !== undefined && lane !== undefined) return listen(response, lane, session);
  if (request.method !== 'DELETE') return refuse(response, 405, 'Not allowed.');
  if (session !== undefined) await lanes.end(session);
  response.writeHead(lane === undefined ? 404 : 200).end();
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  lanes: BridgeLanes,
  { session, isShared }: { readonly session: string | undefined; readonly isShared: boolean },
): Promise<void> {
  const message = parseBody(await readBody(request, maximumBodyBytes));
  if (message === undefined) return refuse(response, 400, 'Not a JSON-RPC message.', ErrorCodes.parseError);
  const hints = hintsFor(request, message);
  if (message['method'] === 'initialize' && isRequestId(message['id']) && hints.isStateless !== true)
    return beginSession(response, lanes, isShared, { ...message, id: message['id'] });
  const lane = hints.isStateless === true ? await lanes.stateless() : lanes.get(session);
  if (lane === undefined) return refuse(response, session === undefined ? 400 : 404, 'No such session.');
  const { id, method } = message;
  const stream = createStream(response, hints.isStateless === true, lane);
  if (isBeyondFixtures(message, lanes.readable)) {
    const error = {
      code: ErrorCodes.invalidParams,
      message: "Only what the suite's own server has can be asked for here.",
    };
    return stream.write({ jsonrpc: '2.0', id: isRequestId(id) ? id : null, error });
  }
  if (typeof method === 'string' && isRequestId(id)) {
    const sent = lane.request({ ...message, id }, stream, hints);
    response.on('close', () => lane.cancel(sent));
    return;
  }
  // A lane that is shared was told before.
  const isKnown = method === 'notifications/initialized' && lane.isTold;
  if (method === 'notifications/initialized') lane.isTold = true;
  if (!isKnown) await lane.send(message, hints);
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

async function beginSession(
  response: ServerResponse,
  lanes: BridgeLanes,
  isShared: boolean,
  message: UnknownRecord & { readonly id: RequestId },
): Promise<void> {
  const { protocolVersion } = isRecord(message['params']) ? message['params'] : {};
  const { session, answer: opening } = await lanes.begin(isShared ? String(protocolVersion) : undefined, message);
  response.writeHead(200, { ...jsonType, 'mcp-session-id': session });
  response.end(JSON.stringify({ ...opening, id: message.id }));
}

function listen(response: ServerResponse, lane: BridgeLane, session: string): void {
  const stream = createStream(response, false, lane);
  response.writeHead(200, eventStream);
  response.flushHeaders();
  lane.listeners.set(session, stream);
  response.on('close', () => {
    if (lane.listeners.get(session) === stream) lane.listeners.delete(session);
  });
}

const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** An answer alone is JSON; with messages before it, a stream of events. */
function createStream(response: ServerResponse, isStateless: boolean, lane: BridgeLane): BridgeStream {
  return {
    write(message) {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > maximumWaitingBytes) {
        response.destroy();
        return lane.drop('The server sends more than the client reads.');
      }
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
  if (code === ErrorCodes.methodNotFound) return 404;
  return code === ErrorCodes.invalidParams || (typeof code === 'number' && code <= -32020 && code >= -32022)
    ? 400
    : 200;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
