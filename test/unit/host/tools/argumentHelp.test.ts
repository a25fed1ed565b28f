import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../../../../src/config/editConfiguration.ts';
import { FormEngine } from '../../../../src/forms/formEngine.ts';
import { helpAt, suggestAt } from '../../../../src/host/tools/argumentHelp.ts';
import { cases } from '../../../fixtures/cases.ts';

const engine = new FormEngine({
  type: 'object',
  properties: {
    city: { type: 'string', title: 'The city', description: 'Where to look.', examples: ['Lisbon'], minLength: 2 },
    mode: { enum: ['fast', 'slow'], default: 'slow' },
    exact: { type: ['boolean', 'null'] },
    place: {
      oneOf: [
        { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } }, required: ['lat'] },
        { enum: ['home', 'work'] },
      ],
    },
    stops: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  required: ['city'],
});

/** `|` is where the person writes. */
function suggest(marked: string): readonly string[] {
  return suggestAt(engine, marked.replace('|', ''), marked.indexOf('|')).map(({ label }) => label);
}

/** The text after one suggestion was taken. */
function take(marked: string, label: string): string {
  const text = marked.replace('|', '');
  const found = suggestAt(engine, text, marked.indexOf('|')).find((each) => each.label === label);
  if (found === undefined) throw new Error(`${label} is not suggested`);
  return applyTextEdits(text, [{ offset: found.offset, length: found.length, text: found.text }]);
}

describe('completion in the JSON of arguments', () => {
  it('has the properties that are not there yet', () => {
    expect(suggest('{|}')).toEqual(['city', 'mode', 'exact', 'place', 'stops']);
    expect(suggest('{ "city": "a", | }')).toEqual(['mode', 'exact', 'place', 'stops']);
    expect(suggest('{ "place": { "lat": 1, "|" } }')).toEqual(['lon']);
    expect(suggest('{ "stops": [{ "|" }] }')).toEqual(['name']);
    expect(suggest('{ "elsewhere": { "|" } }')).toEqual([]);
  });

  it('has the values that the schema names, of every branch', () => {
    expect(suggest('{ "mode": | }')).toEqual(['"slow"', '"fast"']);
    expect(suggest('{ "exact": | }')).toEqual(['true', 'false', 'null']);
    expect(suggest('{ "city": "|" }')).toEqual(['"Lisbon"']);
    expect(suggest('{ "place": | }')).toEqual(['{}', '"home"', '"work"']);
  });

  it('leaves a text that can be read', () => {
    expect(take('{|}', 'city')).toBe('{"city": ""}');
    expect(take('{ "|" }', 'stops')).toBe('{ "stops": [] }');
    expect(take('{ "c|": 1 }', 'city')).toBe('{ "city": 1 }');
    expect(take('{ | "city": "a" }', 'mode')).toBe('{ "mode": "fast", "city": "a" }');
    expect(take('{ "mode": "fa|" }', '"fast"')).toBe('{ "mode": "fast" }');
    expect(take('{ "exact": | }', 'null')).toBe('{ "exact": null }');
  });

  it('takes any text', () => {
    const pieces = fc.constantFrom(...Array.from('{}[]":,1 \n'), '"place"', '"stops"', '//', '"__proto__"');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.nat({ max: 60 }), (parts, at) => {
        const text = parts.join('');
        const offset = Math.min(at, text.length);
        suggestAt(engine, text, offset);
        helpAt(engine, text, offset);
      }),
      { numRuns: cases(25, 100) },
    );
  });
});

describe('the hover in the JSON of arguments', () => {
  it('says what the schema says of a key and of its value', () => {
    const text = '{ "city": "Porto", "stops": [{ "name": "a" }], "other": 1 }';
    const city = { title: 'The city', description: 'Where to look.', facts: ['Required.', 'At least 2 characters.'] };
    expect(helpAt(engine, text, text.indexOf('city'))).toMatchObject(city);
    expect(helpAt(engine, text, text.indexOf('Porto'))).toMatchObject(city);
    expect(helpAt(engine, text, text.indexOf('name'))).toMatchObject({ title: 'name', facts: [] });
    expect(helpAt(engine, text, 0)).toBeUndefined();
  });
});
