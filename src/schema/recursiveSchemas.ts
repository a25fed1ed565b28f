import { isRecord, type UnknownRecord } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
import { shownBelow } from './schemaNode.ts';
import type { SchemaRefs } from './schemaRefs.ts';

/** Schemas that are looked through for all questions together. After them every part counts as recursive: none is opened by itself. */
const maximumSchemas = 200_000;

export class RecursiveSchemas {
  readonly #refs: SchemaRefs;
  readonly #known = new WeakMap<UnknownRecord, boolean>();
  #left = maximumSchemas;

  constructor(refs: SchemaRefs) {
    this.#refs = refs;
  }

  has(schema: UnknownRecord): boolean {
    return getOrMake(this.#known, schema, () => this.#leadsTo(schema));
  }

  #leadsTo(wanted: UnknownRecord): boolean {
    const met = new Set([wanted]);
    for (const schema of met) {
      for (const below of this.#below(schema)) {
        this.#left -= 1;
        if (below === wanted || this.#left < 0) return true;
        met.add(below);
      }
    }
    return false;
  }

  *#below(schema: UnknownRecord): Iterable<UnknownRecord> {
    yield* shownBelow(schema);
    for (const target of this.#refs.targetsOf(schema))
      if (target.kind === 'found' && isRecord(target.schema)) yield target.schema;
  }
}
