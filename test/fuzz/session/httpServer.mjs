// @ts-check
// A server over HTTP that replays mutated sessions; a PUT with a list replaces them. Prints its URL first.
// The sessions are at these paths, each with its index in the list:
//   /json/0   Streamable HTTP, answers as JSON where they are one message
//   /sse/0    Streamable HTTP, answers as event streams
//   /old/0    HTTP+SSE
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { readSession } from './readSession.mjs';
import { createReplay } from './replay.mjs';

/** @typedef {import('./session.d.ts').Delivery} Delivery */

/** @typedef {{ answer: (message: any) => Delivery[], stream?: import('node:http').ServerResponse }} Played `stream`: of HTTP+SSE */

/** @type {Played[]} */
let playing = [];

/** @param {readonly import('./session.d.ts').SessionCase[]} sessions */
function begin(sessions) {
  for (const { stream } of playing) stream?.destroy();
  playing = sessions.map(({ session, mutations }) => ({
    answer: createReplay(readSession(join('test/fuzz/sessions', `${session}.jsonl`)), mutations),
  }));
}

/** @param {import('node:http').ServerResponse} response @param {readonly Delivery[]} deliveries */
async function writeEvents(response, deliveries) {
  for (const { chunks, closes } of deliveries) {
    response.write('data: ');
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0) await pause(1);
      response.write(chunk);
    }
    response.write('\n\n');
    if (closes) response.destroy();
  }
}

/** @param {import('node:http').ServerResponse} response @param {readonly Delivery[]} deliveries */
function head(response, deliveries, type = 'application/json') {
  const status = deliveries.find((delivery) => delivery.status !== undefined)?.status ?? 200;
  const headers = deliveries.reduce((all, delivery) => ({ ...all, ...delivery.headers }), { 'content-type': type });
  try {
    response.writeHead(status, headers);
  } catch {
    // Node would refuse to send the header.
    response.writeHead(status);
  }
}

/** @param {Played} played @param {string} form @param {import('node:http').ServerResponse} response @param {string} body */
async function post(played, form, response, body) {
  const deliveries = played.answer(JSON.parse(body));
  if (form === 'old') {
    response.writeHead(202).end();
    if (played.stream !== undefined) await writeEvents(played.stream, deliveries);
    return;
  }
  if (deliveries.length === 0) return void response.writeHead(202).end();
  const [only] = deliveries;
  if (form === 'json' && deliveries.length === 1 && only !== undefined) {
    head(response, deliveries);
    response.end(Buffer.concat(only.chunks));
    return;
  }
  head(response, deliveries, 'text/event-stream');
  await writeEvents(response, deliveries);
  response.end();
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function serve(request, response) {
  const [, form = '', index] = (request.url ?? '/').split('/');
  const body = await text(request);
  response.on('error', () => {});
  const played = playing[Number(index)];
  if (request.method === 'PUT') {
    begin(JSON.parse(body));
    response.end();
  } else if (played === undefined) response.writeHead(404).end();
  else if (request.method === 'POST') await post(played, form, response, body);
  else if (request.method === 'GET' && form === 'old') {
    played.stream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: /old/${index}\n\n`);
  } else response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${port}`);
});
process.stdin.resume().on('end', () => process.exit(0));
