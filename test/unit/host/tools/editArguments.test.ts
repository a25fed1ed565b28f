import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseArguments } from '../../../../src/host/tools/argumentText.ts';
import { editArguments, writeArguments } from '../../../../src/host/tools/editArguments.ts';
import { cases } from '../../../fixtures/cases.ts';

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
