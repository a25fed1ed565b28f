import { getEventListeners, setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { queryObjects } from 'node:v8';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHeadlessHost } from '../../src/headless.ts';
import type { ServerDefinition } from '../../src/config/serverDefinition.ts';
import { answerJson, event, type Handler, openEvents, resultOf, serve, streamOf } from './http/httpHarness.ts';

// What calls must not leave behind. Counted, as each is too small to be seen in time or memory.

const calls = 1_000;
const atOnce = 50;
const script = fileURLToPath(new URL('../fixtures/servers/scriptedServer.mjs', import.meta.url));
const local = { command: process.execPath, args: [script], patchbay: { revision: '2025-11-25' } };

afterEach(() => void vi.restoreAllMocks());

/** Counts, from now on, the listeners on all signals, and the timers that have neither run out nor been cleared. */
function countLeftovers() {
  const timers = new Set<unknown>();
  const listened = vi.spyOn(EventTarget.prototype, 'addEventListener').mock.contexts;
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, milliseconds: number) => {
    const timer = set(() => {
      timers.delete(timer);
      callback();
    }, milliseconds);
    timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    timers.delete(timer);
    clear(timer);
  });
  return {
    get listeners() {
      const signals = listened.filter((target): target is AbortSignal => target instanceof AbortSignal);
      const open = new Set(signals.filter(({ aborted }) => !aborted));
      return [...open].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
    },
    get timers() {
      return timers.size;
    },
  };
}

const text = [{ type: 'text', text: 'done' }];
const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const identity = { capabilities: { tools: { listChanged: true } }, serverInfo: { name: 's', version: '1' } };
const results: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', ...identity },
  'server/discover': { supportedVersions: ['2026-07-28'], ...identity, ...common },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ...common },
  'tools/call': { content: text, ...common },
};

/** Answers with JSON and as an event stream in turn; keeps the streams of the server open. */
const answer: Handler = (request, response) => {
  const { method, id } = request.message;
  if (request.method === 'GET' || method === 'subscriptions/listen') return openEvents(response);
  if (id === undefined || request.method === 'DELETE') return void response.writeHead(202).end();
  if (method === 'initialize') response.setHeader('mcp-session-id', 's');
  const value = resultOf(request, results[String(method)]);
  if (Number(id) % 2 === 0) answerJson(response, value);
  else streamOf(event(value))(request, response);
};

const servers: Readonly<Record<string, () => Promise<ServerDefinition>>> = {
  'over stdio': async () => local,
  'over HTTP with sessions': () => remote('2025-11-25'),
  'over HTTP without sessions': () => remote('2026-07-28'),
};

async function remote(revision: string): Promise<ServerDefinition> {
  const { origin } = await serve(answer);
  return { type: 'http', url: `${origin}/mcp`, patchbay: { revision } };
}

/** One for all requests of the connection, one for its heartbeat or stream, and one for each limited log. */
const maximumTimers = 4;

describe.each(Object.keys(servers))('1,000 calls %s', (kind) => {
  it('leave no listener on any signal and no timer', async () => {
    const definition = await servers[kind]?.();
    const left = countLeftovers();
    const host = createHeadlessHost({ servers: definition === undefined ? {} : { s: definition } });
    const server = host.getServer('s') ?? expect.unreachable();
    const { signal } = new AbortController();
    setMaxListeners(atOnce, signal);
    const call = (): Promise<unknown> => server.callTool('echo', { text: 'x' }, { signal, onProgress: () => {} });
    await server.start();
    await call();
    const { listeners } = left;
    for (let done = 0; done < calls; done += atOnce) await Promise.all(Array.from({ length: atOnce }, call));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(left.listeners).toBe(listeners);
    expect(left.timers).toBeLessThanOrEqual(maximumTimers);
    await host.dispose();
    expect({ ...left }).toEqual({ listeners: 0, timers: 0 });
  });
});

/** Objects of this process by class, after a collection. */
function countObjects() {
  const count = (type: typeof AbortSignal | typeof Set | typeof Map): number => queryObjects(type, { format: 'count' });
  return { signals: count(AbortSignal), sets: count(Set), maps: count(Map) };
}

describe('an idle connection over stdio', { timeout: 60_000 }, () => {
  it('keeps no signal of the platform, and no set or map that few servers need', async () => {
    const labels = ['a', 'b', 'c', 'd', 'e', 'f'];
    const host = createHeadlessHost({ servers: Object.fromEntries(labels.map((label) => [label, local])) });
    try {
      await host.getServer('a')?.start();
      const before = countObjects();
      await Promise.all(labels.map(async (label) => host.getServer(label)?.start()));
      // On Windows each start lists the processes once.
      await expect.poll(() => countObjects().signals).toBeLessThanOrEqual(before.signals);
      const after = countObjects();
      const started = labels.length - 1;
      // The timers of its clock.
      expect(after.sets - before.sets).toBeLessThanOrEqual(started);
      // Pending requests, those of the server and their handlers, its lists, and the resources that are subscribed.
      expect(after.maps - before.maps).toBeLessThanOrEqual(5 * started);
    } finally {
      await host.dispose();
    }
  });
});
