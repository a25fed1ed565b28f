import type { UnknownRecord } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
import type { SubSchema } from './field.ts';
import { type Kind, typesOfKind } from '../schema/kinds.ts';

/** A branch of a union: the list it is in, and its index there. */
export interface BranchPick {
  readonly list: readonly unknown[];
  readonly index: number;
}

/** What was chosen of a schema: a branch, or one of the kinds of the value. */
export type Pick = BranchPick | { readonly kind: Kind };

/** A schema of the server, and the branches that were taken of it on the way here. */
export interface View {
  readonly schema: UnknownRecord;
  readonly picks: readonly Pick[];
}

/**
 * Schemas put together of others. They are JSON Schema too, and the same parts always give the same object, so that what is
 * known of one stays known.
 */
export class CombinedSchemas {
  readonly #views = new WeakMap<UnknownRecord, View>();
  readonly #made = new Trie<SubSchema>();
  readonly #branches = new Trie<UnknownRecord>();

  both(one: SubSchema, other: SubSchema): SubSchema {
    if (one === true || one === other) return other;
    if (other === true) return one;
    if (one === false || other === false) return false;
    return this.#made.at(['allOf', one, other], () => ({ allOf: [one, other] }));
  }

  all(schemas: readonly SubSchema[]): SubSchema {
    return schemas.reduce((together, each) => this.both(together, each), true);
  }

  /** Accepts what one of them accepts; `false` for none. */
  oneOf(schemas: readonly SubSchema[]): SubSchema {
    const distinct = [...new Set(schemas)].filter((schema) => schema !== false);
    const [first, second] = distinct;
    if (first === undefined || second === undefined) return first ?? false;
    return this.#made.at(['anyOf', ...distinct], () => ({ anyOf: distinct }));
  }

  branch(schema: UnknownRecord, pick: Pick): UnknownRecord {
    const key = 'kind' in pick ? [pick.kind] : [pick.list, pick.index];
    return this.#branches.at([schema, ...key], () => {
      const view = this.viewOf(schema);
      const branch = 'kind' in pick ? { type: [...typesOfKind(pick.kind)][0] } : pick.list[pick.index];
      const made = { allOf: [schema, branch] };
      this.#views.set(made, { schema: view.schema, picks: [...view.picks, pick] });
      return made;
    });
  }

  /** What a schema was made of by {@link branch}; itself if it was not. */
  viewOf(schema: UnknownRecord): View {
    return this.#views.get(schema) ?? { schema, picks: [] };
  }
}

/** Values by lists of keys, which are compared by identity. */
class Trie<T extends object | boolean> {
  readonly #next = new Map<unknown, Trie<T>>();
  #value: T | undefined;

  at(keys: readonly unknown[], make: () => T): T {
    const [key, ...rest] = keys;
    if (keys.length === 0) return (this.#value ??= make());
    return getOrMake(this.#next, key, () => new Trie<T>()).at(rest, make);
  }
}
