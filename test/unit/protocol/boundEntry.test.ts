import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { readServerFacts } from '../../../src/protocol/mcp/lifecycle.ts';
import { readPromptsPage } from '../../../src/protocol/mcp/prompts.ts';
import { readResourcesPage } from '../../../src/protocol/mcp/resources.ts';
import { readToolsPage } from '../../../src/protocol/mcp/tools.ts';

const { item } = limits;
const tool = { name: 'fine', description: 'A tool.', inputSchema: { type: 'object' } };
const longText = 'x'.repeat(1_500_000);

describe('an entry of a list', () => {
  it('that is within its limits is kept as it came', () => {
    const entry = {
      ...tool,
      icons: [{ src: 'data:,x' }],
      annotations: { title: 'T' },
      _meta: { any: [1, { thing: true }] },
    };
    const page = readToolsPage({ tools: [entry] });
    expect(page.items[0]).toBe(entry);
    expect(page.problems).toEqual([]);
  });

  it.each([
    ['name', () => readToolsPage({ tools: [tool, { ...tool, name: longText }] })],
    [
      'uri',
      () =>
        readResourcesPage({
          resources: [
            { name: 'a', uri: 'a:b' },
            { name: 'b', uri: `x:${longText}` },
          ],
        }),
    ],
  ])('is left out where it is identified by too long a text: %s', (key, read) => {
    const page = read();
    expect(page.items).toHaveLength(1);
    expect(page.problems).toEqual([expect.stringMatching(`\\[1\\] ".*" was left out: its ${key} is longer than`)]);
  });

  it('is left out where it is too long altogether', () => {
    const page = readToolsPage({ tools: [{ ...tool, _meta: { a: longText, b: longText, c: longText } }, tool] });
    expect(page.items).toEqual([tool]);
    expect(page.problems).toEqual([expect.stringContaining('tools[0] "fine" was left out: it is longer than')]);
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

describe('what a server says of itself', () => {
  it('is bounded', () => {
    const serverInfo = { name: longText, version: longText, title: longText, websiteUrl: longText };
    const { server, instructions } = readServerFacts({ instructions: longText }, serverInfo);
    expect(JSON.stringify(server).length).toBeLessThan(4_000);
    expect(server).not.toHaveProperty('websiteUrl');
    expect(instructions?.length).toBeLessThan(limits.server.instructions + 50);
  });
});
