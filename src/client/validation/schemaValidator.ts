import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { Validation } from '../../base/schemaCheck.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';
import type { CheckedSchema } from './checkerClient.ts';
import { CheckQueue, type CheckQueueOptions, unsupported } from './checkQueue.ts';
import type { PlainCheck } from '../../schema/plainCheck.ts';
import { compilePlainSchema } from '../../schema/plainSchema.ts';

/** Checks values against JSON Schemas of servers: 2020-12 unless `$schema` names 2019-09, draft-07 or draft-06. */
export interface SchemaValidator {
  /**
   * Validates a value. Never rejects, for any schema and value; fetches nothing, and changes neither.
   * @param server owner of the schema: servers take turns, so that slow schemas of one do not block the others
   * @param schema compiled once for each object
   * @returns the result itself if this process can decide it: a promise would take longer than the check
   */
  validate(server: string, schema: JsonSchema, value: unknown): Validation | Promise<Validation>;
}

interface Entry extends CheckedSchema {
  readonly plain: PlainCheck | undefined;
}

/**
 * Creates a validator. Values that {@link compilePlainSchema} accepts are decided in this process, all others in a separate
 * process that can be stopped. Disposing ends that process; open checks then return `unsupported`.
 */
export function createSchemaValidator(options: CheckQueueOptions): SchemaValidator & Disposable {
  const queue = new CheckQueue(options);
  const entries = new WeakMap<JsonSchema, Entry>();
  const valid: Validation = { kind: 'valid' };
  let nextKey = 1;

  function createEntry(schema: JsonSchema): Entry {
    const known = { key: nextKey++, schema, isFirstOnly: false };
    if (!isWithin(schema, limits.schema))
      return { ...known, members: 0, refusal: 'the schema is too large', plain: undefined };
    const refusal = queue.refusalOf(schema);
    return { ...known, members: countMembers(schema), refusal, plain: compilePlainSchema(schema) };
  }

  return {
    validate(server, schema, value) {
      let entry = entries.get(schema);
      if (entry === undefined) {
        entry = createEntry(schema);
        entries.set(schema, entry);
      }
      if (entry.plain?.(value) === true) return valid;
      if (entry.refusal !== undefined) return unsupported(entry.refusal);
      if (!isWithin(value, limits.checkedValue)) return unsupported('it is too large to be checked');
      return queue.check(server, entry, value);
    },
    dispose: () => queue.dispose(),
  };
}

/** Limits of a JSON value: number of values, characters of strings and keys, and nesting depth. */
interface Bounds {
  members: number;
  characters: number;
  readonly depth: number;
}

/** True if `value` is within `bounds`. Stops at the first limit. */
function isWithin(value: unknown, bounds: Readonly<Bounds>): boolean {
  return fitsInBudget({ ...bounds }, value, bounds.depth);
}

/** The number of values in `value`, including itself. Call only for a value that {@link isWithin} limits. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let members = 1;
  for (const child of Object.values(value)) members += countMembers(child);
  return members;
}

/** Subtracts the size of `value` from `remaining`. @returns false when a limit is exceeded */
function fitsInBudget(remaining: Bounds, value: unknown, depth: number): boolean {
  remaining.members -= 1;
  if (typeof value === 'string') remaining.characters -= value.length;
  if (remaining.members < 0 || remaining.characters < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => fitsInBudget(remaining, item, depth - 1));
  for (const key in value) {
    remaining.characters -= key.length;
    if (!fitsInBudget(remaining, (value as Record<string, unknown>)[key], depth - 1)) return false;
  }
  return true;
}
