// @ts-check
// The lower bound: the least a client must do. A message out, a line in, a Map from id to promise; or one `fetch` a request.
import { spawn } from 'node:child_process';
import { serverCommand } from '../serverCommand.mjs';

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  return target.kind === 'stdio' ? await connectStdio(target.tools) : await connectHttp(target.url, target.revision);
}

/** @param {number} tools */
async function connectStdio(tools) {
  const { command, args } = serverCommand(tools);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  /** @type {Map<number, (result: any) => void>} */
  const pending = new Map();
  let notifications = 0;
  readLines(child.stdout, (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined) {
      notifications += 1;
      return;
    }
    const resolve = pending.get(message.id);
    pending.delete(message.id);
    resolve?.(message.result);
  });
  let nextId = 1;
  /** @param {string} method @param {object} [params] */
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = nextId++;
      pending.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await request('initialize', handshake('2025-11-25'));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    ...clientOf(request),
    notifications: () => notifications,
    close: () =>
      new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
        child.once('exit', resolve);
        child.stdin.end();
      }),
  };
}

/**
 * Buffers are joined once for each line of any length.
 *
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 */
function readLines(stream, onLine) {
  /** @type {Buffer[]} */
  let parts = [];
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      onLine(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString());
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

/** @param {string} url @param {string} revision */
async function connectHttp(url, revision) {
  let nextId = 1;
  const isStateless = revision === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'floor', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  /** @type {Record<string, string>} */
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  headers['mcp-protocol-version'] = revision;
  /** @param {string} method @param {any} [params] */
  const request = async (method, params) => {
    const body = { jsonrpc: '2.0', id: nextId++, method, params: isStateless ? { ...params, _meta: meta } : params };
    const own = isStateless ? { ...headers, 'mcp-method': method, 'mcp-name': params?.name ?? '' } : headers;
    const response = await fetch(url, { method: 'POST', headers: own, body: JSON.stringify(body) });
    if (response.headers.get('content-type') === 'application/json') return (await response.json()).result;
    const text = await response.text();
    return JSON.parse(text.slice(text.indexOf('data: ') + 6, text.lastIndexOf('\n\n'))).result;
  };
  if (isStateless) await request('server/discover');
  else {
    await request('initialize', handshake(revision));
    headers['mcp-session-id'] = 'bench';
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await fetch(url, { method: 'POST', headers, body });
  }
  return { ...clientOf(request), notifications: () => 0, close: async () => {} };
}

/** @param {(method: string, params?: object) => Promise<any>} request */
function clientOf(request) {
  return {
    /** @param {string} name @param {object} args */
    call: (name, args) => request('tools/call', { name, arguments: args }),
    async list() {
      let count = 0;
      let cursor;
      do {
        const page = await request('tools/list', cursor === undefined ? {} : { cursor });
        count += page.tools.length;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return count;
    },
  };
}

/** @param {string} protocolVersion */
function handshake(protocolVersion) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'floor', version: '1' } };
}
