import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { findSchemaFault } from '../../../src/schema/schemaFault.ts';

describe('the fault of a schema', () => {
  it.each<[UnknownRecord, string, string]>([
    [{ type: 'object', required: 'x' }, '', '"required" must be a list'],
    [{ properties: { city: { type: 'str' } } }, 'properties.city', '"type" must be a type such as "string"'],
    [{ properties: { city: { required: true } } }, 'properties.city', '"required" must be a list'],
    [{ properties: { city: 'string' } }, '', '"properties" must have a schema for each name'],
    [{ properties: [] }, '', '"properties" must be an object'],
    [{ required: [1] }, '', '"required" must be a list of names'],
    [{ items: { anyOf: {} } }, 'items', '"anyOf" must be a list'],
    [{ anyOf: [{}, { enum: 'a' }] }, 'anyOf.1', '"enum" must be a list'],
    [{ oneOf: [] }, '', '"oneOf" must be a list of schemas'],
    [{ items: 'string' }, '', '"items" must be a schema'],
    [{ minimum: '1' }, '', '"minimum" must be a number'],
    [{ maxLength: -1 }, '', '"maxLength" must be a whole number'],
    [{ not: { pattern: 1 } }, 'not', '"pattern" must be a string'],
  ])('in %j is at its place, in words', (schema, place, words) => {
    const fault = findSchemaFault(schema);
    expect(fault?.place).toBe(place);
    expect(fault?.text).toContain(words);
  });

  it.each<[UnknownRecord]>([
    [{}],
    [{ type: ['string', 'null'], default: { required: 'x' }, enum: [{ type: 'no' }], examples: [{ minimum: '1' }] }],
    [{ properties: { required: { type: 'string' }, type: {}, a: true }, required: [], additionalProperties: false }],
    [{ items: [{}, true], 'x-own': { type: 'no' } }],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }],
  ])('is none in %j', (schema) => {
    expect(findSchemaFault(schema)).toBeUndefined();
  });

  it('is none in the tools of published servers', () => {
    const folder = join(import.meta.dirname, '../../fixtures/toolSchemas');
    const found = readdirSync(folder).flatMap((file) => {
      const read: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const tools = (Array.isArray(read) ? read : (read as { tools: unknown[] }).tools) as {
        readonly name: string;
        readonly inputSchema: UnknownRecord;
      }[];
      return tools.flatMap(({ name, inputSchema }) => {
        const fault = findSchemaFault(inputSchema);
        return fault === undefined ? [] : [`${file} ${name}: ${fault.place} ${fault.text}`];
      });
    });
    expect(found).toEqual([]);
  });

  it('is looked for in bounded work, however deep and wide a schema is', () => {
    let deep: UnknownRecord = { required: 'x' };
    for (let level = 0; level < 50_000; level += 1) deep = { items: deep };
    expect(findSchemaFault(deep)).toBeUndefined();
    let looks = 0;
    const part = {
      get allOf() {
        looks += 1;
        return [{}];
      },
    };
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`p${index}`, part]));
    expect(findSchemaFault({ properties: wide })).toBeUndefined();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(5_000);
  });
});
