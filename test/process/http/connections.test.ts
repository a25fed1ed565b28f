import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { createHeadlessHost, type HeadlessHost, type HeadlessServer } from '../../../src/headless.ts';
import { countWork } from '../../fixtures/countWork.ts';
import { answerJson, event, type Handler, openEvents, refuse, resultOf, useHttp } from './httpHarness.ts';

const { serve } = useHttp();
let host: HeadlessHost | undefined;
afterEach(() => host?.dispose());

/** Answers calls as JSON or as an event stream, as their arguments ask for. */
const answer: Handler = (request, response) => {
  const { method, params } = request.message;
  if (request.method !== 'POST') return refuse(405)(request, response);
  if (method === 'initialize') {
    const serverInfo = { name: 'calls', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    return answerJson(response, resultOf(request, result), { 'mcp-session-id': 'one' });
  }
  if (method === 'tools/list')
    return answerJson(response, resultOf(request, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
  if (method !== 'tools/call') return void response.writeHead(202).end();
  const { isEvent, isUnknown } = (params as { arguments: UnknownRecord }).arguments;
  const result = resultOf(request, { content: [] });
  if (isUnknown === true) {
    const error = { code: -32_602, message: 'No such tool' };
    response.writeHead(400, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message['id'], error }));
  }
  if (isEvent !== true) return answerJson(response, result);
  openEvents(response);
  response.end(event(result));
};

/** @returns a connected server, and how many connections were opened since */
async function start(): Promise<{ readonly server: HeadlessServer; readonly opened: () => number }> {
  const http = await serve(answer);
  const definition = { type: 'http', url: `${http.origin}/mcp`, patchbay: { revision: '2025-11-25' } } as const;
  host = createHeadlessHost({ servers: { it: definition } });
  const server = host.getServer('it') ?? expect.unreachable('no server');
  await server.start();
  const before = http.connections;
  return { server, opened: () => http.connections - before };
}

async function callInTurn(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made += 1) await call();
}

async function callAtOnce(inFlight: number, batches: number, call: () => Promise<unknown>): Promise<void> {
  await callInTurn(batches, () => Promise.all(Array.from({ length: inFlight }, call)));
}

describe('many calls over HTTP', () => {
  it.each([
    ['JSON', {}],
    ['event streams', { isEvent: true }],
  ])('use one connection, or two, one after another: %s', async (_, args) => {
    const { server, opened } = await start();
    await callInTurn(1_000, () => server.callTool('echo', args));
    expect(opened()).toBeLessThanOrEqual(2);
  });

  it('use the same connection after answers with a status of failure', async () => {
    const { server, opened } = await start();
    await callInTurn(100, () => expect(server.callTool('echo', { isUnknown: true })).rejects.toThrow('No such tool'));
    expect(opened()).toBeLessThanOrEqual(2);
  });

  it.each([
    ['JSON', {}],
    ['event streams', { isEvent: true }],
  ])('use the connections of the calls before, with 200 in flight: %s', async (_, args) => {
    const { server, opened } = await start();
    await callAtOnce(200, 5, () => server.callTool('echo', args));
    expect(opened()).toBeLessThanOrEqual(200);
  });

  it('leave no listeners on any signal', async () => {
    const { server } = await start();
    const signals = new Set<AbortSignal>();
    const stop = countWork(EventTarget.prototype, 'addEventListener', (target: unknown) => {
      if (target instanceof AbortSignal) signals.add(target);
      return 1;
    });
    const { signal } = new AbortController();
    await callAtOnce(50, 4, () => server.callTool('echo', { isEvent: true }, { signal }));
    await callInTurn(200, () => server.callTool('echo', {}, { signal }));
    stop();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const counts = [...signals].map((each) => getEventListeners(each, 'abort').length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  });
});
