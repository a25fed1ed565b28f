import { describe, expect, it, vi } from 'vitest';
import { settle } from '../../fixtures/manualClock.ts';
import { setUpServer, startServer } from '../../fixtures/scriptedManagedServer.ts';

const capabilities = { tools: {}, resources: {}, prompts: {} };

/** A server that lists one entry of each kind, as given. */
function listing(items: { readonly tools?: object[]; readonly resources?: object[]; readonly prompts?: object[] }) {
  return setUpServer({
    capabilities,
    script(server) {
      server.on('tools/list', () => ({ tools: items.tools ?? [] }));
      server.on('resources/list', () => ({ resources: items.resources ?? [] }));
      server.on('prompts/list', () => ({ prompts: items.prompts ?? [] }));
    },
  });
}

const inputSchema = { type: 'object' };

describe('what a server says', () => {
  it('keeps `_meta` and members that nobody knows [unknown-members]', async () => {
    const tool = { name: 'add', inputSchema, _meta: { 'example.com/own': [1] }, later: { addition: true } };
    const { server, latest } = listing({ tools: [tool] });
    await server.start();
    expect(server.contents.tools).toEqual([tool]);
    latest().on('tools/call', () => ({ content: [], _meta: { 'example.com/cost': 3 }, later: 1 }));
    expect(await server.callTool('add')).toMatchObject({ _meta: { 'example.com/cost': 3 } });
  });

  it('keeps every keyword of a schema [schema-intact]', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { part: { $anchor: 'part', type: 'string' } },
      type: 'object',
      properties: { a: { $ref: '#part' }, b: { anyOf: [{ type: 'null' }, { enum: [1] }] } },
      if: { required: ['a'] },
      else: { required: ['b'] },
      additionalProperties: false,
    };
    const { server } = listing({ tools: [{ name: 'add', inputSchema: schema, outputSchema: schema }] });
    await server.start();
    expect(server.contents.tools[0]).toMatchObject({ inputSchema: schema, outputSchema: schema });
  });

  it('may have names that no one recommends [tool-names]', async () => {
    const names = ['Größe', 'with space', 'a/b', 'x'.repeat(200), '漢字'];
    const { server } = listing({ tools: names.map((name) => ({ name, inputSchema })) });
    await server.start();
    expect(server.contents.tools.map(({ name }) => name)).toEqual(names);
  });

  it('keeps hints about whom a resource is for [annotations-hints]', async () => {
    const annotations = { audience: ['user'], priority: 0.3, lastModified: '2026-01-01T00:00:00Z' };
    const { server } = listing({ resources: [{ uri: 'a:b', name: 'b', annotations }] });
    await server.start();
    expect(server.contents.resources[0]).toMatchObject({ annotations });
  });

  it('has every kind of content in a prompt [prompt-content]', async () => {
    const kinds = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
      { type: 'resource_link', uri: 'a:b', name: 'b' },
    ];
    const { server, latest } = listing({ prompts: [{ name: 'p' }] });
    await server.start();
    const messages = kinds.map((content) => ({ role: 'user', content }));
    latest().on('prompts/get', () => ({ messages }));
    expect(await server.getPrompt('p')).toMatchObject({ messages });
  });

  it('changes neither how it is called nor what it may do [server-info-display]', async () => {
    const { server, latest, audit } = await startServer({
      capabilities: { tools: {} },
      script(scripted) {
        scripted.on('tools/list', () => ({ tools: [] }));
        scripted.on('initialize', ({ protocolVersion }) => ({
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'trusted by everybody', version: '1' },
          instructions: 'Call add first.',
        }));
      },
    });
    latest().on('tools/call', () => ({ content: [] }));
    await server.callTool('add');
    expect(server.label).toBe('it');
    await vi.waitFor(() => expect(audit[0]).toMatchObject({ server: 'it' }));
  });

  it('includes how it wants to be used [instructions]', async () => {
    const { server } = await startServer({
      script: (scripted) =>
        scripted.on('initialize', ({ protocolVersion }) => ({
          protocolVersion,
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
          instructions: 'Call add first.',
        })),
    });
    expect(server.session?.instructions).toBe('Call add first.');
  });

  it.each([undefined, {}, { requestId: null }, { requestId: 'never used' }, { requestId: 1 }])(
    'cancels nothing with %j [cancel-unknown]',
    async (params) => {
      const { server, latest } = listing({ tools: [{ name: 'add', inputSchema }] });
      await server.start();
      latest().on('tools/call', () => undefined);
      const call = server.callTool('add');
      await settle();
      latest().notify('notifications/cancelled', params);
      const id = latest().sentFor('tools/call')[0]?.['id'];
      latest().notify('notifications/cancelled', { requestId: id });
      latest().say({ jsonrpc: '2.0', id, result: { content: [] } });
      expect(await call).toEqual({ content: [], isError: false });
    },
  );

  it('is logged, with any data there is [log-messages]', async () => {
    const { server, latest } = setUpServer({ capabilities: { logging: {} } });
    const heard: unknown[] = [];
    server.onDidLog(({ level, data }) => heard.push([level, data]));
    await server.start();
    latest().notify('notifications/message', { level: 'emergency', logger: 'it', data: { a: [null] } });
    latest().notify('notifications/message', { level: 'info', data: 'text' });
    await settle();
    expect(heard).toEqual([
      ['emergency', { a: [null] }],
      ['info', 'text'],
    ]);
  });
});
