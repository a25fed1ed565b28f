// @ts-check
// A server that carries out one attack: node server.mjs ID stdio|http
// With the id `none`, and at the path /honest, it is a correct server. Over HTTP it prints its URL first.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { findAttack } from './all.mjs';

/** @typedef {import('./attack.d.ts').WireMessage} WireMessage */

const [id, transport] = process.argv.slice(2);
/** @type {import('./attack.d.ts').Attack} */
const attack = id === 'none' ? { id: 'none', title: '' } : findAttack(id);

/** @type {Readonly<Record<string, (params: any) => object>>} */
const usual = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2026-07-28' ? '2025-11-25' : protocolVersion,
    capabilities: { tools: {}, ...attack.capabilities },
    serverInfo: { name: 'attacker', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'attack', inputSchema: { type: 'object' }, ...attack.tool }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'nothing happened' }] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
};

/** @param {WireMessage} message @param {unknown} result */
function reply({ id: replied, method = '' }, result) {
  const isKnown = result !== undefined || Object.hasOwn(usual, method);
  const error = { code: -32601, message: `Method not found: ${method}` };
  return JSON.stringify({ jsonrpc: '2.0', id: replied, ...(isKnown ? { result } : { error }) });
}

/** @param {import('node:stream').Writable} stream @param {string | Buffer} data */
async function write(stream, data) {
  if (!stream.write(data)) await once(stream, 'drain');
}

/** @param {WireMessage} message */
async function answerLine(message) {
  const { id: replied, method = '', params = {} } = message;
  if (replied === undefined || message.method === undefined) return;
  const special = attack.answers?.[method];
  if (special === undefined) return void process.stdout.write(`${reply(message, usual[method]?.(params))}\n`);
  const result = await special({
    params,
    id: replied,
    answer(json) {
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(replied)},"result":`);
      process.stdout.write(json);
      process.stdout.write('}\n');
    },
    write: (data) => write(process.stdout, data),
    stderr: (data) => write(process.stderr, data),
  });
  if (result !== undefined) process.stdout.write(`${reply(message, result)}\n`);
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answerRequest(request, response) {
  const body = await text(request);
  /** @type {WireMessage | undefined} */
  const message = body === '' ? undefined : JSON.parse(body);
  if (request.url !== '/honest' && attack.respond?.(request, response, message) === true) return;
  if (message === undefined) return void response.writeHead(405).end();
  if (message.id === undefined) return void response.writeHead(202).end();
  const result = usual[message.method ?? '']?.(message.params ?? {});
  response.writeHead(200, { 'content-type': 'application/json' }).end(reply(message, result));
}

// The host closes the connection during the write.
process.stdout.on('error', () => process.exit(0));
if (transport === 'http') {
  const server = createServer((request, response) => void answerRequest(request, response));
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(`http://127.0.0.1:${port}/mcp`);
  });
  process.stdin.resume().on('end', () => process.exit(0));
} else {
  createInterface({ input: process.stdin })
    .on('line', (line) => void answerLine(JSON.parse(line)))
    .on('close', () => process.exit(0));
}
