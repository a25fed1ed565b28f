import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import type { CombinedSchemas } from './combinedSchemas.ts';
import type { PropertyField, SubSchema } from './field.ts';
import { isSchema, membersIn, own, textsIn } from '../schema/schemaNode.ts';
import type { Shape } from './shape.ts';
import { noSchema, type Shapes } from './shapes.ts';
import { matchesSimplePattern } from '../schema/simplePattern.ts';

/** What a shape says about the members of an object. */
export interface ObjectParts {
  readonly properties: readonly PropertyField[];
  readonly names: ReadonlySet<string>;
  readonly entries: SubSchema | undefined;
  entrySchema(key: string): SubSchema | undefined;
}

/** Names that are drawn as properties where the schema lists the names of all entries. */
const maximumListedNames = 100;

/** Patterns of names that are told apart. */
const maximumPatterns = 50;

/** Puts together what the parts of an object say about its members. */
export function objectPartsOf(shape: Shape, shapes: Shapes): ObjectParts {
  return new ObjectReader(shape, shapes).read();
}

class ObjectReader {
  readonly #schemas: readonly UnknownRecord[];
  readonly #shape: Shape;
  readonly #shapes: Shapes;
  readonly #combined: CombinedSchemas;
  /** Some part says what other members there may be. */
  readonly #saysOthers: boolean;
  /** The schema of members that nothing else is said of. The innermost one counts: it leaves nothing for others. */
  readonly #unevaluated: SubSchema | undefined;

  constructor(shape: Shape, shapes: Shapes) {
    this.#shape = shape;
    this.#shapes = shapes;
    this.#combined = shapes.tools.combined;
    this.#schemas = shape.parts.map(({ schema }) => schema);
    this.#saysOthers = this.#schemas.some((schema) => saysOthers(schema));
    this.#unevaluated = this.#saysOthers
      ? undefined
      : this.#schemas.map((schema) => own(schema, 'unevaluatedProperties')).findLast(isSchema);
  }

  read(): ObjectParts {
    const found = this.#properties();
    const entrySchema = (key: string): SubSchema | undefined =>
      this.#orNone(this.#schemas.map((schema) => this.#others(schema, key)));
    const listedNames = this.#listedNames();
    const required = new Set([
      ...this.#schemas.flatMap((schema) => textsIn(schema, 'required')),
      ...this.#shape.alsoRequired,
    ]);
    // What is required, or a name among those that are allowed, is a property too.
    for (const key of [...required, ...(listedNames ?? [])]) {
      const schema = found.has(key) ? undefined : entrySchema(key);
      if (schema !== undefined) found.set(key, schema);
    }
    const properties = [...found].filter(([, schema]) => schema !== false);
    return {
      properties: properties.map(([key, schema]) => ({ key, schema, isRequired: required.has(key) })),
      names: new Set(properties.map(([key]) => key)),
      entries: listedNames === undefined ? this.#entries(found.size > 0) : undefined,
      entrySchema: (key) => (found.get(key) === false ? undefined : entrySchema(key)),
    };
  }

  #properties(): Map<string, SubSchema> {
    const found = new Map<string, SubSchema>();
    for (const schema of this.#schemas) {
      for (const [key, property] of membersIn(schema, 'properties')) {
        const given = isSchema(property) ? property : noSchema;
        const before = found.get(key);
        found.set(key, before === undefined ? given : this.#combined.both(before, given));
      }
    }
    return found;
  }

  /** The schema for new entries; where nothing is said of them, they are only offered if nothing is said of properties either. */
  #entries(hasProperties: boolean): SubSchema | undefined {
    const isAboutProperties = hasProperties || this.#schemas.some((schema) => Object.hasOwn(schema, 'properties'));
    if (isAboutProperties && !this.#saysOthers && this.#unevaluated === undefined) return undefined;
    const all = this.#schemas.map((schema) => this.#others(schema, undefined));
    return this.#schemas.some((schema) => own(schema, 'propertyNames') === false) ? undefined : this.#orNone(all);
  }

  /** What one part says about a member that is no property. @param key `undefined` if it has no name yet */
  #others(schema: UnknownRecord, key: string | undefined): SubSchema {
    const patterns = membersIn(schema, 'patternProperties').slice(0, maximumPatterns);
    const rest = this.#rest(schema);
    const surely: SubSchema[] = [];
    const perhaps: SubSchema[] = [];
    for (const [pattern, value] of patterns) {
      const matches = key === undefined ? undefined : matchesSimplePattern(pattern, key);
      if (matches !== false) (matches === true ? surely : perhaps).push(isSchema(value) ? value : noSchema);
    }
    if (surely.length > 0) return surely.reduce((all, each) => this.#combined.both(all, each));
    // An entry without a name can be given one that matches.
    const isFree = key === undefined && !isSchema(own(schema, 'additionalProperties')) && perhaps.length > 0;
    return this.#combined.oneOf(isFree ? perhaps : [...perhaps, rest]);
  }

  #rest(schema: UnknownRecord): SubSchema {
    const stated = own(schema, 'additionalProperties');
    return isSchema(stated) ? stated : (this.#unevaluated ?? true);
  }

  #orNone(all: readonly SubSchema[]): SubSchema | undefined {
    const together = all.reduce((one, other) => this.#combined.both(one, other), true);
    return together === false ? undefined : together;
  }

  /** The names of all entries, where the schema lists them: a map whose keys are an enumeration. */
  #listedNames(): readonly string[] | undefined {
    for (const schema of this.#schemas) {
      const names = own(schema, 'propertyNames');
      if (!isRecord(names)) continue;
      const { listed } = this.#shapes.shapeOf(names, undefined);
      const texts = listed?.map(({ value }) => value).filter(isString);
      if (texts !== undefined && texts.length > 0 && texts.length <= maximumListedNames) return texts;
    }
    return undefined;
  }
}

function saysOthers(schema: UnknownRecord): boolean {
  return isSchema(own(schema, 'additionalProperties')) || membersIn(schema, 'patternProperties').length > 0;
}
