import { describe, expect, it } from 'vitest';
import { duplicateServer, putBackServer, removeServer, renameServer } from '../../../src/config/manageServers.ts';
import { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
import { isStdio } from '../../../src/config/serverDefinition.ts';
import type { FileKind } from '../../../src/config/serverSection.ts';

const file = { kind: 'vscode', title: 'mcp.json' } as const;
const mcpJson = { kind: 'mcpJson', title: '.mcp.json' } as const;

/** One text for each way to write a file: with its kind. Each has the servers a, b and c. */
const layouts: readonly (readonly [what: string, kind: FileKind, text: string])[] = [
  [
    'comments and a comma at the end',
    'vscode',
    '{\n  // all\n  "servers": {\n    // of a\n    "a": { "command": "x" }, // first\n    "b": {\n      "command": "y", /* why */\n    }, // second\n    "c": { "command": "z" }, // third\n  },\n}\n',
  ],
  [
    'Windows line ends and no comma',
    'vscode',
    '{\r\n\t"servers": {\r\n\t\t"a": {"command": "x"},\r\n\t\t"b": {\r\n\t\t\t"command": "y"\r\n\t\t},\r\n\t\t"c": {"command": "z"}\r\n\t}\r\n}\r\n',
  ],
  ['one line', 'vscode', '{"servers":{"a":{"command":"x"},"b":{"command":"y"},"c":{"command":"z"}}}'],
  [
    'the section of other clients',
    'mcpJson',
    '{\n "mcpServers": {\n  "a": {"command": "x"},\n  "b": {"command": "y"},\n  "c": {"command": "z"}\n }\n}',
  ],
  ['no section', 'mcpJson', '{\n  "a": {"command": "x"},\n  "b": {"command": "y"},\n  "c": {"command": "z"}\n}\n'],
  [
    'a byte order mark',
    'cursor',
    '\uFEFF{"mcpServers": {\n  "a": {"command": "x"},\n  "b": {"command": "y"},\n  "c": {"command": "z"}\n}}\n',
  ],
  [
    'a file about more',
    'codeWorkspace',
    '{\n  "folders": [], // ours\n  "settings": {\n    "mcp": {\n      "servers": {\n        "a": {"command": "x"},\n        "b": {"command": "y"},\n        "c": {"command": "z"}\n      }\n    }\n  }\n}\n',
  ],
];

const definitionsIn = (text: string, kind: FileKind): readonly (readonly [string, string])[] => {
  const { servers, problems } = parseConfiguration(text, kind);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return servers.map(({ label, definition }) => [label, isStdio(definition) ? definition.command : '']);
};
const commentsIn = (text: string): readonly string[] => text.match(/\/\/ \w+|\/\*.*?\*\//g) ?? [];

describe.each(layouts)('a file with %s', (_what, kind, text) => {
  const place = { kind, title: 'f' };

  it.each(['a', 'b', 'c'])('loses %s alone, and gets it back', (label) => {
    const { text: without, written } = removeServer(text, place, label);
    const all = definitionsIn(text, kind);
    expect(definitionsIn(without, kind)).toEqual(all.filter(([each]) => each !== label));
    const inside = commentsIn(written);
    expect(commentsIn(without)).toEqual(commentsIn(text).filter((comment) => !inside.includes(comment)));
    const back = putBackServer(without, place, label, written);
    expect(back).toContain(written);
    expect(definitionsIn(back, kind).toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual(all);
  });

  it('has a server under another name, and all else as it is written', () => {
    const renamed = renameServer(text, place, 'b', 'new "b"');
    expect(renamed.replace('"new \\"b\\""', '"b"')).toBe(text);
    expect(renameServer(renamed, place, 'new "b"', 'b')).toBe(text);
  });

  it.each(['a', 'b', 'c'])('has a copy right after %s', (label) => {
    const copied = duplicateServer(text, place, label, 'copy');
    const order = ['a', 'b', 'c'].flatMap((each) => (each === label ? [each, 'copy'] : [each]));
    const commands: Readonly<Record<string, string>> = { a: 'x', b: 'y', c: 'z' };
    expect(definitionsIn(copied, kind)).toEqual(order.map((each) => [each, commands[each] ?? commands[label]]));
    expect(removeServer(copied, place, 'copy').text.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
  });
});

it.each(['__proto__', 'constructor', 'a"b\\c', '\u202e', 'x'.repeat(10_000), ' ', '${x}', '$&'])(
  'takes a label as it is: %j',
  (label) => {
    const text = `{\n  "servers": {\n    ${JSON.stringify(label)}: { "command": "x" },\n    "b": { "command": "y" }\n  }\n}\n`;
    const { text: without, written } = removeServer(text, file, label);
    expect(parseConfiguration(without, 'vscode').labels).toEqual(['b']);
    expect(parseConfiguration(putBackServer(without, file, label, written), 'vscode').labels).toEqual(['b', label]);
    expect(parseConfiguration(renameServer(text, file, label, 'n'), 'vscode').labels).toEqual(['n', 'b']);
    expect(parseConfiguration(renameServer(text, file, 'b', `${label}2`), 'vscode').labels).toEqual([
      label,
      `${label}2`,
    ]);
  },
);

it('copies a definition with long integers and comments as it is written', () => {
  const text =
    '{"servers": {\n  "a": { "command": "x", "patchbay": { "timeouts": { "requestMs": 12345678901234567890 } } } // big\n}}';
  expect(duplicateServer(text, file, 'a', 'a-2').match(/12345678901234567890/g)).toHaveLength(2);
});

it.each<[string, typeof file | typeof mcpJson, string, string]>([
  [
    'is not valid JSON',
    file,
    '{"servers": {"a": {"command": "x"}',
    'mcp.json is not valid JSON. Nothing was changed. Fix it first',
  ],
  ['has the name twice', file, '{"servers": {"a": {"command": "x"}, "a": {"command": "y"}}}', 'defines “a” 2 times'],
  ['has no such server', file, '{"servers": {"b": {"command": "x"}}}', 'no longer has a server “a”'],
  ['is no object', file, '[]', 'no longer has a server “a”'],
  ['has a server of that name elsewhere', file, '{"a": {"command": "x"}, "servers": {}}', 'no longer has a server “a”'],
])('changes nothing in a file that %s', (_what, place, text, message) => {
  for (const change of [removeServer, renameServer, duplicateServer])
    expect(() => change(text, place, 'a', 'n')).toThrow(message);
});

it.each([
  ['the name of a section', '{"a": {"command": "x"}, "b": {"command": "y"}}', 'mcpServers'],
  ['the name of the inputs', '{"a": {"command": "x"}, "b": {"command": "y"}}', 'inputs'],
  ['the name of another server', '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}', 'b'],
])('gives no server %s, which would change what is read', (_what, text, name) => {
  expect(() => renameServer(text, mcpJson, 'a', name)).toThrow('.mcp.json was not changed');
  expect(() => duplicateServer(text, mcpJson, 'a', name)).toThrow('.mcp.json was not changed');
});

it('does not put an entry beside another one of its name, or where the section is gone', () => {
  const { written } = removeServer('{"servers": {"a": {"command": "x"}}}', file, 'a');
  expect(() => putBackServer('{"servers": {"a": {"command": "other"}}}', file, 'a', written)).toThrow(
    'another server “a”',
  );
  expect(() => putBackServer('{}', file, 'a', written)).toThrow('no longer has a place for “a”');
});
