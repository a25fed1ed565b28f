import { describe, expect, it } from 'vitest';
import type { FormField } from '../../../src/base/formField.ts';
import { createFormEngine } from '../../../src/forms/formEngine.ts';
import { readElicitRequest } from '../../../src/protocol/mcp/elicitation.ts';
import { emptiedText, schemaOf, suggestedOf } from '../../../src/webview/elicitation/askedSchema.ts';

function fieldsOf(properties: object, required: readonly string[] = []): readonly FormField[] {
  const request = readElicitRequest({ message: 'm', requestedSchema: { type: 'object', properties, required } });
  return request.mode === 'form' ? request.fields : [];
}

/** The fields that the form shows for what a server asks. */
function shownFor(properties: object): readonly string[] {
  const engine = createFormEngine(schemaOf(fieldsOf(properties)));
  const root = engine.fieldFor(engine.root, {});
  if (root.kind !== 'object') throw new Error(`The form is of the kind ${root.kind}.`);
  expect(root.entries).toBeUndefined();
  return root.properties.map(({ schema }) => engine.fieldFor(schema, undefined).kind);
}

describe('the schema of what a server asks', () => {
  it('has a field for every kind that the specification names', () => {
    const kinds = shownFor({
      text: { type: 'string', format: 'email', minLength: 1, maxLength: 9, pattern: '^a' },
      number: { type: 'number', minimum: 1 },
      integer: { type: 'integer', maximum: 3 },
      flag: { type: 'boolean', default: true },
      choice: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      choices: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 },
      list: { type: 'array', items: { type: 'string' } },
    });
    expect(kinds).toEqual(['text', 'number', 'number', 'choice', 'choice', 'choice', 'list', 'list']);
  });

  it('is a form for any names, also those that objects have', () => {
    expect(shownFor(JSON.parse('{"__proto__":{"type":"string"},"":{"type":"number"}}') as object)).toEqual([
      'text',
      'number',
    ]);
  });

  it('has all options of a long choice', () => {
    const options = Array.from({ length: 1_000 }, (_, index) => `option ${index}`);
    const engine = createFormEngine(schemaOf(fieldsOf({ a: { type: 'string', enum: options } })));
    const root = engine.fieldFor(engine.root, {});
    const field = root.kind === 'object' && engine.fieldFor(root.properties[0]?.schema ?? true, undefined);
    expect(field).toMatchObject({ kind: 'choice', options: { length: 1_000 } });
  });
});

describe('what a server suggests', () => {
  it('is filled in, without what its own schema does not allow', () => {
    const fields = fieldsOf({
      fine: { type: 'string', default: 'x' },
      list: { type: 'array', items: { type: 'string' }, default: ['a\nb'] },
      off: { type: 'boolean', default: false },
      long: { type: 'string', maxLength: 1, default: 'xy' },
      other: { type: 'string', enum: ['a'], default: 'b' },
      none: { type: 'number' },
    });
    expect(suggestedOf(fields)).toEqual({ fine: 'x', list: ['a\nb'], off: false });
  });
});

describe('an emptied text', () => {
  it.each([
    ['is left out', { type: 'string' }, [], undefined],
    ['is left out where it is required', { type: 'string', default: 'x' }, ['a'], undefined],
    ['is empty where the server would use its suggestion', { type: 'string', default: 'x' }, [], ''],
    ['is left out where an empty text is not valid', { type: 'string', default: 'x', minLength: 1 }, [], undefined],
    ['is left out where a pattern may forbid it', { type: 'string', default: 'x', pattern: '.' }, [], undefined],
    ['is left out where it is no address', { type: 'string', default: 'a@b.c', format: 'email' }, [], undefined],
  ])('%s', (_how, property, required, expected) => {
    expect(emptiedText(fieldsOf({ a: property }, required)[0])).toBe(expected);
  });
});
