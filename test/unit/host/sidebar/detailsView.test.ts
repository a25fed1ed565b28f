import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { describeHidden } from '../../../../src/base/hiddenCharacters.ts';
import { summarizeContents } from '../../../../src/client/lists/contentsMemory.ts';
import { emptyContents } from '../../../../src/client/contents.ts';
import * as details from '../../../../src/host/sidebar/detailsView.ts';
import { wholeItem, wholeServer } from '../../../../src/host/sidebar/detailsView.ts';
import { factsText } from '../../../../src/shared/factsMessages.ts';
import { rememberedBy } from '../../../../src/host/servers/serverStatus.ts';
import { namesakeFacts } from '../../../../src/host/sidebar/itemFacts.ts';
import { running, sampleServer, session } from '../sampleServer.ts';

const serverDetails = (...given: Parameters<typeof details.serverDetails>): string =>
  factsText(details.serverDetails(...given));
const itemDetails = (...given: Parameters<typeof details.itemDetails>): string =>
  factsText(details.itemDetails(...given));

describe('serverDetails', () => {
  it('tells state, revision, transport, origin and capabilities', () => {
    const text = serverDetails(sampleServer('demo', { state: running, session }));
    expect(text).toContain('State: running');
    expect(text).toContain('Protocol: 2025-11-25, found by asking the server; answered in 42 ms');
    expect(text).toContain('Transport: stdio, node');
    expect(text).toContain('Configured in: .vscode/mcp.json');
    expect(text).toContain('"logging": {}');
  });

  it.each([
    ['disabled', { isDisabled: true }],
    ['waiting for your answer', { state: { kind: 'starting' }, awaitsAnswer: true }],
  ] as const)('says as its row does that a server is %s', (said, sample) => {
    expect(serverDetails(sampleServer('demo', sample))).toContain(`State: ${said}`);
  });

  it.each([
    ['github', true],
    ['mcpJson', true],
    ['cursor', false],
    ['user', false],
  ] as const)("says that the editor's own agent starts servers of the same file again: %s, %s", (kind, isSaid) => {
    const source = { kind, uri: undefined, folder: undefined, title: 'there' };
    const text = serverDetails(sampleServer('demo', { configured: { source } }));
    expect(text.includes('Started twice: ')).toBe(isSaid);
    expect(text.includes('Disable (Workspace) in MCP: List Servers')).toBe(isSaid);
  });

  it('shows no value of the environment, of headers or of a query', () => {
    const stdio = sampleServer('a', { configured: { definition: { command: 'x', env: { TOKEN: 'hunter2' } } } });
    const url = 'https://me:hunter2@example.org/mcp?key=hunter2';
    const http = sampleServer('b', { configured: { definition: { url, headers: { Authorization: 'hunter2' } } } });
    const text = serverDetails(stdio) + serverDetails(http);
    expect(text).not.toContain('hunter2');
    expect(text).toContain('Environment: TOKEN');
    expect(text).toContain('Transport: HTTP, https://example.org/mcp');
  });

  it.each([
    [
      'http',
      '2026-07-28',
      'Streamable HTTP',
      /Deprecated, but supported: roots, sampling and logging, since 2026-07-28/,
    ],
    ['sse', '2024-11-05', 'HTTP+SSE', /Deprecated, but supported: HTTP\+SSE, replaced by Streamable HTTP/],
    ['http', '2025-06-18', 'Streamable HTTP', undefined],
  ] as const)('tells how a server is really reached: %s, %s', (transport, protocolVersion, way, deprecation) => {
    const remote = { definition: { url: 'https://example.org/mcp' } };
    const live = { ...session, transport, protocolVersion, negotiation: 'remembered' } as const;
    const text = serverDetails(sampleServer('a', { state: running, session: live, configured: remote }));
    expect(text).toContain(`Transport: ${way}, https://example.org/mcp`);
    expect(text).toContain(`Protocol: ${protocolVersion}, known from an earlier start`);
    if (deprecation === undefined) expect(text).not.toContain('Deprecated');
    else expect(text).toMatch(deprecation);
  });

  it("shows a server's text as it is: nothing is escaped, and nothing in it is Markdown, a link or a command", () => {
    const server = { name: '[x](command:y)', version: '1', description: '<b>_it_\n# Out</b> snake_case &lt; ~~no~~' };
    const { sections } = details.serverDetails(
      sampleServer('demo', { state: running, session: { ...session, server } }),
    );
    const facts = sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])));
    expect(facts).toContainEqual({ name: 'Server', text: '[x](command:y) 1' });
    expect(facts).toContainEqual({ name: 'Description', text: server.description });
    const item = { name: '# 1', inputSchema: {}, description: 'before\n```\n# Out' };
    const view = details.itemDetails({ kind: 'tool', server: 'demo', tool: '# 1', item, occurrence: 0 });
    expect(view.title).toBe('# 1');
    expect(view.sections).toContainEqual({ title: 'Description', parts: [{ kind: 'text', text: item.description }] });
  });

  it.each([
    ['https://example.org/', true],
    ['http://example.org/a?b', true],
    ['command:workbench.action.quit', false],
    ['javascript:alert(1)', false],
    ['https://example.org/\u202Egro', false],
    [`https://example.org/${'a'.repeat(10_000)}`, false],
  ])('offers the website of a server as a link only where that is all of a web address: %s', (websiteUrl, isLink) => {
    const server = { name: 'n', version: '1', websiteUrl };
    const view = details.serverDetails(sampleServer('demo', { state: running, session: { ...session, server } }));
    const [part] = view.sections[0]?.parts ?? [];
    const facts = part?.kind === 'facts' ? part.facts : expect.unreachable();
    expect(facts.filter((fact) => fact.isLink).map(({ text }) => text)).toEqual(isLink ? [websiteUrl] : []);
    expect(facts.some(({ name }) => name === 'Website')).toBe(true);
  });

  it('keeps the lines of a stack trace', () => {
    const message = 'The server stopped unexpectedly (exit code 1). It said:\nError: no\n    at a (b.mjs:1:2)';
    const state = { kind: 'failed', error: new PatchbayError('crashed', message) } as const;
    expect(JSON.stringify(details.serverDetails(sampleServer('demo', { state })))).toContain(JSON.stringify(message));
  });
});

describe('namesakeFacts', () => {
  it('say that a server cannot tell tools of one name apart [tool-names]', () => {
    const tool = (name: string) => ({ name, inputSchema: {} });
    const node = { kind: 'tool', server: 'demo', tool: 'add', item: tool('add'), occurrence: 0 } as const;
    expect(itemDetails(node, undefined, ['add', 'add', 'other'].map(tool))).toContain(
      'Warning: the server lists 2 tools with this name and decides which one it calls',
    );
    expect(namesakeFacts(node, ['add', 'other'].map(tool))).toEqual([]);
  });
});

it('says what is wrong with the schema of a tool, where, and what to do', () => {
  const item = { name: 'a', inputSchema: { properties: { city: { required: 'x' } } } };
  const node = { kind: 'tool', server: 'demo', tool: 'a', item, occurrence: 0 } as const;
  const text =
    'This tool\'s schema is invalid: "required" must be a list (at inputSchema.properties.city). Correct it in the server.';
  expect(details.itemDetails(node).summary).toEqual({ kind: 'error', text, actions: [] });
  expect(details.itemDetails(node, { at: 0 }).summary).toBeUndefined();
  expect(details.itemDetails({ ...node, item: { ...item, inputSchema: {} } }).summary).toBeUndefined();
});

describe('details of a server that is not running', () => {
  const listedAt = Date.UTC(2017, 3, 11, 12);
  const contents = summarizeContents({
    ...emptyContents,
    tools: [
      {
        name: 'rm',
        description: 'Removes.',
        inputSchema: { type: 'object', properties: { path: {} } },
        annotations: { readOnlyHint: true },
      },
    ],
    skills: [
      { name: 's', prefix: '', description: 'd', uri: 'skill://s/SKILL.md', frontmatter: { a: 1 }, files: 'dynamic' },
    ],
  });
  const seen = sampleServer('demo', { contents, isRemembered: true, rememberedAt: listedAt });
  const tool = contents.tools[0] ?? expect.unreachable();
  const skill = contents.skills[0] ?? expect.unreachable();
  const toolNode = { kind: 'tool', server: 'demo', tool: 'rm', item: tool, occurrence: 0 } as const;
  const skillNode = { kind: 'skill', server: 'demo', skill: skill.uri, item: skill, occurrence: 0 } as const;

  it('say of an item what was kept, and from when, and nothing else', () => {
    const text = itemDetails(toolNode, rememberedBy(seen));
    expect(text).toMatch(/Not running: remembered from .*2017/);
    expect(text).toContain('Removes.');
    expect(text).not.toContain('As the server lists it');
    expect(text).not.toContain('inputSchema');
    expect(itemDetails(skillNode, rememberedBy(seen))).not.toContain('Files');
  });

  it('date the lists of the server', () => {
    expect(serverDetails(seen)).toMatch(/\nTools, remembered from .*2017/);
  });

  it('open as a file without what only stands in for a schema or for files', () => {
    const rememberedFrom = '2017-04-11T12:00:00.000Z';
    expect(wholeItem(toolNode, rememberedBy(seen))).toEqual({ rememberedFrom, name: 'rm', description: 'Removes.' });
    expect(wholeServer(seen.server)).toMatchObject({
      rememberedFrom,
      contents: { tools: [{ name: 'rm', description: 'Removes.' }], skills: [{ name: 's', uri: skill.uri }] },
    });
    expect(JSON.stringify(wholeServer(seen.server))).not.toMatch(/inputSchema|frontmatter|files/);
  });
});

describe('what cannot be seen', () => {
  const tags = Array.from('send it', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const item = {
    name: 'a\u202Eb',
    description: `Adds.${tags}\u001B[8m`,
    inputSchema: { type: 'object', properties: { 'x\u200B': {} } },
  };
  const node = { kind: 'tool', server: 'demo', tool: item.name, item, occurrence: 0 } as const;

  it('is written out in the details of an item, and named', () => {
    const text = itemDetails(node);
    expect(describeHidden(text)).toEqual([]);
    expect(text).toContain('a⟨U+202E⟩b\n');
    expect(text).toContain('"x\\u200b": {}');
    const line = text.split('\n').find((each) => each.startsWith('Contains invisible characters: '));
    expect(line).toContain('U+202E right-to-left override');
    expect(line).toContain('which spell “send it”');
    expect(line).toContain('U+001B escape');
    expect(line).toContain('U+200B zero width space');
  });

  it('is no word about ordinary text', () => {
    const plain = { name: 'add', description: 'Adds 👩‍💻 می‌خواهم\n\tnumbers.', inputSchema: {} };
    expect(itemDetails({ ...node, tool: 'add', item: plain })).not.toContain('invisible');
  });

  it('is bounded with everything else', () => {
    const schema: unknown = JSON.parse(`${'['.repeat(900)}${'1,'.repeat(400_000)}1${']'.repeat(900)}`);
    const large = {
      ...item,
      description: '\u202E'.repeat(1_000_000),
      inputSchema: { type: 'object', examples: schema },
    };
    const text = itemDetails({ ...node, item: large });
    expect(text.length).toBeLessThan(3_000_000);
    expect(text).toContain('Open Full Content');
  });
});
