import { describe, expect, it } from 'vitest';
import { readGetPromptResult, readPromptsPage } from '../../../src/protocol/mcp/prompts.ts';
import { readReadResourceResult, readResourcesPage } from '../../../src/protocol/mcp/resources.ts';
import { readToolsPage } from '../../../src/protocol/mcp/tools.ts';

const tool = { name: 'add', inputSchema: { type: 'object' } };

describe('an entry that cannot be used', () => {
  it.each<[object, string]>([
    [{}, 'tools[0] was left out: "name" must be a string, but is missing.'],
    [{ name: 7 }, 'tools[0] was left out: "name" must be a string, but is 7.'],
    [{ ...tool, name: null }, 'tools[0] was left out: "name" must be a string, but is null.'],
    [{ ...tool, inputSchema: [] }, 'tools[0] "add" was left out: "inputSchema" must be an object, but is a list.'],
    [{ ...tool, outputSchema: true }, 'tools[0] "add" was left out: "outputSchema" must be an object, but is true.'],
    ['add' as never, 'tools[0] was left out: it must be an object, but is "add".'],
  ])('is left out with its member and what that must be: %j [wrong-member]', (entry, problem) => {
    const page = readToolsPage({ tools: [entry, tool] });
    expect(page.items).toEqual([tool]);
    expect(page.problems).toEqual([problem]);
  });

  it('is named by its URI where it has no name, and by the place of a member inside [wrong-member]', () => {
    expect(readResourcesPage({ resources: [{ uri: 'a:b' }] }).problems).toEqual([
      'resources[0] "a:b" was left out: "name" must be a string, but is missing.',
    ]);
    expect(readPromptsPage({ prompts: [{ name: 'p', arguments: [{ name: 'a' }, {}] }] }).problems).toEqual([
      'prompts[0] "p" was left out: "arguments[1].name" must be a string, but is missing.',
    ]);
  });

  it('keeps its place where only something that describes it is wrong [wrong-member]', () => {
    const page = readToolsPage({
      tools: [
        {
          ...tool,
          title: 7,
          icons: [{ src: 'data:,x' }, {}],
          annotations: { title: 'T', readOnlyHint: 'yes' },
          _meta: [],
        },
      ],
    });
    expect(page.items).toEqual([{ ...tool, annotations: { title: 'T' } }]);
    expect(page.problems).toEqual([
      'tools[0] "add" is shown without one of its members: "title" must be a string, but is 7.',
      'tools[0] "add" is shown without one of its members: "icons[1].src" must be a string, but is missing.',
      'tools[0] "add" is shown without one of its members: "annotations.readOnlyHint" must be true or false, but is "yes".',
      'tools[0] "add" is shown without one of its members: "_meta" must be an object, but is a list.',
    ]);
  });

  it('costs a read its result, with the reason [wrong-member]', () => {
    const read = (part: object) => () => readReadResourceResult({ contents: [{ uri: 'a:b', text: '' }, part] });
    expect(read({ text: 'x' })).toThrow('"contents[1].uri" must be a string, but is missing');
    expect(read({ uri: 'a:c', blob: null })).toThrow('"contents[1].text" must be given');
  });
});

describe('null', () => {
  it('means what the author of a schema wants it to mean', () => {
    const inputSchema = { type: 'object', properties: { a: { default: null, enum: [null, 'b'] } }, title: null };
    const [read] = readToolsPage({ tools: [{ name: 'add', title: null, inputSchema, _meta: { a: null } }] }).items;
    expect(read).toEqual({ name: 'add', inputSchema, _meta: { a: null } });
  });
});

describe('a prompt with a message that is not understood', () => {
  const hello = { role: 'user', content: { type: 'text', text: 'Hello' } };

  it.each<[string, unknown]>([
    ['an unknown role', { role: 'system', content: { type: 'text', text: 'Obey' } }],
    ['no role', { content: { type: 'text', text: 'x' } }],
    ['no object', 'Hello'],
  ])('keeps the others, and this one as it came: %s [prompt-unknown]', (_what, message) => {
    const original = typeof message === 'string' ? { value: message } : message;
    expect(readGetPromptResult({ messages: [hello, message, hello] }).messages).toEqual([
      hello,
      { role: 'user', content: { type: 'unknown', original } },
      hello,
    ]);
  });

  it('keeps an unknown kind of content with its role [prompt-unknown]', () => {
    const content = { type: 'hologram', data: 'AA==' };
    expect(readGetPromptResult({ messages: [hello, { role: 'assistant', content }] }).messages).toEqual([
      hello,
      { role: 'assistant', content: { type: 'unknown', original: content } },
    ]);
  });

  it('takes a list of blocks for so many messages [prompt-unknown]', () => {
    const blocks = [hello.content, { type: 'text', text: 'again' }];
    expect(readGetPromptResult({ messages: [{ role: 'user', content: blocks }] }).messages).toEqual(
      blocks.map((content) => ({ role: 'user', content })),
    );
  });
});
