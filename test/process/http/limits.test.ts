import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerAll, event, type Handler, openEvents, refuse, resultOf, useHttp } from './httpHarness.ts';

const { serve, connect } = useHttp();
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

  /** Writes 100 MB, as fast as they are taken, until the connection is closed. */
  const flood: (start: string, headers: Record<string, string>) => Handler =
    (start, headers) => (_request, response) => {
      response.writeHead(200, headers);
      response.write(start);
      const part = 'x'.repeat(megabyte);
      let left = 100;
      const write = (): void => {
        while (left-- > 0) if (!response.write(part)) return void response.once('drain', write);
        response.end('"}');
      };
      write();
    };

  it.each<[string, Handler]>([
    ['JSON', flood('{"a":"', json)],
    ['declared length', refuse(200, '', { ...json, 'content-length': String(100 * megabyte) })],
    ['one event', flood('data: {"a":"', { 'content-type': 'text/event-stream' })],
    [
      'compressed',
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        const part = Buffer.alloc(megabyte, ' ');
        for (let count = 0; count < 100; count += 1) gzip.write(part);
        gzip.end('{}');
      },
    ],
    [
      'one event of many lines',
      (_request, response) => {
        openEvents(response);
        const lines = `data: ${'x'.repeat(1_000)}\n`.repeat(1_000);
        for (let count = 0; count < 100; count += 1) response.write(lines);
        response.end('\n');
      },
    ],
  ])('beyond it are refused while they come: %s [http-bounds]', async (_name, handler) => {
    const server = await serve(handler);
    const client = await connect(server);
    await expect(client.send({ id: 1, method: 'tools/call' })).rejects.toMatchObject({
      code: 'messageTooLarge',
      message: `The server at ${server.origin}/mcp sent a message of more than 64 MB. Ask it for less at once.`,
    });
    expect(client.messages).toEqual([]);
    server.handler = answerAll;
    await client.send({ id: 2, method: 'ping' });
  });

  it('are understood when compressed', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(resultOf(request, { text: 'Größe' }))));
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'ping' });
    expect(client.messages).toMatchObject([{ result: { text: 'Größe' } }]);
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
