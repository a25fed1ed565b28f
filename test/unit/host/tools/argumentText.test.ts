import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseArguments, editArguments, writeArguments } from '../../../../src/host/tools/argumentText.ts';
import { cases } from '../../../fixtures/cases.ts';

describe('parseArguments', () => {
  it('takes comments and trailing commas', () => {
    expect(parseArguments('// c\n{ "a": [1, 2,], /* d */ }')).toMatchObject({ kind: 'ok', args: { a: [1, 2] } });
  });

  it.each([
    ['', 'Value expected.'],
    ['[1]', 'Arguments are an object: { … }.'],
    ['{ "a": }', 'Value expected.'],
    ['{ "a" 1 }', 'Colon expected.'],
  ])('says what is wrong with %j', (text, message) => {
    const parsed = parseArguments(text);
    expect(parsed.kind === 'broken' && parsed.problems.map((problem) => problem.message)).toContain(message);
  });

  it('finds the place of a problem, or the nearest there is', () => {
    const text = '{ "list": [1, "two"], "inner": {} }';
    const parsed = parseArguments(text);
    if (parsed.kind !== 'ok') throw new Error('broken');
    const at = (path: string[]): string => {
      const { offset, length } = parsed.locate(path);
      return text.slice(offset, offset + length);
    };
    expect(at(['list', '1'])).toBe('"two"');
    expect(at(['inner', 'name'])).toBe('{}');
    expect(at(['missing'])).toBe('{');
    expect(at([])).toBe('{');
  });
});

function edit(text: string, after: JsonObject): string {
  const parsed = parseArguments(text);
  if (parsed.kind === 'broken') throw new Error('broken');
  return editArguments(text, parsed.args, after);
}

function argsOf(text: string): unknown {
  const parsed = parseArguments(text);
  return parsed.kind === 'ok' ? parsed.args : parsed.problems;
}

describe('editing the text of arguments', () => {
  it('keeps comments and formatting of what stays the same', () => {
    const text = '{\n    // where\n    "city": "Lisbon", // a comment\n    "days": [1, 2],\n}\n';
    const edited = edit(text, { city: 'Porto', days: [1, 3] });
    expect(edited).toBe('{\n    // where\n    "city": "Porto", // a comment\n    "days": [1, 3],\n}\n');
    const tabs = edit('{\r\n\t"a": 1\r\n}\r\n', { a: 1, b: { c: 2 } });
    expect(tabs).toBe('{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n');
  });

  it('adds and removes members, also under odd names', () => {
    const after = JSON.parse('{ "": 1, "__proto__": { "a/b": null }, "constructor": [] }') as JsonObject;
    expect(argsOf(edit('{ "old": 1 }', after))).toEqual(after);
    expect(argsOf(edit(writeArguments(after), {}))).toEqual({});
  });

  it('gives the wanted value for any two values, and the same text for the same value', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    fc.assert(
      fc.property(object, object, (before, after) => {
        const [from, to] = [before, after].map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
        if (from === undefined || to === undefined) return;
        const text = writeArguments(from);
        expect(argsOf(editArguments(text, from, to))).toEqual(to);
        expect(editArguments(text, from, from)).toBe(text);
      }),
      { numRuns: cases(25, 100) },
    );
  });
});
