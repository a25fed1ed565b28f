import { type Schema, validate } from '@cfworker/json-schema';
import type { JsonValue, UnknownRecord } from '../base/json.ts';
import { type Checkable, CheckableSchemas, isTooLargeToCheck } from './checkableSchema.ts';
import { countSteps } from './checkSteps.ts';
import type { SchemaRefs } from './schemaRefs.ts';

/** Steps that decisions may take together. */
export interface StepBudget {
  left: number;
}

/** Says which schemas accept a value, patterns and formats apart. Never throws; takes bounded time. */
export interface Verdicts {
  /**
   * @param schema unchecked
   * @returns `undefined` if finding out takes more steps than there are left
   */
  accepts(schema: unknown, value: JsonValue, budget: StepBudget): boolean | undefined;
}

/** Steps for the field of one value: about ten milliseconds. */
export const stepsOfField = 20_000;

/** @param root the whole schema */
export function createVerdicts(root: UnknownRecord, refs: SchemaRefs): Verdicts {
  const schemas = new CheckableSchemas(refs);
  const known = new WeakMap<object, WeakMap<object, boolean>>();
  let isOff: boolean | undefined;

  function decide(schema: Checkable, value: JsonValue, budget: StepBudget): boolean | undefined {
    const { lookup } = schemas;
    const steps = countSteps(schema, value, lookup, budget.left);
    if (steps === undefined) return undefined;
    budget.left -= steps;
    try {
      return validate(value, schema as Schema | boolean, '2020-12', lookup, true).valid;
    } catch {
      // Stack overflow: the value is nested too deeply.
      return undefined;
    }
  }

  return {
    accepts(schema, value, budget) {
      if (typeof schema === 'boolean') return schema;
      isOff ??= isTooLargeToCheck(root);
      if (isOff || typeof schema !== 'object' || schema === null) return undefined;
      if (typeof value !== 'object' || value === null) return decide(schemas.checkableOf(schema), value, budget);
      const verdicts = known.get(schema) ?? new WeakMap<object, boolean>();
      known.set(schema, verdicts);
      const verdict = verdicts.get(value) ?? decide(schemas.checkableOf(schema), value, budget);
      if (verdict !== undefined) verdicts.set(value, verdict);
      return verdict;
    },
  };
}
