import { isRecord, type JsonValue } from '../../src/base/json.ts';
import { jsonText, numberText, readJson, readNumber, type ControlValue } from '../../src/forms/controlText.ts';
import type { Field, SubSchema } from '../../src/forms/field.ts';
import type { FormEngine } from '../../src/forms/formEngine.ts';
import { withValueAt } from '../../src/forms/valueAt.ts';

/** What a form makes of a value: the value again, and the kind of each field on the way. */
export interface Rebuilt {
  readonly value: JsonValue | undefined;
  readonly kinds: readonly string[];
  /** Values that no field takes, with the reason. */
  readonly misfits: readonly string[];
}

/**
 * Builds a value from nothing, as a person does with a form: chooses branches, adds items and entries, types texts. Each text is
 * read as its control reads it.
 */
export function rebuild(engine: FormEngine, whole: JsonValue): Rebuilt {
  const kinds: string[] = [];
  const misfits: string[] = [];

  function make(schema: SubSchema, value: JsonValue, place: string): JsonValue | undefined {
    const field = engine.fieldFor(schema, value);
    kinds.push(`${place} ${field.kind}`);
    if (value === null && field.isNullable) return null;
    return fill(field, value, place);
  }

  function fill(field: Field, value: JsonValue, place: string): JsonValue | undefined {
    switch (field.kind) {
      case 'text':
        return typeof value === 'string' ? value : undefined;
      case 'number':
        return typeof value === 'number' ? valueOf(readNumber(numberText(value), field.isInteger)) : undefined;
      case 'boolean':
        return value === true || value === false ? value : undefined;
      case 'null':
        return value === null ? null : undefined;
      case 'choice':
        return field.options.find((option) => JSON.stringify(option.value) === JSON.stringify(value))?.value;
      case 'json':
        if (field.isMisfit) misfits.push(`${place}: ${field.reason}`);
        return valueOf(readJson(jsonText(value)));
      case 'union': {
        const branch = field.branches[field.chosen ?? -1];
        return branch === undefined ? undefined : make(branch.schema, value, place);
      }
      case 'list':
        return makeList(field, value, place);
      case 'object':
        return makeObject(field, value, place);
    }
  }

  function makeList(field: Extract<Field, { readonly kind: 'list' }>, value: JsonValue, place: string) {
    if (!Array.isArray(value)) return undefined;
    let list: JsonValue | undefined = [];
    for (const [index, item] of (value as readonly JsonValue[]).entries())
      list = withValueAt(list, [index], make(field.itemSchema(index), item, `${place}[${index}]`));
    return list;
  }

  function makeObject(field: Extract<Field, { readonly kind: 'object' }>, value: JsonValue, place: string) {
    if (!isRecord(value)) return undefined;
    let object: JsonValue | undefined = {};
    for (const [key, member] of Object.entries(value) as [string, JsonValue][]) {
      const schema = field.properties.find((property) => property.key === key)?.schema ?? field.entrySchema(key);
      if (schema === undefined) misfits.push(`${place}.${key}: The form has no place for it.`);
      else object = withValueAt(object, [key], make(schema, member, `${place}.${key}`));
    }
    return object;
  }

  return { value: make(engine.root, whole, ''), kinds, misfits };
}

function valueOf(read: ControlValue): JsonValue | undefined {
  return read.kind === 'value' ? read.value : undefined;
}
