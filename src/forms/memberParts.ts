import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
import type { PropertyField, SubSchema, ListParts } from './field.ts';
import { isSchema, membersIn, own, textsIn, listIn, numbersIn } from '../schema/schemaNode.ts';
import type { Shape } from './shape.ts';
import { orNoSchema, type Shapes } from './shapes.ts';
import { simplePattern } from '../schema/simplePattern.ts';

/** Names that are drawn as properties where the schema lists the names of all entries. */
const maximumListedNames = 100;

/** Patterns of names that are told apart. */
const maximumPatterns = 50;

/** What the parts of a shape together say about the members of an object: see `ObjectField`. */
export class ObjectParts {
  readonly properties: readonly PropertyField[];
  readonly names: ReadonlySet<string>;
  readonly entries: SubSchema | undefined;
  readonly #schemas: readonly UnknownRecord[];
  readonly #shapes: Shapes;
  /** Read once: objects may have many keys. */
  readonly #patterns = new Map<string, ReturnType<typeof simplePattern>>();
  /** For all names and patterns together: a server can send many that take long. */
  readonly #budget = { left: 2_000_000 };
  /** All properties that are named, also those that the schema forbids. */
  readonly #found: ReadonlyMap<string, SubSchema>;
  /** Some part says what other members there may be. */
  readonly #saysOthers: boolean;
  /** The schema of members that nothing else is said of. The innermost one counts: it leaves nothing for others. */
  readonly #unevaluated: SubSchema | undefined;

  constructor({ parts, alsoRequired }: Shape, shapes: Shapes) {
    this.#shapes = shapes;
    this.#schemas = parts.map(({ schema }) => schema);
    this.#saysOthers = this.#schemas.some(saysOthers);
    this.#unevaluated = this.#saysOthers
      ? undefined
      : this.#schemas.map((schema) => own(schema, 'unevaluatedProperties')).findLast(isSchema);
    const found = this.#stated();
    const listedNames = this.#listedNames();
    const required = new Set([...this.#schemas.flatMap((schema) => textsIn(schema, 'required')), ...alsoRequired]);
    // What is required, or a name among those that are allowed, is a property too.
    for (const key of [...required, ...(listedNames ?? [])]) {
      const schema = found.has(key) ? undefined : this.#other(key);
      if (schema !== undefined) found.set(key, schema);
    }
    this.#found = found;
    this.properties = [...found]
      .filter(([, schema]) => schema !== false)
      .map(([key, schema]) => ({ key, schema, isRequired: required.has(key) }));
    this.names = new Set(this.properties.map(({ key }) => key));
    this.entries = listedNames === undefined ? this.#newEntries(found.size > 0) : undefined;
  }

  entrySchema(key: string): SubSchema | undefined {
    return this.#found.get(key) === false ? undefined : this.#other(key);
  }

  #stated(): Map<string, SubSchema> {
    const found = new Map<string, SubSchema>();
    for (const [key, property] of this.#schemas.flatMap((schema) => membersIn(schema, 'properties')))
      found.set(key, this.#shapes.combined.both(found.get(key) ?? true, orNoSchema(property)));
    return found;
  }

  /** Where nothing is said of entries, new ones are only offered if nothing is said of properties either. */
  #newEntries(hasProperties: boolean): SubSchema | undefined {
    const isAboutProperties = hasProperties || this.#schemas.some((schema) => Object.hasOwn(schema, 'properties'));
    if (isAboutProperties && !this.#saysOthers && this.#unevaluated === undefined) return undefined;
    return this.#schemas.some((schema) => own(schema, 'propertyNames') === false) ? undefined : this.#other(undefined);
  }

  /** The schema of a member that is no property; `undefined` if it is forbidden. @param key `undefined` if it has no name yet */
  #other(key: string | undefined): SubSchema | undefined {
    const schema = this.#shapes.combined.all(this.#schemas.map((part) => this.#otherIn(part, key)));
    return schema === false ? undefined : schema;
  }

  #otherIn(schema: UnknownRecord, key: string | undefined): SubSchema {
    const surely: SubSchema[] = [];
    const perhaps: SubSchema[] = [];
    for (const [pattern, value] of membersIn(schema, 'patternProperties').slice(0, maximumPatterns)) {
      const matches =
        key === undefined
          ? undefined
          : getOrMake(this.#patterns, pattern, () => simplePattern(pattern))(key, this.#budget);
      if (matches !== false) (matches === true ? surely : perhaps).push(orNoSchema(value));
    }
    const { combined } = this.#shapes;
    if (surely.length > 0) return combined.all(surely);
    const stated = own(schema, 'additionalProperties');
    const isStated = isSchema(stated);
    // An entry without a name can be given one that matches.
    if (key === undefined && !isStated && perhaps.length > 0) return combined.oneOf(perhaps);
    return combined.oneOf([...perhaps, isStated ? stated : (this.#unevaluated ?? true)]);
  }

  /** The names of all entries, where the schema lists them: a map whose keys are an enumeration. */
  #listedNames(): readonly string[] | undefined {
    for (const names of this.#schemas.map((schema) => own(schema, 'propertyNames')).filter(isRecord)) {
      const { listed = [] } = this.#shapes.shapeOf(names, undefined);
      const texts = listed.map(({ value }) => value).filter(isString);
      if (texts.length > 0 && texts.length <= maximumListedNames) return texts;
    }
    return undefined;
  }
}

function saysOthers(schema: UnknownRecord): boolean {
  return isSchema(own(schema, 'additionalProperties')) || membersIn(schema, 'patternProperties').length > 0;
}

/** Items that have a place of their own. */
const maximumPrefix = 1_000;

export function listPartsOf({ parts }: Shape, { combined }: Shapes): ListParts {
  const schemas = parts.map(({ schema }) => schema);
  const tuples = schemas.map((schema) => ({ prefix: prefixOf(schema), rest: restOf(schema) }));
  const schemaAt = (index: number): SubSchema =>
    combined.all(tuples.map(({ prefix, rest }) => (index < prefix.length ? orNoSchema(prefix[index]) : rest)));
  const prefixLength = Math.max(0, ...tuples.map(({ prefix }) => prefix.length));
  const prefix = Array.from({ length: prefixLength }, (_, index) => schemaAt(index));
  const rest = combined.both(schemaAt(prefixLength), unevaluatedOf(schemas));
  const itemSchema = (index: number): SubSchema => prefix[index] ?? rest;
  const count = (name: string): readonly number[] => numbersIn(schemas, name).filter((number) => number >= 0);
  const firstNone = prefix.indexOf(false);
  const room = firstNone >= 0 ? firstNone : rest === false ? prefixLength : Infinity;
  return {
    prefixLength,
    itemSchema,
    minimumItems: Math.max(0, ...count('minItems')),
    maximumItems: Math.min(room, ...count('maxItems')),
    isUnique: schemas.some((schema) => own(schema, 'uniqueItems') === true),
  };
}

function prefixOf(schema: UnknownRecord): readonly unknown[] {
  const prefix = listIn(schema, 'prefixItems');
  return (prefix.length > 0 ? prefix : listIn(schema, 'items')).slice(0, maximumPrefix);
}

function restOf(schema: UnknownRecord): SubSchema {
  const items = own(schema, 'items');
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  return rest === undefined ? true : orNoSchema(rest);
}

/** The schema of items that nothing else is said of. The innermost one counts: it leaves nothing for others. */
function unevaluatedOf(schemas: readonly UnknownRecord[]): SubSchema {
  const others = ['items', 'additionalItems', 'contains'];
  if (schemas.some((schema) => others.some((name) => isSchema(own(schema, name))))) return true;
  return schemas.map((schema) => own(schema, 'unevaluatedItems')).findLast(isSchema) ?? true;
}
