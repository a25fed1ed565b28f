import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { Validation } from '../../base/schemaCheck.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';
import { countMembers, isWithin } from './bounds.ts';
import { CheckQueue, type CheckQueueOptions, type QueuedSchema } from './checkQueue.ts';
import { compilePlainSchema, type PlainCheck } from './plainSchema.ts';

/** Checks values against the schemas of servers: 2020-12 unless `$schema` says 2019-09, draft-07 or draft-06. */
export interface SchemaValidator {
  /**
   * Never rejects, whatever a schema or a value holds; fetches nothing, changes neither.
   * @param server whose schema it is: servers take turns, so that one with slow schemas does not keep the others waiting
   * @param schema compiled once for each object
   * @returns at once what is settled in this process: a promise would take longer than the check
   */
  validate(server: string, schema: JsonSchema, value: unknown): Validation | Promise<Validation>;
}

/** What is known of a schema. */
interface Entry extends QueuedSchema {
  readonly plain: PlainCheck | undefined;
}

/**
 * What is plainly valid is settled in this process, see {@link compilePlainSchema}; everything else in one that can be
 * stopped. Disposing ends that process; what is not checked by then is `unsupported`.
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

function unsupported(reason: string): Validation {
  return { kind: 'unsupported', reason };
}
