import { describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { SamplingResult } from '../../../../src/protocol/mcp/sampling.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { setUpServer, startServer, withTools } from '../../../fixtures/scriptedManagedServer.ts';

const params = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };
const yes: SamplingResult = { role: 'assistant', content: [{ type: 'text', text: 'yes' }], model: 'm' };

describe('calls', () => {
  it('return checked results and leave a record', async () => {
    const { server, latest, audit } = await startServer(withTools);
    latest().on('tools/call', ({ name }) => ({
      content: [{ type: 'text', text: String(name) }, { type: 'hologram' }],
      isError: true,
    }));
    expect(await server.callTool('add', { a: 1 })).toEqual({
      content: [
        { type: 'text', text: 'add' },
        { type: 'unknown', original: { type: 'hologram' } },
      ],
      isError: true,
    });
    const entry = { server: 'it', action: 'toolCall', outcome: 'tool error', detail: { tool: 'add' } };
    await vi.waitFor(() => expect(audit).toMatchObject([entry]));
  });

  it('pass errors on with their code, whatever the code is', async () => {
    const { server, latest, audit } = await startServer({ capabilities: { resources: {} } });
    latest().fail('resources/read', { code: -32001, message: 'Resource not found' });
    await expect(server.readResource('x:y')).rejects.toMatchObject({ code: -32001 });
    expect(audit.at(-1)).toMatchObject({ action: 'resourceRead', outcome: 'failed: Resource not found' });
  });

  it.each([
    ['2024-11-05', {}, 1],
    ['2025-03-26', {}, 0],
    ['2025-03-26', { completions: {} }, 1],
  ])(
    'complete in %s with capabilities %j asks %i times [completion-capability]',
    async (protocolVersion, capabilities, times) => {
      const { server, latest } = await startServer({ protocolVersion, capabilities });
      latest().fail('completion/complete', { code: -32601, message: 'none' });
      const completion = await server.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
      expect(completion).toEqual({ values: [] });
      expect(latest().sentFor('completion/complete')).toHaveLength(times);
    },
  );

  it('ask for a subscription again that a restarted server refused', async () => {
    let isRefused = false;
    const { server, latest } = await startServer({
      capabilities: { resources: { subscribe: true } },
      script: (scripted) => {
        scripted.on('resources/subscribe', () => {
          if (isRefused) throw { code: -32603, message: 'Not yet' };
          return {};
        });
      },
    });
    await server.subscribe('a:b');
    isRefused = true;
    await server.restart();
    await settle();
    isRefused = false;
    await server.subscribe('a:b');
    expect(latest().sentFor('resources/subscribe')).toHaveLength(2);
    await server.restart();
    await settle();
    await server.subscribe('a:b');
    expect(latest().sentFor('resources/subscribe')).toHaveLength(1);
  });

  it('ask no other program under the label for the subscriptions of the one before', async () => {
    let command = 'one';
    const { server, latest } = await startServer({
      capabilities: { resources: { subscribe: true } },
      prepare: async () => ({ kind: 'stdio', command, args: [], cwd: undefined, env: {} }),
      script: (scripted) => scripted.on('resources/subscribe', () => ({})),
    });
    await server.subscribe('a:b');
    await server.restart();
    await settle();
    expect(latest().sentFor('resources/subscribe')).toHaveLength(1);
    command = 'two';
    await server.restart();
    await settle();
    expect(latest().sentFor('resources/subscribe')).toEqual([]);
    await server.subscribe('c:d');
    await server.restart();
    await settle();
    expect(latest().sentFor('resources/subscribe')).toHaveLength(1);
    command = 'one';
    await server.restart();
    await settle();
    expect(latest().sentFor('resources/subscribe')).toEqual([]);
  });

  it('refuse what the server does not offer [negotiated-only] [subscribe-capability]', async () => {
    const { server } = await startServer();
    await expect(server.subscribe('a:b')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await expect(server.setLogLevel('debug')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await expect(server.callTool('x')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await expect(server.readResource('x:y')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await expect(server.getPrompt('x')).rejects.toMatchObject({ code: 'capabilityMissing' });
  });
});

describe('requests of the server', () => {
  it('get the roots lent to it, and hear when they change [roots-answer] [roots-changed]', async () => {
    const roots = vi.fn(() => [{ uri: 'file:///a', name: 'a' }]);
    const { server, latest, audit } = await startServer({ answerers: { roots } });
    expect(latest().sent[0]).toMatchObject({ params: { capabilities: { roots: { listChanged: true } } } });
    expect(await latest().ask('roots/list')).toMatchObject({ result: { roots: [{ uri: 'file:///a', name: 'a' }] } });
    await latest().ask('roots/list');
    expect(audit).toMatchObject([{ action: 'roots', outcome: 'given' }]);
    server.notifyRootsChanged();
    expect(latest().sentFor('notifications/roots/list_changed')).toHaveLength(1);
  });

  it('hear of roots that changed while the server was starting', async () => {
    const { server, latest } = setUpServer({
      ...withTools,
      answerers: { roots: () => [] },
      script(scripted) {
        scripted.on('tools/list', () => {
          server.notifyRootsChanged();
          return { tools: [] };
        });
      },
    });
    await server.start();
    expect(latest().sentFor('notifications/roots/list_changed')).toHaveLength(1);
  });

  it('never get a root that is not a file [roots-file] [roots-error]', async () => {
    const { latest } = await startServer({ answerers: { roots: () => [{ uri: 'vscode-vfs://x/y' }] } });
    expect(await latest().ask('roots/list')).toMatchObject({ error: { code: -32603 } });
  });

  it('are kept alive by progress while a person decides, where the server wants to hear of it', async () => {
    let decide = (): void => {};
    const { clock, server, latest } = await startServer({
      answerers: { sampling: () => new Promise((resolve) => (decide = () => resolve(yes))) },
    });
    const answers = [
      latest().ask('sampling/createMessage', { ...params, _meta: { progressToken: 'mine' } }),
      latest().ask('sampling/createMessage', params),
    ];
    await settle();
    await clock.advance(35_000);
    const told = latest().sentFor('notifications/progress');
    expect(told.map((message) => message['params'])).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'mine', progress })),
    );
    decide();
    await answers[1];
    await server.stop();
    expect(clock.waiting).toBe(0);
  });

  it('carry the running call as their cause', async () => {
    const causes: (string | undefined)[] = [];
    const { server, latest } = await startServer({
      ...withTools,
      answerers: {
        sampling: (_, { cause }) => {
          causes.push(cause);
          return Promise.resolve(yes);
        },
      },
    });
    latest().on('tools/call', () => undefined);
    void server.callTool('summarize').catch(() => {});
    await settle();
    await latest().ask('sampling/createMessage', params);
    await server.stop();
    expect(causes).toEqual(['tool summarize']);
  });
});

describe('output on stdout that is no message', () => {
  it('is counted, announced once a second at most, and logged in a bounded number of lines', async () => {
    const { server, latest, clock, warnings } = await startServer({});
    let changes = 0;
    server.onDidIgnoreOutput(() => (changes += 1));
    for (let line = 0; line < 100_000; line += 1) latest().log({ source: 'noise', text: 'listening…' });
    latest().log({ source: 'stderr', text: 'a log' });
    await settle();
    expect([server.ignoredLines, changes]).toEqual([100_000, 1]);
    latest().log({ source: 'noise', text: 'more' });
    await settle();
    expect([server.ignoredLines, changes]).toEqual([100_001, 1]);
    await clock.advance(10_000);
    expect(changes).toBe(2);
    expect(warnings.length).toBeLessThan(100);
    expect(warnings[0]).toBe('Ignored output on stdout (use stderr for logs): listening…');
    expect(warnings.at(-1)).toBe('… 99951 more lines on stdout left out');
    await server.restart();
    expect(server.ignoredLines).toBe(0);
  });

  it('of a remote server is none of its program', async () => {
    const url = new URL('https://example.org/mcp');
    const { server, latest } = await startServer({ plan: { kind: 'http', url, headers: {} } });
    latest().log({ source: 'noise', text: 'data' });
    expect(server.ignoredLines).toBe(0);
  });
});

it('refuses every start while it must not start, without becoming a failure', async () => {
  let refusal: PatchbayError | undefined = new PatchbayError('disabled', 'No.');
  const { server, states, launches } = setUpServer({ refusal: () => refusal });
  await expect(server.start()).rejects.toBe(refusal);
  await expect(server.restart()).rejects.toBe(refusal);
  expect([server.state.kind, launches.length, states]).toEqual(['stopped', 0, []]);
  refusal = undefined;
  await server.start();
  expect(server.state.kind).toBe('running');
});
