import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { addServerEdits } from '../../../src/config/editConfiguration.ts';
import { readImport } from '../../../src/config/importServers.ts';
import { type JsonNode, parseJsonDocument } from '../../../src/config/jsonDocument.ts';
import { findExceededLimit } from '../../../src/config/jsonLimits.ts';
import {
  keepServersOfBrokenFile,
  parseConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../../src/config/parseConfiguration.ts';
import { createLocator } from '../../../src/config/configurationProblem.ts';
import { countWork } from '../../fixtures/countWork.ts';

const { bytes, depth, members, problems: problemLimit } = limits.configuration;

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join();
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

/** Levels and members of a parsed value. */
function measure(node: JsonNode | undefined): { depth: number; members: number } {
  if (node === undefined) return { depth: 0, members: 0 };
  const children = [...node.items, ...node.properties.map(({ value }) => value)].map(measure);
  const isContainer = node.type === 'object' || node.type === 'array';
  return {
    depth: (isContainer ? 1 : 0) + Math.max(0, ...children.map((child) => child.depth)),
    members: children.reduce((sum, child) => sum + 1 + child.members, 0),
  };
}

describe('a configuration file that is too much', () => {
  it.each([
    ['40,000 keys', `{"servers":{"a":{"command":"x","env":{${keys(40_000)}}}}}`, /more than 5000 names/],
    ['1,500 levels', `{"servers":${nested(1_500)}}`, /more than 64 levels/],
    ['100,000 levels that never end', '['.repeat(100_000), /more than 64 levels/],
    ['levels behind faults', '[},'.repeat(1_500), /more than 64 levels/],
    ['40,000 faults', '"a" '.repeat(40_000), /more than 5000 names/],
    ['one long text', `{"servers":{"a":{"command":"${'x'.repeat(bytes)}"}}}`, /larger than 1 MB/],
  ])('with %s is refused as a whole, with one problem that says so', (_name, text, message) => {
    const parsed = parseConfiguration(text, 'vscode');
    expect(parsed).toMatchObject({ servers: [], labels: [], inputs: [] });
    expect(parsed.problems).toEqual([
      expect.objectContaining({ code: 'tooLarge', message: expect.stringMatching(message) }),
    ]);
    expect(addServerEdits(text, 'vscode', 'new', { command: 'x' })).toEqual([]);
  });

  it('starts nothing of what it held before', () => {
    const before = parseConfiguration('{"servers": {"a": {"command": "x"}}}', 'vscode');
    const after = parseConfiguration(`{"servers": {"a": {"command": "x"}}, "x": [${'0,'.repeat(40_000)}]}`, 'vscode');
    expect(keepServersOfBrokenFile(after, before).servers).toEqual([]);
  });

  it('is a setting as well', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, {}]));
    for (const value of [{ a: deep }, many]) {
      expect(parseServerOptionsSetting(value, 'user').problems.map(({ code }) => code)).toEqual(['tooLarge']);
      expect(parseServersSetting(value, []).problems.map(({ code }) => code)).toEqual(['tooLarge']);
    }
  });

  it('is read right up to the limits', () => {
    expect(findExceededLimit(`{${keys(members)}}`, limits.configuration)).toBeUndefined();
    expect(findExceededLimit(`{${keys(members + 1)}}`, limits.configuration)).toBeDefined();
    expect(findExceededLimit(`[${'0,'.repeat(members)}]`, limits.configuration)).toBeUndefined();
    expect(findExceededLimit(nested(depth), limits.configuration)).toBeUndefined();
    expect(findExceededLimit(nested(depth + 1), limits.configuration)).toBeDefined();
  });

  it('of another client may be larger, and gives its servers', async () => {
    const text = `{"history": [${'0,'.repeat(40_000)}], "mcpServers": {"a": {"command": "x"}}}`;
    const { servers } = await readImport(text, 'claudeCode', { style: 'shell' });
    expect(servers.map(({ label }) => label)).toEqual(['a']);
  });
});

it('counts at least what the parser makes of any text', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '1', 'true', 'x', ' '];
  let state = 1;
  const next = (count: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 30 }, () => pieces[next(pieces.length)]).join('');
    const made = measure(parseJsonDocument(text).root);
    const atLimit = { bytes, depth: made.depth, members: made.members };
    expect(made.depth === 0 || findExceededLimit(text, { ...atLimit, depth: made.depth - 1 }), text).toBeTruthy();
    expect(made.members === 0 || findExceededLimit(text, { ...atLimit, members: made.members - 1 }), text).toBeTruthy();
  }
});

describe('the work a file causes', () => {
  it('grows no faster than its keys', () => {
    const text = `{"servers": {"a": {"command": "x", "env": {${keys(members - 10)}}}}}`;
    const copied = countWork(Array.prototype, 'slice', (_self, _args, result) => (result as unknown[]).length);
    const { servers } = parseConfiguration(text, 'vscode');
    expect(copied()).toBeLessThan(members);
    expect(servers).toHaveLength(1);
  });

  it('grows no faster than its variables', () => {
    const count = 5_000;
    const text = `{"servers": {"a": {"command": "x", "env": {"A": "${'${a}'.repeat(count)}"}}}}`;
    const searched = countWork(Array.prototype, 'some', ({ length }) => length);
    const { problems } = parseConfiguration(text, 'vscode');
    expect(searched()).toBeLessThan(10 * count);
    expect(problems.at(-1)?.message).toContain(`${count - problemLimit} more problems`);
  });

  it('grows no faster than its keys that are not known, in entries and in options', () => {
    const compared = countWork(Array.prototype, 'every', ({ length }) => length);
    const count = members - 10;
    const { problems } = parseConfiguration(`{"servers": {"a": {"command": "x", ${keys(count)}}}}`, 'vscode');
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const ofOptions = parseServerOptionsSetting({ a: unknown }, 'user').problems;
    expect(compared()).toBeLessThan(50 * count);
    for (const list of [problems, ofOptions])
      expect(list.at(-1)?.message).toContain(`${count - problemLimit} more problems`);
  });

  it('grows no faster than the keys of YAML', async () => {
    const count = 5_000;
    const rows = Array.from({ length: count }, (_, index) => `  k${index}: 1`).join('\n');
    const compared = countWork(Array.prototype, 'some', ({ length }) => length);
    const text = `extensions:\n  a: { type: stdio, cmd: x }\nother:\n${rows}\n`;
    const { servers } = await readImport(text, 'goose', { style: 'shell' });
    expect(compared()).toBeLessThan(50 * count);
    expect(servers.map(({ label }) => label)).toEqual(['a']);
  });

  it('grows no faster than defaults in defaults', async () => {
    const count = 10_000;
    const text = `{"mcpServers": {"a": {"command": "x", "args": ["${'${A:-'.repeat(count)}x${'}'.repeat(count)}"]}}}`;
    const searched = countWork(String.prototype, 'matchAll', ({ length }) => length);
    const { servers } = await readImport(text, 'mcpServers', { style: 'shell' });
    expect(searched()).toBeLessThan(20 * text.length);
    expect(servers).toHaveLength(1);
  });

  it('grows no faster than its levels', () => {
    const made = countWork(Object, 'create', () => 1);
    const written = countWork(Object, 'fromEntries', () => 1);
    parseJsonDocument(nested(depth));
    expect(made() + written()).toBeLessThanOrEqual(depth + 5);
  });

  it('goes through the text once for the places of all its problems', () => {
    const text = '{\n}\n'.repeat(10_000);
    const searched = countWork(String.prototype, 'split', (self) => self.length);
    const placeOf = createLocator(text);
    const places = Array.from({ length: 100 }, (_, index) => placeOf(index * 300));
    expect(searched()).toBe(0);
    expect(places[99]).toEqual({ line: 14_850, character: 0 });
  });

  it('is told in a hundred problems of bounded length', () => {
    const long = 'x'.repeat(1_000);
    const entries = Array.from({ length: 1_000 }, (_, index) => `"${long}${index}": {}`).join();
    const { problems } = parseConfiguration(`{"servers": {${entries}}}`, 'vscode');
    expect(problems).toHaveLength(problemLimit + 1);
    expect(problems.at(-1)).toMatchObject({ code: 'moreProblems', message: expect.stringContaining('900 more') });
    expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(600);
  });
});
