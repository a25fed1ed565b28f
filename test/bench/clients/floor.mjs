// @ts-check
// The lower bound: the least a client must do. Over stdio a message out, a line in, a Map from id to promise; over HTTP
// one request of `node:http` each, over connections that an agent keeps open.
import { spawn } from 'node:child_process';
import { Agent, request as sendRequest } from 'node:http';
import { connectHttp, createClient, initializeParams } from '../bareClient.mjs';
import { serverCommand } from '../serverCommand.mjs';

/** For all connections, as the agent behind `fetch`; no request waits for a connection. */
const agent = new Agent({ keepAlive: true });

/** @type {import('../client.d.ts').Connect} */
export async function connect(target) {
  return target.kind === 'stdio'
    ? await connectStdio(target.tools)
    : await connectHttp(target, createPost(new URL(target.url)));
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
  await request('initialize', initializeParams('2025-11-25'));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    ...createClient(request),
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

/** @param {URL} url @returns {import('../bareClient.mjs').Post} */
function createPost({ hostname, port, pathname: path }) {
  return (headers, body) =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', hostname, port, path, headers, agent };
      sendRequest(options, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ type: response.headers['content-type'], text: Buffer.concat(chunks).toString() }),
        );
        response.on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
}
