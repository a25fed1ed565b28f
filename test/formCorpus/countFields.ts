import type { Field, SubSchema } from '../../src/forms/field.ts';
import type { FormEngine } from '../../src/forms/formEngine.ts';

/** The properties of a form: those that are real fields, and those that are JSON, with the reason. */
interface FieldCount {
  readonly fields: number;
  readonly json: readonly { readonly name: string; readonly reason: string }[];
}

/** Objects, lists and unions within each other. */
const maximumDepth = 24;

/** Properties of one schema that are counted. */
const maximumProperties = 20_000;

/**
 * Counts the properties of all objects that a form can show: in every branch, in items of lists, in entries of maps. A property
 * counts once for each place it has in the values; what refers to itself is not followed again.
 */
export function countFields(engine: FormEngine): FieldCount {
  const counter = new FieldCounter(engine);
  const root = counter.visit(engine.root, [], []);
  const { fields, json } = counter;
  return { fields, json: root.kind === 'json' ? [...json, { name: '(all arguments)', reason: root.reason }] : json };
}

class FieldCounter {
  fields = 0;
  readonly json: { readonly name: string; readonly reason: string }[] = [];
  readonly #engine: FormEngine;
  /** By place: the schemas that were met there. What stands beside a union is met in each of its branches. */
  readonly #met = new Map<string, Set<SubSchema>>();

  constructor(engine: FormEngine) {
    this.#engine = engine;
  }

  visit(schema: SubSchema, place: readonly string[], above: readonly SubSchema[]): Field {
    const field = this.#engine.fieldFor(schema, undefined);
    if (above.includes(schema) || above.length > maximumDepth || this.#met.size > maximumProperties) return field;
    const within = [...above, schema];
    if (field.kind === 'union') for (const branch of field.branches) this.visit(branch.schema, place, within);
    if (field.kind === 'list')
      for (let index = 0; index <= field.prefixLength; index += 1)
        if (field.itemSchema(index) !== false)
          this.visit(field.itemSchema(index), [...place, index < field.prefixLength ? `${index}` : '[]'], within);
    if (field.kind === 'object') {
      for (const { key, schema: property } of field.properties) this.#count(property, [...place, key], within);
      if (field.entries !== undefined) this.visit(field.entries, [...place, '*'], within);
    }
    return field;
  }

  #count(schema: SubSchema, place: readonly string[], above: readonly SubSchema[]): void {
    const key = JSON.stringify(place);
    const met = this.#met.get(key) ?? new Set<SubSchema>();
    this.#met.set(key, met);
    if (met.has(schema)) return;
    met.add(schema);
    const field = this.visit(schema, place, above);
    if (field.kind === 'json') this.json.push({ name: place.join('.'), reason: field.reason });
    else this.fields += 1;
  }
}
