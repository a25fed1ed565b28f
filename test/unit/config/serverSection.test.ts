import { describe, expect, it } from 'vitest';
import { addInputEdits, addServerEdits, applyTextEdits, editsForFix } from '../../../src/config/editConfiguration.ts';
import type { InputDefinition } from '../../../src/config/inputs.ts';
import { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
import { type FileKind, fileKinds } from '../../../src/config/serverSection.ts';
import { labelsOf, problemsOf } from '../../fixtures/configurationTexts.ts';

const kinds = Object.keys(fileKinds) as FileKind[];
const server = { command: 'x' };

function added(text: string, kind: FileKind, label = 'new'): string {
  return applyTextEdits(text, addServerEdits(text, kind, label, server));
}

/** The text after the only fix of its problems. */
function fixed(text: string, kind: FileKind): string {
  const fixes = parseConfiguration(text, kind).problems.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  expect(fixes).toHaveLength(1);
  return fixes.reduce((_, fix) => applyTextEdits(text, editsForFix(text, fix)), text);
}

describe('the section with the servers', () => {
  const input: InputDefinition = {
    type: 'promptString',
    id: 'k',
    description: 'd',
    default: undefined,
    password: true,
  };
  const shapes = {
    servers: '{\n  // ours\n  "servers": {\n    "a": { "command": "y" } // first\n  }\n}\n',
    mcpServers: '{\n\t// ours\n\t"mcpServers": {\n\t\t"a": { "url": "https://a.example/mcp" }\n\t}\n}\n',
    both: '{"servers": {"a": {"command": "y"}}, "mcpServers": {"a": {"command": "z"}}}',
    'both, one of them empty': '{"servers": {}, "mcpServers": {"a": {"command": "z"}}}',
    'both, one of them null': '{"servers": null, "mcpServers": {"a": {"command": "y"}}}',
    'both, the other null': '{"mcpServers": null, "servers": {"a": {"command": "y"}}}',
    'mcp with servers':
      '{\n  "mcp": {\n    // ours\n    "inputs": [],\n    "servers": { "a": { "command": "y" } }\n  }\n}',
    'mcp with mcpServers': '{"mcp": {"mcpServers": {"a": {"command": "y"}}}, "inputs": []}',
    'no section':
      '{\n  // ours\n  "a": { "command": "y" },\n  "b": { "type": "http", "url": "https://b.example/mcp" }\n}\n',
    'no section but inputs': '{"inputs": [], "a": {"command": "y"}, "version": "1"}',
    'no section, and a name of one': '{"servers": {"command": "y"}, "a": {"url": "https://a.example"}}',
    'an empty object': '{}',
    nothing: '',
  };

  describe.each(Object.entries(shapes))('of a file with %s', (_name, text) => {
    it.each(kinds)('is the one that a server and an input are added to, in the place of %s', (kind) => {
      const before = parseConfiguration(text, kind);
      const after = added(text, kind);
      expect(labelsOf(after, kind)).toEqual([...before.servers.map(({ label }) => label), 'new']);
      expect(after).toMatch(text.includes('// ours') ? /\/\/ ours/ : /new/);
      if (text.includes('// first')) expect(after).toMatch(/\/\/ first\n/);
      const withInput = applyTextEdits(after, addInputEdits(after, kind, input));
      expect(labelsOf(withInput, kind)).toEqual(labelsOf(after, kind));
      expect(parseConfiguration(withInput, kind).inputs.map(({ id }) => id)).toEqual(['k']);
      expect(addInputEdits(withInput, kind, input)).toEqual([]);
    });
  });

  it.each<[FileKind, string]>([
    ['vscode', 'mcpServers'],
    ['mcpJson', 'servers'],
    ['cursor', 'servers'],
    ['github', 'servers'],
  ])('stays the only one of %s under the name "%s"', (kind, name) => {
    const after = added(`{"${name}": {"a": {"command": "y"}}}`, kind);
    expect(labelsOf(after, kind)).toEqual(['a', 'new']);
    expect(Object.keys(JSON.parse(after) as object)).toEqual([name]);
  });

  it('is not replaced by an entry where it is no object', () => {
    for (const section of ['[{"command": "y"}]', '"a"', '7'])
      expect(added(`{"servers": ${section}}`, 'vscode')).toBe(`{"servers": ${section}}`);
  });
});

describe('.mcp.json without a section', () => {
  const text = `{
  "docs": { "type": "http", "url": "https://mcp.example.com/mcp" },
  "tool": { "command": "npx", "args": ["-y", "example-tool@1.0.0"] }
}`;

  it('is read, with nothing to say about it, and stays as it is when a server is added', () => {
    expect(labelsOf(text, 'mcpJson')).toEqual(['docs', 'tool']);
    expect(problemsOf(text, 'mcpJson')).toEqual([]);
    const after = added(text, 'mcpJson');
    expect(Object.keys(JSON.parse(after) as object)).toEqual(['docs', 'tool', 'new']);
    expect(problemsOf(after, 'mcpJson')).toEqual([]);
  });

  it('has the mistakes of its entries marked, with fixes', () => {
    const typo = '{"a": {"command": "x", "arsg": []}, "b": {"cmd": "x"}, "a": {"command": "y"}}';
    expect(problemsOf(typo, 'mcpJson')).toEqual([
      'warning duplicateLabel @"a"',
      expect.stringMatching(/^warning unknownKey @"cmd"/),
    ]);
    expect(fixed('{"a": {"command": "x", "env": {"K": "${input:k}"}}}', 'mcpJson')).toContain('"inputs"');
    expect(JSON.parse(fixed('{"a": {"type": "stdio"}, "b": {"command": "x"}}', 'mcpJson'))).toMatchObject({
      a: { command: '' },
    });
  });

  it.each([
    ['"_meta": {"version": 1}', []],
    ['"// old": {"command": "x"}', []],
    ['"metadata": {"version": 1}', []],
    ['"mcp": {"servers": {"x": {"command": "x"}}}', ['warning wrongSection @"mcp"']],
    ['"more": {"x": {"command": "x"}}', ['warning wrongSection @"more"']],
    ['"b": {"args": ["x"]}', ['error missingCommand @"b"']],
  ])('has beside its servers %s', (member, expected) => {
    const beside = `{"a": {"command": "y"}, ${member}}`;
    expect([labelsOf(beside, 'mcpJson'), problemsOf(beside, 'mcpJson')]).toEqual([['a'], expected]);
  });

  it.each(['{}', '{"$schema": "https://x"}', '{"permissions": {"allow": []}}', '[]', '{"a": "npx"}'])(
    'is not what %s is',
    (other) => expect(labelsOf(other, 'mcpJson')).toEqual([]),
  );

  it.each<FileKind>(['vscode', 'cursor', 'github'])('is not read under the name of %s, which says so', (kind) => {
    expect(labelsOf(text, kind)).toEqual([]);
    expect(problemsOf(text, kind)).toEqual(['warning wrongSection @"docs"', 'warning wrongSection @"tool"']);
  });
});

describe('a file about more than servers', () => {
  const words = Array.from({ length: 9_000 }, (_, index) => `"word${index}"`).join();
  const wraps: Readonly<Record<'codeWorkspace' | 'devcontainer', (mcp: string) => string>> = {
    codeWorkspace: (mcp) => `{"b": {"command": "not this"}, "settings": {"cSpell.words": [${words}], "mcp": ${mcp}}}`,
    devcontainer: (mcp) =>
      `{"b": {"command": "not this"}, "words": [${words}], "customizations": {"vscode": {"mcp": ${mcp}}}}`,
  };
  const both = ['codeWorkspace', 'devcontainer'] as const;
  const kept = { b: { command: 'not this' } };

  it.each(both)('is read, edited and mended, however much more: %s', (kind) => {
    const text = wraps[kind]('{"servers": {"a": {"command": "y", "env": {"K": "${input:k}"}}}}');
    expect(labelsOf(text, kind)).toEqual(['a']);
    expect(problemsOf(text, kind)).toEqual(['error undefinedInput @${input:k}']);
    expect(problemsOf(fixed(text, kind), kind)).toEqual([]);
    expect(labelsOf(added(text, kind), kind)).toEqual(['a', 'new']);
  });

  it.each(
    both.flatMap((kind) =>
      ['{"b": {"command": "x"}}', '{\n"servers": {},\n"b": {"command": "x"}\n}'].map((mcp) => [kind, mcp] as const),
    ),
  )('has a server outside of the section moved into it: %s, %j', (kind, mcp) => {
    const text = wraps[kind](mcp);
    expect([labelsOf(text, kind), problemsOf(text, kind)]).toEqual([[], ['warning wrongSection @"b"']]);
    const after = fixed(text, kind);
    expect([labelsOf(after, kind), problemsOf(after, kind)]).toEqual([['b'], []]);
    expect(JSON.parse(after)).toMatchObject(kept);
  });

  it('has the new section in the place and with the indentation of the server', () => {
    const text = '{\n  "settings": {\n    "mcp": {\n      "b": {\n        "command": "x"\n      }\n    }\n  }\n}\n';
    expect(fixed(text, 'codeWorkspace')).toBe(
      '{\n  "settings": {\n    "mcp": {\n      "servers": {\n        "b": {\n          "command": "x"\n        }\n      }\n    }\n  }\n}\n',
    );
  });

  it.each([
    ['words with that name', '{"settings": {"cSpell.words": ["mcp", 1]}, broken'],
    ['another thing of that name', `{"extensions": {"mcp": [${words}]}}`],
    ['too many members', `{"settings": {"cSpell.words": [${'0,'.repeat(600_000)}]}}`],
  ])('is not mentioned if it has no section: %s', (_what, text) => {
    for (const kind of both)
      expect(parseConfiguration(text, kind)).toEqual({ servers: [], labels: [], inputs: [], problems: [] });
  });

  it.each(both)('has a section within the limits of a file with servers: %s', (kind) => {
    const text = wraps[kind](`{"servers": {"a": {"command": "x"}}, "more": [${words}]}`);
    expect(labelsOf(text, kind)).toEqual([]);
    expect(problemsOf(text, kind)).toEqual([expect.stringMatching(/^error tooLarge @\{"servers"/)]);
  });
});

describe('a section of another client', () => {
  it('for Visual Studio in .mcp.json is read, and not to be renamed', () => {
    const text = '{"inputs": [], "servers": {"a": {"url": "https://mcp.example.com/mcp"}}}';
    const { servers, problems } = parseConfiguration(text, 'mcpJson');
    expect(servers).toHaveLength(1);
    expect(problems.map(({ severity, fix }) => [severity, fix])).toEqual([['information', undefined]]);
    expect(problems[0]?.message).toContain('Visual Studio');
  });

  it('beside the own one in .mcp.json is left to Visual Studio, with the names that are only there', () => {
    const both = (servers: string): string =>
      `{"servers": {${servers}}, "mcpServers": {"a": {"url": "https://a.example"}}}`;
    expect(problemsOf(both('"a": {"url": "https://a.example"}'), 'mcpJson')).toEqual([]);
    const { servers, problems } = parseConfiguration(both('"a": {}, "b": {}'), 'mcpJson');
    expect(servers.map(({ label }) => label)).toEqual(['a']);
    expect(problems).toMatchObject([
      { severity: 'information', message: expect.stringMatching(/has no "b"\.$/) as string },
    ]);
  });

  it('keeps its rename elsewhere, unless there is a section of that name', () => {
    expect(labelsOf(fixed('{"servers": {"a": {"command": "x"}}}', 'github'), 'github')).toEqual(['a']);
    const both = parseConfiguration('{"mcpServers": [], "servers": {"a": {"command": "x"}}}', 'github');
    expect(both.servers).toHaveLength(1);
    expect(both.problems.some(({ fix }) => fix !== undefined)).toBe(false);
  });
});

describe('a section inside "mcp"', () => {
  it.each([
    '{"mcp": {"inputs": [], "servers": {"a": {"command": "npx"}}}}',
    '{\n  "mcp": {\n    "servers": {\n      "a": { "command": "npx" }, // one\n    }, // two\n  },\n  "x": 1,\n}',
    '{\n  "mcp": { "servers": { "a": { "command": "npx" } } /* , */ , } }',
    '{"mcp": {"servers": {"a": {"command": "npx"}} // one\n}}',
  ])('is read, marked, and moved to the top by a fix: %j', (text) => {
    expect(labelsOf(text, 'vscode')).toEqual(['a']);
    expect(problemsOf(text, 'vscode')).toEqual(['warning wrongSection @"mcp"']);
    const after = fixed(text, 'vscode');
    expect(labelsOf(after, 'vscode')).toEqual(['a']);
    expect(problemsOf(after, 'vscode')).toEqual([]);
    for (const remark of text.match(/\/\/ \w+/g) ?? []) expect(after).toContain(remark);
  });

  it.each([
    ['/'.repeat(100_000), ''],
    ['/**/'.repeat(50_000), ''],
    ['//*/'.repeat(50_000), ','],
  ])('is marked at once whatever its comments are', (gap, comma) => {
    const text = `{"mcp": {"servers": {}\n${gap}\n${comma}}}`;
    expect(problemsOf(text, 'vscode')).toEqual(['warning wrongSection @"mcp"']);
    expect(problemsOf(fixed(text, 'vscode'), 'vscode')).toEqual([]);
  });

  it('is not moved where some of it has no place at the top', () => {
    const kept = [
      '{"mcp": {"servers": {}, "discovery": true}}',
      '{"inputs": [], "mcp": {"inputs": [], "servers": {}}}',
    ];
    for (const text of kept) expect(parseConfiguration(text, 'vscode').problems[0]).not.toHaveProperty('fix');
  });
});

it('says of a server outside the section that it is not read', () => {
  const text = '{"mcpServers": {"a": {"command": "npx"}}, "b": {"command": "npx"}, "c": {"d": 1}}';
  expect(labelsOf(text, 'cursor')).toEqual(['a']);
  expect(problemsOf(text, 'cursor')).toEqual(['warning wrongSection @"b"']);
});
