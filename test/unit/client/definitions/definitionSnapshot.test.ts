import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { snapshotOf } from '../../../../src/client/definitions/definitionSnapshot.ts';
import { type DefinedKind, type Definition, definitionsOf, emptyContents } from '../../../../src/client/contents.ts';

const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };

async function digest(kind: DefinedKind, definition: object): Promise<string | undefined> {
  return (await snapshotOf(kind, [definition as Definition]))?.digest;
}

describe('what of a definition counts', () => {
  it.each<[string, object]>([
    ['title', { title: 'Add' }],
    ['description', { description: 'Adds, and more.' }],
    ['input schema', { inputSchema: { type: 'object', required: ['a'] } }],
    ['output schema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['execution', { execution: { taskSupport: 'required' } }],
    ['_meta', { _meta: { 'example.com/ui': 'x' } }],
  ])('of a tool: its %s', async (_, change) => {
    expect(await digest('tools', { ...tool, ...change })).not.toBe(await digest('tools', tool));
  });

  it('not the order of members, nor an icon', async () => {
    const { name, ...rest } = tool;
    expect(await digest('tools', { ...rest, name, icons: [{ src: 'a.png' }] })).toBe(await digest('tools', tool));
  });

  it('of a resource not how large it is, nor when it was changed', async () => {
    const resource = { uri: 'file:///a', name: 'a', annotations: { priority: 1, lastModified: '2026' } };
    const later = { ...resource, size: 5, annotations: { priority: 1, lastModified: '2027' } };
    expect(await digest('resources', later)).toBe(await digest('resources', resource));
    expect(await digest('resources', { ...resource, mimeType: 'text/html' })).not.toBe(
      await digest('resources', resource),
    );
  });

  it('of several tools with one name: each of them', async () => {
    const both = await snapshotOf('tools', [tool, { ...tool, description: 'Subtracts.' }]);
    expect(both?.digest).not.toBe(await digest('tools', tool));
  });

  it('all of it, whatever is nested how deep', async () => {
    const nested = (text: string) => JSON.parse(`${'{"a":'.repeat(20_000)}"${text}"${'}'.repeat(20_000)}`) as object;
    const one = await digest('tools', { ...tool, inputSchema: nested('one') });
    expect(one).not.toBe(await digest('tools', { ...tool, inputSchema: nested('two') }));
  });

  it('nothing of one that is too long', async () => {
    const description = 'x'.repeat(limits.definition.characters);
    expect(await snapshotOf('tools', [{ ...tool, description }])).toBeUndefined();
  });
});

describe('looking up definitions', () => {
  it('gives the same array for the same list, and all that share a name', () => {
    const contents = { ...emptyContents, tools: [tool, { ...tool }, { ...tool, name: 'other' }] };
    const found = definitionsOf(contents, 'tools', 'add');
    expect(found).toEqual([tool, tool]);
    expect(definitionsOf(contents, 'tools', 'add')).toBe(found);
    expect(definitionsOf(contents, 'tools', 'toString')).toEqual([]);
  });
});
