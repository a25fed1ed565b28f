import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countWork } from '../../fixtures/countWork.ts';
import { problem } from '../../fixtures/problem.ts';
import { answerAll, event, type Handler, openEvents, refuse, resultOf, serve, connect } from './httpHarness.ts';

const megabyte = 1024 ** 2;
const json = { 'content-type': 'application/json' };

describe('large answers', () => {
  it('are taken whole up to the limit', async () => {
    const text = 'ä'.repeat(16 * megabyte);
    const server = await serve((request, response) => {
      if (request.message['method'] === 'json')
        response.writeHead(200, json).end(JSON.stringify(resultOf(request, { text })));
      else {
        openEvents(response);
        response.end(event(resultOf(request, { text })));
      }
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'json' });
    await client.send({ id: 2, method: 'events' });
    expect(client.messages.map(({ result }) => (result as { text: string }).text === text)).toEqual([true, true]);
  });

  /** Writes 110 MB, as fast as they are read, until the connection is closed. */
  const flood: (start: string, headers: Record<string, string>) => Handler =
    (start, headers) => (_request, response) => {
      response.writeHead(200, headers);
      response.write(start);
      const part = 'x'.repeat(megabyte);
      let left = 110;
      const write = (): void => {
        while (left-- > 0) if (!response.write(part)) return void response.once('drain', write);
        response.end('"}');
      };
      write();
    };

  it.each<[string, Handler]>([
    ['JSON', flood('{"a":"', json)],
    ['declared length', refuse(200, '', { ...json, 'content-length': String(110 * megabyte) })],
    ['one event', flood('data: {"a":"', { 'content-type': 'text/event-stream' })],
    [
      'compressed',
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        const part = Buffer.alloc(megabyte, ' ');
        for (let count = 0; count < 110; count += 1) gzip.write(part);
        gzip.end('{}');
      },
    ],
    [
      'one event of many lines',
      (_request, response) => {
        openEvents(response);
        const lines = `data: ${'x'.repeat(1_000)}\n`.repeat(1_000);
        for (let count = 0; count < 110; count += 1) response.write(lines);
        response.end('\n');
      },
    ],
  ])('beyond it are refused while they come: %s [http-bounds]', async (_name, handler) => {
    const server = await serve(handler);
    const client = await connect(server);
    await expect(client.send({ id: 1, method: 'tools/call' })).rejects.toMatchObject({
      code: 'messageTooLarge',
      message: `The server at ${server.origin}/mcp sent a message of more than 100 MB. Ask it for less at once, or raise "limits.messageBytes" in its options.`,
    });
    expect(client.messages).toEqual([]);
    server.handler = answerAll;
    await client.send({ id: 2, method: 'ping' });
  });

  /** 60 MB, or 60 kB where they are compressed. */
  const empties = Buffer.from(`[${'{},'.repeat(20_000_000)}{}]`);
  const nested = Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  const sendWhole =
    (type: string, body: Buffer): Handler =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-length': String(body.length) });
      response.end(body);
    };
  const sendCompressed =
    (type: string, body: Buffer): Handler =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
      response.end(gzipSync(body, { level: 1 }));
    };
  const asEvent = (body: Buffer): Buffer => Buffer.concat([Buffer.from('data: '), body, Buffer.from('\n\n')]);

  it.each<[string, Handler, string]>([
    ['20 million objects', sendWhole('application/json', empties), 'with more than 500000 members'],
    ['20 million objects, compressed', sendCompressed('application/json', empties), 'with more than 500000 members'],
    ['20 million objects in an event', sendWhole('text/event-stream', asEvent(empties)), 'more than 500000 members'],
    [
      '20 million objects in an event, compressed',
      sendCompressed('text/event-stream', asEvent(empties)),
      'more than 500000 members',
    ],
    ['20,000 levels', sendWhole('application/json', nested), 'nested deeper than 10000 levels'],
    ['20,000 levels in an event', sendWhole('text/event-stream', asEvent(nested)), 'nested deeper than 10000 levels'],
  ])('are refused before they are parsed where they hold too much: %s [http-bounds]', async (_name, handler, words) => {
    const server = await serve(handler);
    const client = await connect(server);
    let parsed = 0;
    const stop = countWork(JSON, 'parse', (_json, [text]) => (parsed = Math.max(parsed, String(text).length)));
    try {
      await expect(client.send({ id: 1, method: 'tools/call' })).rejects.toEqual(problem('messageTooLarge', words));
    } finally {
      stop();
    }
    expect(parsed).toBeLessThan(1_000);
    server.handler = answerAll;
    await client.send({ id: 2, method: 'ping' });
  });

  const deep = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(6_000)}${']'.repeat(6_000)},"b":1}}`);

  it.each<[string, Handler]>([
    ['JSON', sendWhole('application/json', deep)],
    ['JSON, compressed', sendCompressed('application/json', deep)],
    ['an event', sendWhole('text/event-stream', asEvent(deep))],
  ])('of 6,000 levels are taken, and what lies deepest is left out: %s [deep-cut]', async (_name, handler) => {
    const server = await serve(handler);
    const client = await connect(server);
    await client.send({ id: 1, method: 'tools/call' });
    expect(client.messages).toMatchObject([{ id: 1, result: { b: 1 } }]);
    const text = JSON.stringify(client.messages[0]);
    expect(text).toContain('["… (left out: nested deeper than 512 levels)"]');
    expect(text.length).toBeLessThan(2_000);
  });

  it('of an error page are read only so far', async () => {
    const server = await serve((request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.on('close', () => response.destroy());
      const write = (): void => {
        while (!response.destroyed)
          if (!response.write('no '.repeat(10_000))) return void response.once('drain', write);
      };
      write();
      return request;
    });
    const client = await connect(server);
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ status: 500 });
  });
});
