import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import type { HeadlessServer } from '../../../src/headless.ts';
import { countWork } from '../../fixtures/countWork.ts';
import { openHeadless } from '../../fixtures/headlessServer.ts';
import { answering, event, refuse, resultOf, serve, streamOf } from './httpHarness.ts';

/** Answers calls as JSON or as an event stream, as their arguments ask for. */
const answer = answering({
  initialize(_request, response) {
    response.setHeader('mcp-session-id', 'one');
    const serverInfo = { name: 'calls', version: '1' };
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call'(request, response) {
    const { id, params } = request.message;
    const { isEvent, isUnknown } = (params as { arguments: UnknownRecord }).arguments;
    const result = { content: [] };
    if (isUnknown !== true && isEvent !== true) return result;
    if (isUnknown === true) {
      const error = { code: -32_602, message: 'No such tool' };
      refuse(400, JSON.stringify({ jsonrpc: '2.0', id, error }), { 'content-type': 'application/json' })(
        request,
        response,
      );
    } else streamOf(event(resultOf(request, result)))(request, response);
    return undefined;
  },
});

/** @returns a connected server, and how many connections were opened since */
async function start(): Promise<{ readonly server: HeadlessServer; readonly opened: () => number }> {
  const http = await serve(answer);
  const server = openHeadless({ type: 'http', url: `${http.origin}/mcp`, patchbay: { revision: '2025-11-25' } });
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
