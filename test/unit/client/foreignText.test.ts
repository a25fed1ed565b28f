import { describe, expect, it, vi } from 'vitest';
import { settle } from '../../fixtures/manualClock.ts';
import { setUpServer, startServer } from '../../fixtures/scriptedManagedServer.ts';

/** A started server that lists these entries of one kind. */
function listing(kind: 'tools' | 'resources' | 'prompts', entries: readonly object[]) {
  return startServer({
    capabilities: { [kind]: {} },
    script: (server) => server.on(`${kind}/list`, () => ({ [kind]: entries })),
  });
}

const inputSchema = { type: 'object' };

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { part: { $anchor: 'part', type: 'string' } },
  type: 'object',
  properties: { a: { $ref: '#part' }, b: { anyOf: [{ type: 'null' }, { enum: [1] }] } },
  if: { required: ['a'] },
  else: { required: ['b'] },
  additionalProperties: false,
};
const unknown = { name: 'add', inputSchema, _meta: { 'example.com/own': [1] }, later: { addition: true } };
const annotations = { audience: ['user'], priority: 0.3, lastModified: '2026-01-01T00:00:00Z' };

describe('what a server says', () => {
  it.each<[string, 'tools' | 'resources', readonly object[]]>([
    ['`_meta` and members that nobody knows [unknown-members]', 'tools', [unknown]],
    [
      'every keyword of a schema [schema-intact]',
      'tools',
      [{ name: 'add', inputSchema: schema, outputSchema: schema }],
    ],
    [
      'names that no one recommends [tool-names]',
      'tools',
      ['Größe', 'with space', 'a/b', 'x'.repeat(200), '漢字'].map((name) => ({ name, inputSchema })),
    ],
    ['whom a resource is for [annotations-hints]', 'resources', [{ uri: 'a:b', name: 'b', annotations }]],
  ])('keeps %s', async (_, kind, entries) => {
    const { server } = await listing(kind, entries);
    expect(server.contents[kind]).toEqual(entries);
  });

  it('keeps `_meta` of a result [unknown-members]', async () => {
    const { server, latest } = await listing('tools', [unknown]);
    latest().on('tools/call', () => ({ content: [], _meta: { 'example.com/cost': 3 }, later: 1 }));
    expect(await server.callTool('add')).toMatchObject({ _meta: { 'example.com/cost': 3 } });
  });

  it('has every kind of content in a prompt [prompt-content]', async () => {
    const kinds = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
      { type: 'resource_link', uri: 'a:b', name: 'b' },
    ];
    const { server, latest } = await listing('prompts', [{ name: 'p' }]);
    const messages = kinds.map((content) => ({ role: 'user', content }));
    latest().on('prompts/get', () => ({ messages }));
    expect(await server.getPrompt('p')).toMatchObject({ messages });
  });

  it('changes neither how it is called nor what it may do, and includes how it wants to be used [server-info-display] [instructions]', async () => {
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
    expect(server.session?.instructions).toBe('Call add first.');
    latest().on('tools/call', () => ({ content: [] }));
    await server.callTool('add');
    expect(server.label).toBe('it');
    await vi.waitFor(() => expect(audit[0]).toMatchObject({ server: 'it' }));
  });

  it.each([undefined, {}, { requestId: null }, { requestId: 'never used' }, { requestId: 1 }])(
    'cancels nothing with %j [cancel-unknown]',
    async (params) => {
      const { server, latest } = await listing('tools', [{ name: 'add', inputSchema }]);
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
