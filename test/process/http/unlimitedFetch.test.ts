import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createUnlimitedFetch } from '../../../src/transport/http/httpTransports.ts';
import { answerAll, event, openEvents, useHttp, withSession } from './httpHarness.ts';

const { serve, connect } = useHttp();
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');
void new Response();
const usual: unknown = Reflect.get(globalThis, dispatcherKey);

afterEach(() => void Reflect.set(globalThis, dispatcherKey, usual));

it('waits for a server that is silent for longer than the platform allows', async () => {
  const waiting: ServerResponse[] = [];
  const server = await serve((_request, response) => void waiting.push(response));
  const patient = createUnlimitedFetch(fetch)(server.origin, {});
  const { constructor: Agent } = usual as { constructor: new (options: object) => object };
  Reflect.set(globalThis, dispatcherKey, new Agent({ headersTimeout: 1 }));
  await expect(fetch(server.origin)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  waiting.forEach((response) => response.end('late'));
  expect(await (await patient).text()).toBe('late');
});

it('stays as it is where the platform has another kind of agent', async () => {
  class Odd {
    readonly uri: string;
    constructor(options: { readonly uri?: string }) {
      if (options.uri === undefined) throw new TypeError('uri is missing');
      this.uri = options.uri;
    }
  }
  Reflect.set(globalThis, dispatcherKey, new Odd({ uri: 'x' }));
  expect(createUnlimitedFetch(fetch)).toBe(fetch);
  Reflect.set(globalThis, dispatcherKey, undefined);
  expect(createUnlimitedFetch(fetch)).toBe(fetch);
});

it('is used for every request', async () => {
  const server = await serve(answerAll);
  let init: object = {};
  const patient = createUnlimitedFetch((url, given) => fetch(url, (init = given)));
  await patient(server.origin, { method: 'POST', body: '{}' });
  expect(init).toHaveProperty('dispatcher');
});

describe("where the platform puts its own agent in place of ours, as VS Code's fetch does", () => {
  const { constructor: Agent } = usual as { constructor: new (options: object) => object };
  const dispatcher = new Agent({ headersTimeout: 200, bodyTimeout: 200 });
  const impatient: typeof fetch = (url, init) => fetch(url, Object.assign({}, init, { dispatcher }));

  it('takes a silent answer up again for as long as it takes [http-silence]', async () => {
    let resumed = 0;
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.method === 'GET' && request.headers['last-event-id'] === undefined) {
          response.writeHead(405).end();
          return;
        }
        if (request.method === 'GET') resumed += 1;
        // A server may send nothing until it has a message.
        if (resumed % 2 === 0) openEvents(response);
        if (resumed === 0) response.write('id: e1\nretry: 500\n\n');
        if (resumed === 8) response.end(event({ jsonrpc: '2.0', id: 1, result: {} }));
      }),
    );
    const client = await connect(server, { fetch: impatient });
    await client.shakeHands();
    const sent = client.send({ id: 1, method: 'tools/call' });
    for (let tries = 1; tries <= 8; tries += 1) await client.clock.pass(500);
    await sent;
  });

  it("opens the server's own stream again, each time as if for the first [http-silence]", async () => {
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.method !== 'GET') return void response.writeHead(405).end();
        const count = server.seen('GET').length;
        if (count % 2 === 0) openEvents(response);
        if (count === 6) response.write(event({ jsonrpc: '2.0', method: 'notifications/one' }));
      }),
    );
    const client = await connect(server, { fetch: impatient });
    await client.shakeHands();
    for (let tries = 1; tries <= 5; tries += 1) await client.clock.pass(500);
    await client.message('notifications/one');
  });

  it('says why an answer that cannot be taken up again is lost [http-silence]', async () => {
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.message['method'] === 'tools/call') openEvents(response);
        else if (request.method === 'GET') response.writeHead(405).end();
      }),
    );
    const client = await connect(server, { fetch: impatient });
    await client.shakeHands();
    const why = 'because nothing came for longer than fetch waits here, five minutes as a rule';
    await expect(client.send({ id: 1, method: 'tools/call' })).rejects.toMatchObject({
      code: 'answerLost',
      message: expect.stringContaining(`ended before the answer was complete, ${why} (UND_ERR_BODY_TIMEOUT).`),
    });
    await expect(client.send({ id: 2, method: 'tools/list' })).rejects.toMatchObject({
      code: 'answerLost',
      message: expect.stringContaining(`broke before it answered, ${why} (UND_ERR_HEADERS_TIMEOUT).`),
    });
  });

  it('says why the stream of HTTP+SSE ended [http-silence]', async () => {
    const server = await serve((_request, response) => {
      openEvents(response);
      response.write('event: endpoint\ndata: /messages\n\n');
    });
    const client = await connect(server, { kind: 'sse', fetch: impatient });
    expect(await client.closed).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('ended, because nothing came for longer than fetch waits here') },
    });
  });
});
