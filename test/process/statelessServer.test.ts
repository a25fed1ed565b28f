import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHeadlessHost, type HeadlessHost, type HeadlessServer } from '../../src/headless.ts';
import { createStdioPartner, type Partner } from '../fixtures/partners.ts';

let host: HeadlessHost;
let server: HeadlessServer;
let partner: Partner;

const received = (method: string) => partner.received().filter((message) => message['method'] === method);

beforeEach(async () => {
  partner = createStdioPartner('statelessServer.mjs', [], '2026-07-28');
  host = createHeadlessHost({
    servers: { it: partner.definition },
    roots: [{ uri: 'file:///work' }],
    onSampling: () =>
      Promise.resolve({
        role: 'assistant',
        content: { type: 'text', text: 'Paris' },
        model: 'm',
        stopReason: 'endTurn',
      }),
    onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
  });
  server = host.getServer('it') ?? expect.unreachable('no server');
  await server.start();
});

afterEach(async () => {
  await host.dispose();
  await partner.close();
});

/** Calls a tool whose result is JSON in a text. */
async function call(name: string): Promise<unknown> {
  const { content } = await server.callTool(name);
  const [block] = content;
  return block?.type === 'text' ? JSON.parse(block.text) : expect.unreachable('no text');
}

function changeOf(what: 'tools' | 'resource'): Promise<unknown> {
  return new Promise((resolve) => {
    if (what === 'resource') server.onDidUpdateResource(resolve);
    else {
      const before = server.tools;
      server.onDidChange(() => before !== server.tools && resolve(server.tools));
    }
  });
}

const names = () => server.tools.map(({ name }) => name);

describe('a server of 2026-07-28', () => {
  it('is found out without configuration', () => {
    expect([server.protocolVersion, server.state]).toEqual(['2026-07-28', 'running']);
    expect(received('initialize')).toEqual([]);
  });

  it('gets what it asks for in a result, and its state as it gave it', async () => {
    expect(await call('ask')).toEqual({
      inputResponses: {
        folders: { roots: [{ uri: 'file:///work' }] },
        city: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm', stopReason: 'endTurn' },
        who: { action: 'accept', content: { name: 'Ada', age: 30 } },
      },
      requestState: ' {"sealed":"ü\\u0000"} ',
    });
    expect(await call('wait')).toBe('done');
    expect(received('tools/call')).toHaveLength(4);
  });

  it('is read again only when it says that something changed', async () => {
    const read = async () => (await server.readResource('memo:a')).contents[0]?.text;
    await server.subscribe('memo:a');
    expect([await read(), await read()]).toEqual(['1', '1']);
    const changed = Promise.all([changeOf('tools'), changeOf('resource')]);
    await call('change');
    await changed;
    expect(names()).toContain('extra-1');
    expect(await read()).toBe('2');
  });

  it.each(['hang-up', 'drop'])('is asked again to tell of changes after it ended that (%s)', async (how) => {
    await server.subscribe('memo:a');
    const listens = received('subscriptions/listen').length;
    const looked = Promise.all([changeOf('tools'), changeOf('resource')]);
    await call(how);
    await looked;
    expect(received('subscriptions/listen')).toHaveLength(listens + 1);
    const told = changeOf('resource');
    await call('change');
    expect(await told).toEqual({ uri: 'memo:a' });
  });

  it('is told again what to tell after a crash', async () => {
    await server.subscribe('memo:a');
    await expect(server.callTool('crash')).rejects.toMatchObject({ code: 'crashed' });
    await server.start();
    await expect
      .poll(() => received('subscriptions/listen').at(-1))
      .toMatchObject({
        params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['memo:a'] } },
      });
    const told = changeOf('resource');
    await call('change');
    await told;
  });
});
