#!/usr/bin/env node
// @ts-check
// The server of the benchmark. It does as little as possible, so that the client is measured.
//
//   node server.mjs stdio [tools [prompts]]
//   node server.mjs http [tools]              prints the address it listens at
//
// With prompts, it also sends list_changed notifications, triggered by the tool "changes".
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [kind, toolCount = '10', promptCount = '0'] = process.argv.slice(2);
const pageSize = 1_000;

const capabilities = Number(promptCount) === 0 ? { tools: {} } : { tools: { listChanged: true }, prompts: {} };
const toolPages = makePages('tools', Number(toolCount), (index) => ({
  name: `tool-${index}`,
  title: `Tool ${index}`,
  description: 'Does one of the many things that somebody may want to be done.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, count: { type: 'integer' } } },
}));
const promptPages = makePages('prompts', Number(promptCount), (index) => ({
  name: `prompt-${index}`,
  title: `Prompt ${index}`,
  description: 'Asks for one of the many things that somebody may want to be asked.',
}));
/** How often a client has started to list the tools. */
let toolLists = 0;
const small = '{"content":[{"type":"text","text":"ok"}],"resultType":"complete"}';
const structured =
  '{"content":[],"structuredContent":{"name":"a","count":1,"tags":["x","y"],"nested":{"ok":true}},"resultType":"complete"}';

/** @param {string} list @param {number} count @param {(index: number) => object} create @returns {readonly string[]} */
function makePages(list, count, create) {
  const items = Array.from({ length: count }, (_, index) => create(index));
  const cut = [];
  for (let start = 0; start === 0 || start < count; start += pageSize) {
    const next = start + pageSize < count ? { nextCursor: String(start + pageSize) } : {};
    // Members of 2026-07-28. Over stdio the server uses earlier revisions, and no list is stale as soon as it is there.
    const common = kind === 'stdio' ? {} : { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    cut.push(JSON.stringify({ [list]: items.slice(start, start + pageSize), ...next, ...common }));
  }
  return cut;
}

/**
 * @param {any} message a request
 * @returns {string | undefined} the result as JSON; nothing for a method there is not
 */
function resultOf({ method, params }) {
  switch (method) {
    case 'initialize':
      return JSON.stringify({
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: 'bench', version: '1' },
      });
    case 'server/discover':
      // Over stdio the server uses the handshake revisions, as most servers do.
      if (kind === 'stdio') return undefined;
      return JSON.stringify({
        supportedVersions: ['2026-07-28'],
        capabilities,
        serverInfo: { name: 'bench', version: '1' },
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
    case 'tools/list':
      if (params?.cursor === undefined) toolLists += 1;
      return toolPages[Number(params?.cursor ?? 0) / pageSize];
    case 'prompts/list':
      return promptPages[Number(params?.cursor ?? 0) / pageSize];
    case 'tools/call':
      return resultOfCall(params);
    case 'ping':
      return '{}';
    default:
      return undefined;
  }
}

/** @param {{ name: string, arguments?: any }} params */
function resultOfCall({ name, arguments: args }) {
  if (name === 'structured') return structured;
  if (name !== 'big') return small;
  return `{"content":[{"type":"text","text":"${'x'.repeat(args.bytes)}"}],"resultType":"complete"}`;
}

/** @param {any} message */
function answer(message) {
  const result = resultOf(message);
  const id = JSON.stringify(message.id);
  if (result !== undefined) return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`;
}

const notification =
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":"something happened"}}\n';

const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';

/**
 * Sends list_changed for tools 1,000 times a second; only once for a duration of zero.
 *
 * @param {any} message the call that asks for it, answered at the end with how often the tools were listed meanwhile
 */
function serveChanges(message) {
  const { seconds } = message.params.arguments;
  const before = toolLists;
  const endAt = performance.now() + seconds * 1_000;
  let sent = 0;
  const send = () => {
    const due = seconds === 0 ? 1 : Math.floor(seconds * 1_000 - (endAt - performance.now()));
    process.stdout.write(changed.repeat(Math.max(0, due - sent)));
    sent = Math.max(due, sent);
    if (performance.now() < endAt) return void setTimeout(send, 5);
    const result = { content: [], structuredContent: { sent, lists: toolLists - before } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
  };
  send();
}

function serveStdio() {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined || message.method === undefined) return;
    if (message.params?.name === 'changes') return serveChanges(message);
    if (message.params?.name === 'storm') {
      const { count } = message.params.arguments;
      for (let sent = 0; sent < count; sent += 1_000) process.stdout.write(notification.repeat(1_000));
    }
    process.stdout.write(`${answer(message)}\n`);
  });
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function serveRequest(request, response) {
  if (request.method === 'DELETE') return void response.writeHead(200).end();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) return void response.writeHead(202).end();
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'bench' } : {};
    if (message.params?.arguments?.sse === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...session });
      response.end(`event: message\ndata: ${answer(message)}\n\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', ...session });
    response.end(answer(message));
  });
}

if (kind === 'stdio') serveStdio();
else {
  const server = createServer(serveRequest).listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/mcp`);
  });
  // No client has to connect again because the others had their turns meanwhile.
  server.keepAliveTimeout = 60_000;
  process.stdin.on('end', () => process.exit()).resume();
}
