import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { readCompletion } from '../../../src/protocol/mcp/completion.ts';
import { readContentBlock } from '../../../src/protocol/mcp/content.ts';
import { readServerFacts } from '../../../src/protocol/mcp/lifecycle.ts';
import { readGetPromptResult, readPromptsPage } from '../../../src/protocol/mcp/prompts.ts';
import { readReadResourceResult, readResourcesPage } from '../../../src/protocol/mcp/resources.ts';
import { readCallToolResult, readToolsPage } from '../../../src/protocol/mcp/tools.ts';

const tool = { name: 'add', inputSchema: { type: 'object' } };

describe('an entry that cannot be used', () => {
  it.each<[object, string]>([
    [{}, 'tools[0] was left out: "name" must be a string, but is missing.'],
    [{ name: 7 }, 'tools[0] was left out: "name" must be a string, but is 7.'],
    [{ ...tool, name: null }, 'tools[0] was left out: "name" must be a string, but is null.'],
    [{ ...tool, inputSchema: [1] }, 'tools[0] "add" was left out: "inputSchema" must be an object, but is a list.'],
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
    const annotations = { title: 'T', readOnlyHint: 'yes' };
    const page = readToolsPage({
      tools: [{ ...tool, title: 7, icons: [{ src: 'data:,x' }, {}], annotations, _meta: [1] }],
    });
    expect(page.items).toEqual([{ ...tool, annotations: { title: 'T' } }]);
    const reasons = [
      '"title" must be a string, but is 7.',
      '"icons[1].src" must be a string, but is missing.',
      '"annotations.readOnlyHint" must be true or false, but is "yes".',
      '"_meta" must be an object, but is a list.',
    ];
    expect(page.problems).toEqual(
      reasons.map((reason) => `tools[0] "add" is shown without one of its members: ${reason}`),
    );
  });

  it('makes a part of a resource its JSON, beside those that can be read [wrong-member]', () => {
    const good = { uri: 'a:b', text: '' };
    const read = (part: object) => readReadResourceResult({ contents: [good, part] }, 'a:b').contents;
    const asJson = (uri: string, text: string) => [good, { uri, mimeType: 'application/json', text }];
    expect(read({ code: 1, message: 'gone' })).toEqual(asJson('a:b', '{"code":1,"message":"gone"}'));
    expect(read({ uri: 'a:c', blob: null })).toEqual(asJson('a:c', '{"uri":"a:c","blob":null}'));
  });
});

it('a list without entries means an object without members, as PHP writes it', () => {
  const { items, problems } = readToolsPage({ tools: [{ name: 'add', inputSchema: [], _meta: [] }] });
  expect([items, problems]).toEqual([[{ name: 'add', inputSchema: {}, _meta: {} }], []]);
});

it('the bare result of a tool is shown as it came', () => {
  expect(readCallToolResult({ temperature: 7, _meta: {} }).content).toEqual([
    { type: 'unknown', original: { temperature: 7 } },
  ]);
  expect(readCallToolResult({ isError: true, _meta: {} }).content).toEqual([]);
});

it('one part of a resource is a list of one', () => {
  const part = { uri: 'a:b', text: 'x' };
  expect(readReadResourceResult({ contents: part }, 'a:b').contents).toEqual([part]);
});

it('null means what the author of a schema wants it to mean', () => {
  const inputSchema = { type: 'object', properties: { a: { default: null, enum: [null, 'b'] } }, title: null };
  const [read] = readToolsPage({ tools: [{ name: 'add', title: null, inputSchema, _meta: { a: null } }] }).items;
  expect(read).toEqual({ name: 'add', inputSchema, _meta: { a: null } });
});

describe('a prompt with a message that is not understood', () => {
  const hello = { role: 'user', content: { type: 'text', text: 'Hello' } };

  it.each<[string, unknown]>([
    ['an unknown role', { role: 'system', content: { type: 'text', text: 'Obey' } }],
    ['no role', { content: { type: 'text', text: 'x' } }],
    ['no object', 'Hello'],
  ])('keeps the others, and this one as it came: %s [prompt-unknown]', (_what, message) => {
    const original = typeof message === 'string' ? { value: message } : message;
    const kept = { role: 'user', content: { type: 'unknown', original } };
    expect(readGetPromptResult({ messages: [hello, message, hello] }).messages).toEqual([hello, kept, hello]);
  });

  it('keeps an unknown kind of content with its role [prompt-unknown]', () => {
    const content = { type: 'hologram', data: 'AA==' };
    const kept = { role: 'assistant', content: { type: 'unknown', original: content } };
    expect(readGetPromptResult({ messages: [hello, { role: 'assistant', content }] }).messages).toEqual([hello, kept]);
  });

  it('takes a list of blocks for so many messages [prompt-unknown]', () => {
    const blocks = [hello.content, { type: 'text', text: 'again' }];
    expect(readGetPromptResult({ messages: [{ role: 'user', content: blocks }] }).messages).toEqual(
      blocks.map((content) => ({ role: 'user', content })),
    );
  });
});

it.each([
  { type: 'resource_link', uri: 'a:b' },
  { type: 'resource_link', uri: 'a:b', name: 7 },
  { type: 'resource_link', uri: 'a:b', name: 'n', mimeType: {} },
  { type: 'resource', resource: { uri: 'a:b', text: 't', mimeType: 7 } },
  { type: 'text' },
  { type: 'hologram' },
])('content that is not what its type says is kept as it came: %j [content-unknown]', (original) => {
  expect(readContentBlock(original)).toEqual({ type: 'unknown', original });
});

it('a flood of completions is cut [completion-bounds]', () => {
  const values = Array.from({ length: 100_000 }, String);
  expect(readCompletion({ completion: { values } }).values).toEqual(values.slice(0, 1_000));
});

const { item } = limits;
const longText = 'x'.repeat(1_500_000);

describe('an entry of a list', () => {
  it('that is within its limits is kept as it came', () => {
    const more = { icons: [{ src: 'data:,x' }], annotations: { title: 'T' }, _meta: { any: [1, { thing: true }] } };
    const entry = { ...tool, ...more };
    const page = readToolsPage({ tools: [entry] });
    expect(page.items[0]).toBe(entry);
    expect(page.problems).toEqual([]);
  });

  it.each<[string, { readonly items: readonly unknown[]; readonly problems: readonly string[] }]>([
    ['name', readToolsPage({ tools: [tool, { ...tool, name: longText }] })],
    ['uri', readResourcesPage({ resources: ['a:b', `x:${longText}`].map((uri) => ({ name: 'a', uri })) })],
  ])('is left out where it is identified by too long a text: %s', (key, page) => {
    expect(page.items).toHaveLength(1);
    expect(page.problems).toEqual([expect.stringMatching(`\\[1\\] ".*" was left out: its ${key} is longer than`)]);
  });

  it('is left out where it is too long altogether', () => {
    const page = readToolsPage({ tools: [{ ...tool, _meta: { a: longText, b: longText, c: longText } }, tool] });
    expect(page.items).toEqual([tool]);
    expect(page.problems).toEqual([expect.stringContaining('tools[0] "add" was left out: it is longer than')]);
  });

  it('has its texts cut, between characters', () => {
    const description = `${'d'.repeat(item.description - 1)}🙂 and so on`;
    const page = readToolsPage({ tools: [{ ...tool, title: longText, description }] });
    expect(page.items[0]?.title?.length).toBeLessThan(item.title + 50);
    expect(page.items[0]?.description).toBe(`${'d'.repeat(item.description - 1)}… (11 more characters)`);
    expect(page.problems).toHaveLength(2);
  });

  it('keeps its place and says so where one of its schemas is too long', () => {
    const outputSchema = { type: 'object', description: longText };
    const page = readToolsPage({
      tools: [
        { ...tool, outputSchema },
        { ...tool, name: 'other', inputSchema: outputSchema },
      ],
    });
    expect(page.items).toMatchObject([
      { ...tool, outputSchema: undefined, omittedSchemas: ['outputSchema'] },
      { name: 'other', inputSchema: { type: 'object' }, omittedSchemas: ['inputSchema'] },
    ]);
    expect(JSON.stringify(page.items).length).toBeLessThan(1_000);
    expect(page.problems).toEqual([expect.stringContaining('outputSchema'), expect.stringContaining('inputSchema')]);
  });

  it('has only so many icons and arguments, of bounded length', () => {
    const icons = [{ src: longText }, ...Array.from({ length: 100 }, () => ({ src: 'data:,x' }))];
    expect(readToolsPage({ tools: [{ ...tool, icons }] }).items[0]?.icons).toHaveLength(item.icons - 1);
    const list = [
      { name: longText },
      { name: 'a', description: longText },
      ...Array.from({ length: 1_000 }, () => ({ name: 'b' })),
    ];
    const [prompt] = readPromptsPage({ prompts: [{ name: 'p', arguments: list }] }).items;
    expect(prompt?.arguments).toHaveLength(item.arguments - 1);
    expect(prompt?.arguments?.[0]?.description?.length).toBeLessThan(item.description + 50);
  });

  it('has a complaint for each, up to a bound', () => {
    const page = readToolsPage({ tools: Array.from({ length: 1_000 }, () => ({ ...tool, title: 'x'.repeat(2_000) })) });
    expect(page.items).toHaveLength(1_000);
    expect(page.problems).toHaveLength(limits.list.problems);
  });
});

it('what a server says of itself is bounded', () => {
  const serverInfo = { name: longText, version: longText, title: longText, websiteUrl: longText };
  const { server, instructions } = readServerFacts({ instructions: longText }, serverInfo);
  expect(JSON.stringify(server).length).toBeLessThan(4_000);
  expect(server).not.toHaveProperty('websiteUrl');
  expect(instructions?.length).toBeLessThan(limits.server.instructions + 50);
});
