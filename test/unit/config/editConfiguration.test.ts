import { describe, expect, it } from 'vitest';
import {
  addInputEdits,
  addServerEdits,
  applyTextEdits,
  editsForFix,
  formatJson,
} from '../../../src/config/editConfiguration.ts';
import { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
import type { FileKind } from '../../../src/config/serverSection.ts';
import { labelsOf } from '../../fixtures/configurationTexts.ts';

const definition = { type: 'stdio', command: 'x' } as const;

function added(text: string, kind: FileKind = 'vscode'): string {
  return applyTextEdits(text, addServerEdits(text, kind, 'new', definition));
}

/** The text after the fix of its first problem that has one. */
function fixed(text: string): string {
  const fix = parseConfiguration(text, 'vscode').problems.find((problem) => problem.fix !== undefined)?.fix;
  return fix === undefined ? text : applyTextEdits(text, editsForFix(text, fix));
}

describe('addServerEdits', () => {
  it('keeps comments, indentation, line ends and everything else', () => {
    const text = '{\r\n    // ours\r\n    "servers": {\r\n        "a": { "command": "y" }, // first\r\n    },\r\n}\r\n';
    const result = added(text);
    expect(result).toContain('    // ours\r\n');
    expect(result).toContain('        "a": { "command": "y" }, // first\r\n');
    expect(result).toContain('\r\n        "new": {\r\n            "type": "stdio"');
    expect(result.replaceAll('\r\n', '')).not.toContain('\n');
    expect(labelsOf(result)).toEqual(['a', 'new']);
    expect(parseConfiguration(result, 'vscode').problems).toEqual([]);
  });

  it.each([
    ['{\n  "servers": {\n    "a": {} /* one */ // two\n  }\n}', '"a": {}, /* one */ // two\n    "new": {'],
    ['{\n  "servers": {\n    "a": {} // one, two\n    // three\n  }\n}', '"a": {}, // one, two\n    "new": {'],
    ['{\n  "servers": {\n    "a": {} // one\n    ,\n  }\n}', '"a": {} // one\n    ,\n    "new": {'],
    ['{\n  "servers": {\n    "a": {}\n  }\n}', '"a": {},\n    "new": {'],
  ])('appends to %j', (text, expected) => {
    const result = added(text);
    expect(result).toContain(expected);
    expect(labelsOf(result)).toEqual(['new']);
    expect(parseConfiguration(result, 'vscode').problems.map(({ code }) => code)).toEqual(['missingCommand']);
  });

  it('indents with tabs where the file does', () => {
    expect(added('{\n\t"servers": {\n\t\t"a": {"command": "y"}\n\t}\n}')).toContain('\n\t\t"new": {\n\t\t\t"type"');
  });

  it.each<[string, FileKind]>([
    ['', 'vscode'],
    ['\n', 'cursor'],
    ['// mine\n', 'mcpJson'],
    ['{}', 'vscode'],
    ['{"inputs": []}', 'vscode'],
    ['{"servers": {}}', 'vscode'],
    ['{"servers": {"new": {"command": "old"}}}', 'vscode'],
    ['{"servers": null}', 'vscode'],
    ['{\n  "mcpServers": null\n}', 'cursor'],
  ])('makes a good file of %j', (text, kind) => {
    const result = added(text, kind);
    expect(parseConfiguration(result, kind)).toMatchObject({ servers: [{ label: 'new', definition }], problems: [] });
    if (text.startsWith('//')) expect(result).toMatch(/^\/\/ mine\n\{/);
  });
});

it('adds to a nested section without servers', () => {
  expect(JSON.parse(added('{"mcp": {"servers": null}}'))).toEqual({ mcp: { servers: { new: definition } } });
});

it.each(['[]', 'null', '1', '"x"', '[{"servers": {}}]'])('adds nothing to %s, which is no object', (text) => {
  expect(addServerEdits(text, 'vscode', 'new', definition)).toEqual([]);
  const input = { type: 'promptString', id: 'k', description: 'd', default: undefined, password: true } as const;
  expect(addInputEdits(text, 'vscode', input)).toEqual([]);
});

describe('addInputEdits', () => {
  const input = { type: 'promptString', id: 'k', description: 'd', default: undefined, password: true } as const;

  it.each(['{"inputs": null}', '{"inputs": [{"id": "z", "type": "promptString"}]}'])('adds to %j once', (text) => {
    const once = applyTextEdits(text, addInputEdits(text, 'vscode', input));
    expect(parseConfiguration(once, 'vscode').inputs.at(-1)).toEqual(input);
    expect(addInputEdits(once, 'vscode', input)).toEqual([]);
  });
});

describe('editsForFix', () => {
  it('makes an object of a list with its lines and its comments', () => {
    const list = [
      '"env": [',
      '      // of the service',
      '      "KEY=a=b", // kept',
      '      { "name": "B", /* why */ "value": "2" // because */ so',
      '      },',
      '    ]',
    ];
    const object = [
      '"env": {',
      '      // of the service',
      '      "KEY": "a=b", // kept',
      '      "B": "2" /* why */ /* because * / so */,',
      '    }',
    ];
    const whole = (lines: readonly string[]): string =>
      `{"servers": {"a": {"command": "x", ${lines.join('\n')}}}} // end\n`;
    expect(fixed(whole(list))).toBe(whole(object));
    expect(parseConfiguration(whole(object), 'vscode').problems).toEqual([]);
  });

  it.each([
    ['{"mcpServers": {"a": {"command": "x"}}}'],
    ['{"servers": {"a": {"command": "x", "arsg": []}}}'],
    ['{"servers": {"a": {"type": "strange", "command": "x"}}}'],
    ['{"servers": {"a": {"command": "x", "env": {"A": "${input:k}"}}}}'],
  ])('leaves nothing to say about %s', (text) => {
    expect(parseConfiguration(text, 'vscode').problems).toHaveLength(1);
    expect(parseConfiguration(fixed(text), 'vscode').problems).toEqual([]);
  });

  it('adds the member that is missing, to be filled in', () => {
    expect(fixed('{"servers": {"a": {}}}')).toMatch(/"command": ""/);
    expect(fixed('{"servers": {"a": {"type": "sse"}}}')).toMatch(/"url": "https:\/\/"/);
  });
});

describe('formatJson', () => {
  it.each<[unknown, string]>([
    [{ a: ['x', 1, null], b: {}, c: [], d: undefined }, '{\n  "a": ["x", 1, null],\n  "b": {},\n  "c": []\n}'],
    [[{ a: 1 }], '[\n  {\n    "a": 1\n  }\n]'],
    [['x'.repeat(60), 'y'.repeat(60)], `[\n  "${'x'.repeat(60)}",\n  "${'y'.repeat(60)}"\n]`],
    ['a"b', '"a\\"b"'],
  ])('%j', (value, expected) => {
    expect(formatJson(value, '  ')).toBe(expected);
    expect(JSON.parse(formatJson(value, '\t', '    '))).toEqual(JSON.parse(JSON.stringify(value)));
  });
});
