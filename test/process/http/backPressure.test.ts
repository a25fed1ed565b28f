import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpClient, HttpResponse } from '../../../src/base/httpClient.ts';
import { createSystemClock } from '../../../src/base/clock.ts';
import { limits } from '../../../src/base/limits.ts';
import { EventStream } from '../../../src/transport/http/eventStream.ts';
import { readJson } from '../../../src/transport/http/readBody.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { answerAll, type HttpServer, serve } from './httpHarness.ts';

const megabyte = 1024 ** 2;
const total = 96 * megabyte;
/** More than the system keeps of a connection on both sides, and less than all. */
const buffered = 32 * megabyte;

const clients: HttpClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.dispose()));

/** Writes `part` as often as it takes, as fast as it is read. @param onWrite called with the bytes of each write */
function flood(response: ServerResponse, part: string, end: string, onWrite: (bytes: number) => void): void {
  let left = total;
  const write = (): void => {
    while (left > 0) {
      left -= part.length;
      onWrite(part.length);
      if (!response.write(part)) return void response.once('drain', write);
    }
    response.end(end);
  };
  write();
}

/** A server that sends one long body, and how much of it was written. */
async function startFlood(type: string, start: string, part: string, end: string) {
  let written = 0;
  const server = await serve((request, response) => {
    if (request.path !== '/flood') return answerAll(request, response);
    response.writeHead(200, { 'content-type': type });
    response.write(start);
    flood(response, part, end, (bytes) => (written += bytes));
  });
  const client = createTestHttpClient();
  clients.push(client);
  const get = (path: string): Promise<HttpResponse> =>
    client.send({
      method: 'GET',
      url: new URL(path, server.origin),
      headers: {},
      signal: AbortSignal.timeout(50_000),
    });
  return { get, server, written: () => written };
}

/** Resolves when the server has not written anything more for many turns of the event loop. @returns the bytes written */
async function stalled(server: HttpServer, written: () => number): Promise<number> {
  let last = -1;
  for (let unchanged = 0; unchanged < 50; unchanged += 1) {
    // Another connection is served meanwhile.
    await fetch(`${server.origin}/other`).then((response) => response.text());
    if (written() === last) continue;
    last = written();
    unchanged = 0;
  }
  return last;
}

describe('a slow reader', () => {
  it('of JSON holds the server back', async () => {
    const { get, server, written } = await startFlood('application/json', '{"a":"', 'x'.repeat(megabyte), '"}');
    const response = await get('/flood');
    expect(await stalled(server, written)).toBeLessThan(buffered);
    const value = await readJson(response, limits.message);
    expect((value as { a: string }).a).toHaveLength(total);
  });

  it('of an event stream holds the server back, between two events and within one', async () => {
    const event = `data: {"a":"${'x'.repeat(megabyte / 2 - 16)}"}\n\n`;
    const { get, server, written } = await startFlood('text/event-stream', '', event, '');
    const values: unknown[] = [];
    const stream = new EventStream(await get('/flood'), (received) => values.push(received.json()), {
      address: server.origin,
      limits: limits.message,
      clock: createSystemClock(),
    });
    expect(await stalled(server, written)).toBeLessThan(buffered);
    await stream.read(() => values.length * event.length >= buffered);
    expect(await stalled(server, written)).toBeLessThan(2 * buffered);
    await stream.read();
    expect(values).toHaveLength(total / event.length);
  });
});
