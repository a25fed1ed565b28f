import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExactValue, isRecord, type JsonValue, type UnknownRecord } from '../../../src/base/json.ts';
import { SchemaChecker } from '../../../src/checker/schemaChecker.ts';
import type { SubSchema } from '../../../src/forms/field.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';
import { memberOf } from '../../../src/forms/valueAt.ts';
import { someSchema, someValue } from './arbitrarySchemas.ts';
import { cases } from '../../fixtures/cases.ts';

const checker = new SchemaChecker();
let jobs = 0;

/** Schemas are compiled, which takes a while on a busy machine. */
const minute = 60_000;

/** @returns whether a value is valid; the schema is compiled once */
function validatorOf(schema: UnknownRecord): (value: JsonValue) => boolean {
  jobs += 1;
  const key = jobs;
  return (value) => checker.checkFirst({ id: 0, key, schema, value, firstOnly: true }).kind === 'valid';
}

/** The kinds of all fields of a value. @throws {Error} for a misfit if the value is valid */
function kindsOf(engine: FormEngine, whole: JsonValue, isWhole: boolean): readonly string[] {
  const kinds: string[] = [];
  function visit(at: SubSchema, value: ExactValue | undefined, depth: number): void {
    const field = engine.fieldFor(at, value);
    kinds.push(`${depth} ${field.kind}`);
    if (isWhole && field.kind === 'json' && field.isMisfit) throw new Error(field.reason);
    if (depth > 12 || value === undefined) return;
    if (field.kind === 'union') {
      const branch = field.branches[field.chosen ?? -1];
      if (branch !== undefined) visit(branch.schema, value, depth);
    }
    if (field.kind === 'list' && Array.isArray(value))
      (value as readonly JsonValue[]).forEach((item, index) => visit(field.itemSchema(index), item, depth + 1));
    if (field.kind === 'object' && isRecord(value)) {
      for (const { key, schema } of field.properties) visit(schema, memberOf(value, key), depth + 1);
      for (const key of field.otherKeys) visit(field.entrySchema(key) ?? true, memberOf(value, key), depth + 1);
      const known = [...field.properties.map(({ key }) => key), ...field.otherKeys];
      expect(Object.keys(value).filter((key) => !known.includes(key))).toEqual([]);
    }
  }
  visit(engine.root, whole, 0);
  return kinds;
}

describe('the form of any schema', () => {
  it('never throws, is the same each time, and leaves schema and value as they are', { timeout: minute }, () => {
    fc.assert(
      fc.property(someSchema, fc.array(someValue, { maxLength: 3 }), (schema, values) => {
        const before = JSON.stringify([schema, values]);
        const engine = new FormEngine(schema);
        for (const value of values) {
          const kinds = kindsOf(engine, value, false);
          expect(kindsOf(engine, value, false)).toEqual(kinds);
          expect(kindsOf(new FormEngine(schema), value, false)).toEqual(kinds);
        }
        kindsOf(engine, engine.startValue(engine.root), false);
        expect(JSON.stringify([schema, values])).toBe(before);
      }),
      { numRuns: cases(20, 150) },
    );
  });

  it('has a field for each valid value', { timeout: minute }, () => {
    fc.assert(
      fc.property(someSchema, fc.array(someValue, { maxLength: 6 }), (schema, values) => {
        // The arguments of a tool are an object.
        const { $defs, ...rest } = schema;
        const property = { properties: { value: rest }, $defs };
        const engine = new FormEngine(property);
        const root = engine.fieldFor(engine.root, {});
        const [at] = root.kind === 'object' ? root.properties : [];
        if (at === undefined) return;
        const isValid = validatorOf(property);
        for (const value of values.filter((each) => isValid({ value: each }))) {
          const field = engine.fieldFor(at.schema, value);
          expect(field.kind === 'json' && field.isMisfit ? field.reason : '').toBe('');
          // The checker passes over a property of that name, and what branches that do not fit have evaluated.
          const isExact = !JSON.stringify([schema, value]).match(/__proto__|unevaluated/);
          if (isExact) kindsOf(engine, { value }, true);
          if (value === null) expect(field.isNullable || field.kind === 'null' || field.kind === 'json').toBe(true);
        }
      }),
      { numRuns: cases(20, 200) },
    );
  });
});
