import type { ServerDefinition } from '../../src/config/serverDefinition.ts';
import {
  createHeadlessHost,
  type HeadlessHost,
  type HeadlessOptions,
  type HeadlessServer,
} from '../../src/headless.ts';
import { assertExpected } from './target.ts';

/** Short, as most mutations leave a request without an answer. */
const fuzzTimeouts = { connectMs: 5_000, requestMs: 300, maximumMs: 1_000 };

/** How a person answers in a session. */
export const answers: Required<Pick<HeadlessOptions, 'onSampling' | 'onElicitation'>> = {
  onSampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm', stopReason: 'endTurn' }),
  onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
};

/** Every use of a partner server, by its name in errors. */
const requests: Readonly<Record<string, (server: HeadlessServer) => Promise<unknown>>> = {
  echo: (server) => server.callTool('echo', { text: 'hello' }),
  add: (server) => server.callTool('add', { a: 1, b: 2 }),
  fail: (server) => server.callTool('fail'),
  show: (server) => server.callTool('show', { kinds: ['text', 'image', 'resource'] }),
  count: (server) => server.callTool('count', { to: 3 }, { onProgress: () => {} }),
  log: (server) => server.callTool('log', { level: 'error' }),
  'changed tools': (server) => server.callTool('add_tool'),
  form: (server) => server.callTool('ask_form'),
  page: (server) => server.callTool('ask_url'),
  model: (server) => server.callTool('ask_model'),
  roots: (server) => server.callTool('ask_roots'),
  task: (server) => server.callTool('work'),
  read: (server) => server.readResource('memo:///text'),
  subscribe: (server) => server.subscribe('memo:///text'),
  prompt: (server) => server.getPrompt('greet', { name: 'Ada' }),
  complete: (server) => server.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'A' }),
  'log level': (server) => server.setLogLevel('error'),
  ping: (server) => server.ping(),
};

/**
 * Starts a server, uses all its features, and stops it.
 * @param inTurn one request after the other, as a session is recorded
 * @throws where a request ends in anything but a result or an error for people
 */
export async function exercise(host: HeadlessHost, label: string, inTurn = false): Promise<void> {
  const server = host.getServer(label);
  if (server === undefined) throw new Error(`There is no server "${label}".`);
  const started = await attempt('start', server.start());
  if (started) {
    host.setRoots([{ uri: 'file:///work', name: 'work' }]);
    const pending: Promise<boolean>[] = [];
    for (const [name, request] of Object.entries(requests)) {
      const outcome = attempt(name, request(server));
      pending.push(outcome);
      if (inTurn) await outcome;
    }
    await Promise.all(pending);
  }
  await attempt('stop', server.stop());
}

/** Exercises all these servers at the same time, in one host. */
export async function exerciseAll(definitions: readonly ServerDefinition[]): Promise<void> {
  const servers = Object.fromEntries(
    definitions.map((definition, index) => [String(index), { ...definition, patchbay: { timeouts: fuzzTimeouts } }]),
  );
  const host = createHeadlessHost({ ...answers, servers, onLog: () => {} });
  try {
    await Promise.all(Object.keys(servers).map((label) => exercise(host, label)));
  } finally {
    await host.dispose();
  }
}

/** @returns whether it went well */
async function attempt(name: string, action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    try {
      assertExpected(error);
    } catch (cause) {
      throw new Error(`${name} failed with an error of the host's own: ${String(cause)}`, { cause });
    }
    return false;
  }
}
