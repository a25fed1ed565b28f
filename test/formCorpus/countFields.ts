import type { Field, SubSchema } from '../../src/forms/field.ts';
import type { FormEngine } from '../../src/forms/formEngine.ts';

/** The properties of a form: those that are real fields, and those that are JSON, with the reason. */
export interface FieldCount {
  readonly fields: number;
  readonly json: readonly { readonly name: string; readonly reason: string }[];
}

/** Properties of one schema that are counted. */
const maximumProperties = 5_000;

const maximumDepth = 16;

/** Counts each property of each object that a form can show: in every branch, in items of lists, in entries of maps. */
export function countFields(engine: FormEngine): FieldCount {
  const json: { readonly name: string; readonly reason: string }[] = [];
  let fields = 0;

  function visit(schema: SubSchema, name: string, above: readonly SubSchema[]): Field {
    const field = engine.fieldFor(schema, undefined);
    if (above.includes(schema) || above.length > maximumDepth || fields > maximumProperties) return field;
    const within = [...above, schema];
    switch (field.kind) {
      case 'union':
        for (const branch of field.branches) visit(branch.schema, name, within);
        break;
      case 'list':
        for (let index = 0; index <= field.prefixLength; index += 1)
          if (field.itemSchema(index) !== false) visit(field.itemSchema(index), `${name}[]`, within);
        break;
      case 'object':
        for (const { key, schema: property } of field.properties) count(property, `${name}.${key}`, within);
        if (field.entries !== undefined) visit(field.entries, `${name}.*`, within);
        break;
      case 'text':
      case 'number':
      case 'boolean':
      case 'choice':
      case 'null':
      case 'json':
        break;
    }
    return field;
  }

  function count(schema: SubSchema, name: string, above: readonly SubSchema[]): void {
    const field = visit(schema, name, above);
    if (field.kind === 'json') json.push({ name: name.slice(1), reason: field.reason });
    else fields += 1;
  }

  const root = visit(engine.root, '', []);
  if (root.kind === 'json') json.push({ name: '(all arguments)', reason: root.reason });
  return { fields, json };
}
