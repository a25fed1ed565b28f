import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { applyTextEdits } from '../../../../src/config/editConfiguration.ts';
import {
  deleteCallEdits,
  parseSavedCalls,
  saveCallEdits,
  savedCallLimits,
} from '../../../../src/workshop/savedCalls/savedCallText.ts';
import { cases } from '../../../fixtures/cases.ts';

const add = (name: string, args: JsonObject = {}) => ({ name, server: 's', tool: 't', arguments: args });
const save = (text: string, call: ReturnType<typeof add>): string => applyTextEdits(text, saveCallEdits(text, call));
const remove = (text: string, name: string): string => applyTextEdits(text, deleteCallEdits(text, add(name)));
const read = (text: string): unknown =>
  parseSavedCalls(text).calls.map(({ name, arguments: args }) => [name, args] as const);

const commented = `// Calls of our team.
{
    "calls": [
        // The usual one.
        { "name": "one", "server": "s", "tool": "t", "arguments": { "a": 1 } }, // quick
        {
            "name": "two", /* the slow one */
            "server": "s",
            "tool": "t",
            "description": "Takes long",
            "arguments": {
                "a": 2 // two
            }
        } // last
    ],
    "more": true
}
`;

describe('reading saved calls', () => {
  it('takes comments, trailing commas and keys that it does not know', () => {
    expect(parseSavedCalls(commented)).toMatchObject({
      isBroken: false,
      problems: [],
      calls: [
        { name: 'one', server: 's', tool: 't', arguments: { a: 1 }, index: 0 },
        { name: 'two', description: 'Takes long', arguments: { a: 2 }, index: 1 },
      ],
    });
    expect(read('{"calls": [{"name": "x", "server": "s", "tool": "t",},],}')).toEqual([['x', {}]]);
    expect(parseSavedCalls('')).toEqual({ calls: [], problems: [], isBroken: false });
    expect(parseSavedCalls('// nothing yet')).toEqual({ calls: [], problems: [], isBroken: false });
  });

  it.each([
    ['no object', '[]', 'The file must look like this'],
    ['no list', '{"calls": {}}', 'The file must look like this'],
    ['no name', '{"calls": [{"server": "s", "tool": "t"}]}', 'A call needs'],
    ['an empty tool', '{"calls": [{"name": "x", "server": "s", "tool": " "}]}', 'A call needs'],
    ['no object in the list', '{"calls": [5]}', 'A call needs'],
    [
      'arguments that are a list',
      '{"calls": [{"name":"x","server":"s","tool":"t","arguments":[]}]}',
      '"arguments" must',
    ],
    ['a long name', `{"calls": [{"name":"${'x'.repeat(200)}","server":"s","tool":"t"}]}`, 'at most 100 characters'],
  ])('reports %s, and reads on', (_what, text, message) => {
    const { calls, problems } = parseSavedCalls(text);
    expect(calls).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message) as string })]);
  });

  it('uses the first of two calls with one name', () => {
    const call = '{"name":"x","server":"s","tool":"t","arguments":{"a":1}}';
    const { calls, problems } = parseSavedCalls(`{"calls": [${call}, ${call.replace('1', '2')}]}`);
    expect(calls).toMatchObject([{ arguments: { a: 1 } }]);
    expect(problems[0]?.message).toContain('Another call “x”');
  });

  it.each([
    ['broken', '{"calls": [{"name": "x", "server": "s", "tool": "t"}, {'],
    ['too deep', `{"calls": ${'['.repeat(10_000)}`],
    ['too large', `{"x": "${'x'.repeat(savedCallLimits.bytes)}"}`],
    ['full of members', `[${'1,'.repeat(30_000)}1]`],
  ])('says that a file is %s, which is then not edited', (_what, text) => {
    const { isBroken, problems } = parseSavedCalls(text);
    expect([isBroken, problems.length > 0]).toEqual([true, true]);
    expect(() => saveCallEdits(text, add('y'))).toThrow(/Fix it first/);
    expect(() => deleteCallEdits(text, add('x'))).toThrow(/Fix it first/);
  });

  it('reads no more calls than there can be rows, and few problems', () => {
    const calls = Array.from({ length: 2_000 }, (_, index) => `{"name":"${index}","server":"s","tool":"t"}`);
    expect(parseSavedCalls(`{"calls": [${calls.join()}]}`).calls).toHaveLength(savedCallLimits.calls);
    expect(parseSavedCalls(`{"calls": [${'5,'.repeat(900)}5]}`).problems).toHaveLength(savedCallLimits.problems);
  });

  it('never throws', () => {
    const words = ['"calls"', '"name":"x"', '"server":"s"', '//', '/*'];
    const pieces = fc.constantFrom(...Array.from('{}[]:,"1\n'), ...words);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        parseSavedCalls(parts.join(''));
      }),
      { numRuns: cases(25, 100) },
    );
  });
});

describe('saving a call', () => {
  it.each([
    ['nothing', ''],
    ['a comment', '// Ours\n'],
    ['an empty object', '{}'],
    ['an empty list', '{\n  "calls": []\n}\n'],
    ['another member', '{\n\t"more": 1\n}'],
  ])('into a file with %s', (_what, text) => {
    const after = save(text, add('new', { a: [1] }));
    expect(read(after)).toEqual([['new', { a: [1] }]]);
    expect(parseSavedCalls(after).problems).toEqual([]);
    expect(after).toContain(text.trim().startsWith('//') ? text.trim() : '');
  });

  it('adds it after the last one, and leaves everything else', () => {
    const after = save(commented, add('three', { b: { c: [1, 2] } }));
    expect(read(after)).toEqual([
      ['one', { a: 1 }],
      ['two', { a: 2 }],
      ['three', { b: { c: [1, 2] } }],
    ]);
    const added = `, // last
        {
            "name": "three",
            "server": "s",
            "tool": "t",
            "arguments": {
                "b": {
                    "c": [1, 2]
                }
            }
        }`;
    expect(after).toBe(commented.replace(' // last', added));
  });

  it('replaces the arguments of a call of that name, and no more', () => {
    const after = save(commented, add('two', { z: 'new' }));
    expect(read(after)).toEqual([
      ['one', { a: 1 }],
      ['two', { z: 'new' }],
    ]);
    for (const kept of [
      '// Calls of our team.',
      '// The usual one.',
      '// quick',
      '/* the slow one */',
      '"Takes long"',
      '// last',
    ])
      expect(after).toContain(kept);
  });

  it('keeps tabs and the line ends of Windows', () => {
    const text = '{\r\n\t"calls": [\r\n\t\t{ "name": "x", "server": "s", "tool": "t" },\r\n\t]\r\n}\r\n';
    const after = save(text, add('y', { a: 1 }));
    expect(after).not.toMatch(/[^\r]\n/);
    expect(after).toContain('\r\n\t\t{\r\n\t\t\t"name": "y"');
    expect(read(after)).toEqual([
      ['x', {}],
      ['y', { a: 1 }],
    ]);
  });

  it('refuses what could not be read again', () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100; depth += 1) deep = { deep };
    expect(() => saveCallEdits(commented, add('deep', deep))).toThrow(/too large or too deep/);
    expect(() => saveCallEdits('', add('long', { text: 'x'.repeat(2_000_000) }))).toThrow(/too large or too deep/);
    expect(() => saveCallEdits('[]', add('x'))).toThrow(/does not look like/);
  });

  it('and removing it again gives back any calls with any arguments', () => {
    const args = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue({ maxDepth: 3 }));
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, args), { selector: ([key]) => key, maxLength: 5 }), (calls) => {
        const plain = calls.map(([key, value]) => [key, JSON.parse(JSON.stringify(value)) as JsonObject] as const);
        const text = plain.reduce((current, [key, value]) => save(current, add(key, value)), '');
        expect(read(text)).toEqual(plain);
        const last = plain.at(-1);
        if (last !== undefined) expect(read(remove(text, last[0]))).toEqual(plain.slice(0, -1));
      }),
      { numRuns: cases(20, 100) },
    );
  });

  it('removes one, or nothing', () => {
    expect(read(remove(commented, 'one'))).toEqual([['two', { a: 2 }]]);
    expect(read(remove(commented, 'two'))).toEqual([['one', { a: 1 }]]);
    expect(remove(commented, 'three')).toBe(commented);
    expect(remove(commented, 'one')).toContain('"more": true');
  });
});
