import { rounded } from '../../src/base/exactIntegers.ts';
import { type ExactValue, isRecord, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { BranchMemory } from '../../src/forms/branchMemory.ts';
import { jsonText, numberText, readJson, readNumber, type ControlValue } from '../../src/forms/controlText.ts';
import type { Field, ListField, ObjectField, SubSchema, UnionField, ValuePath } from '../../src/forms/field.ts';
import type { FormEngine } from '../../src/forms/formEngine.ts';
import { memberOf, valueAt, withValueAt } from '../../src/forms/valueAt.ts';

/** A form as a person has left it. */
export interface FilledForm {
  readonly value: JsonValue | undefined;
  readonly memory: BranchMemory;
  /** Values for which there was no place, with the reason. */
  readonly problems: readonly string[];
}

/**
 * Builds a value from an empty form, as a person does: chooses branches, adds items and entries, types into controls. Each text
 * is read as its control reads it; the form is asked again after each step.
 */
export function rebuild(engine: FormEngine, whole: JsonValue): FilledForm {
  const person = new Person(engine);
  person.fill(engine.root, [], 0, whole);
  return person;
}

/** The fields of a value: paths and kinds, as a form shows them. */
export function fieldsOf(
  engine: FormEngine,
  { value: whole, memory }: Omit<FilledForm, 'problems'>,
): readonly string[] {
  const found: string[] = [];
  function visit(schema: SubSchema, path: ValuePath, level: number): void {
    const value = valueAt(whole, path);
    const field = engine.fieldFor(schema, value, memory.chosen(path, level));
    found.push(`${JSON.stringify(path)} ${field.kind}`);
    const branch = field.kind === 'union' ? field.branches[field.chosen ?? -1] : undefined;
    if (branch !== undefined) visit(branch.schema, path, level + 1);
    if (field.kind === 'list' && Array.isArray(value))
      for (const index of value.keys()) visit(field.itemSchema(index), [...path, index], 0);
    if (field.kind === 'object' && isRecord(value)) {
      for (const { key, schema: property } of field.properties)
        if (Object.hasOwn(value, key)) visit(property, [...path, key], 0);
      for (const key of field.otherKeys) visit(field.entrySchema(key) ?? true, [...path, key], 0);
    }
  }
  visit(engine.root, [], 0);
  return found;
}

class Person implements FilledForm {
  value: JsonValue | undefined;
  readonly memory = new BranchMemory();
  readonly problems: string[] = [];
  readonly #engine: FormEngine;

  constructor(engine: FormEngine) {
    this.#engine = engine;
    this.value = engine.startValue(engine.root);
  }

  /** @param level of unions at the path */
  fill(schema: SubSchema, path: ValuePath, level: number, wanted: JsonValue): void {
    const field = this.#fieldAt(schema, path, level);
    if (wanted === null && field.isNullable) return this.#write(path, null);
    if (field.kind === 'union') return this.#choose(field, schema, path, level, wanted);
    if (field.kind === 'object' && isRecord(wanted)) return this.#fillObject(field, schema, path, level, wanted);
    if (field.kind === 'list' && Array.isArray(wanted)) return this.#fillList(field, path, wanted);
    const read = readControl(field, wanted);
    if (read.kind !== 'value' || (field.kind === 'json' && field.isMisfit)) return this.#miss(path, field);
    this.#write(path, read.value);
  }

  #fieldAt(schema: SubSchema, path: ValuePath, level: number): Field {
    return this.#engine.fieldFor(schema, valueAt(this.value, path), this.memory.chosen(path, level));
  }

  #choose(field: UnionField, schema: SubSchema, path: ValuePath, level: number, wanted: JsonValue): void {
    const aim = this.#engine.fieldFor(schema, wanted);
    const index = aim.kind === 'union' ? aim.chosen : undefined;
    const branch = field.branches[index ?? -1];
    if (index === undefined || branch === undefined) return this.#miss(path, field);
    this.memory.choose(path, level, index);
    this.#write(path, this.#engine.startValue(branch.schema));
    this.fill(branch.schema, path, level + 1, wanted);
    const after = this.#fieldAt(schema, path, level);
    const isKept = after.kind === 'union' && (after.chosen === index || wanted === null);
    if (!isKept) this.problems.push(`${nameOf(path)}: The branch "${branch.label}" changed while it was filled in.`);
  }

  #fillList(field: ListField, path: ValuePath, wanted: readonly JsonValue[]): void {
    this.#write(path, []);
    for (const [index, item] of wanted.entries()) {
      const schema = field.itemSchema(index);
      this.#write([...path, index], this.#engine.startValue(schema));
      this.fill(schema, [...path, index], 0, item);
    }
  }

  #fillObject(field: ObjectField, schema: SubSchema, path: ValuePath, level: number, wanted: JsonObject): void {
    if (!isRecord(valueAt(this.value, path))) this.#write(path, this.#engine.startValue(schema));
    const missing = new Set(Object.keys(wanted));
    // Some properties come up with others: those that are shown are filled in first.
    for (
      let shown: Field = field;
      shown.kind === 'object' && missing.size > 0;
      shown = this.#fieldAt(schema, path, level)
    ) {
      const names = new Map(shown.properties.map((property) => [property.key, property.schema]));
      const key = [...missing].find((each) => names.has(each)) ?? [...missing][0] ?? '';
      const given = names.get(key) ?? shown.entrySchema(key);
      missing.delete(key);
      if (given === undefined) this.problems.push(`${nameOf([...path, key])}: The form has no place for it.`);
      else this.#fillMember(given, [...path, key], rounded(memberOf(wanted, key) ?? null), names.has(key));
    }
    const made = valueAt(this.value, path);
    for (const key of isRecord(made) ? Object.keys(made) : [])
      if (!Object.hasOwn(wanted, key)) this.#write([...path, key], undefined);
  }

  #fillMember(schema: SubSchema, path: ValuePath, wanted: JsonValue, isProperty: boolean): void {
    if (!isProperty) this.#write(path, this.#engine.startValue(schema));
    this.fill(schema, path, 0, wanted);
  }

  #write(path: ValuePath, value: ExactValue | undefined): void {
    this.value = withValueAt(this.value, path, value) as JsonValue | undefined;
  }

  #miss(path: ValuePath, field: Field): void {
    this.problems.push(
      `${nameOf(path)}: ${field.kind === 'json' ? field.reason : `A field for ${field.kind} cannot take it.`}`,
    );
  }
}

/** What a control says after the value was put into it. */
function readControl(field: Field, wanted: JsonValue): ControlValue {
  const none: ControlValue = { kind: 'absent' };
  switch (field.kind) {
    case 'text':
      return typeof wanted === 'string' ? { kind: 'value', value: wanted } : none;
    case 'number':
      return typeof wanted === 'number' ? readNumber(numberText(wanted), field.isInteger) : none;
    case 'boolean':
      return typeof wanted === 'boolean' ? { kind: 'value', value: wanted } : none;
    case 'choice': {
      const option = field.options.find(({ value }) => JSON.stringify(value) === JSON.stringify(wanted));
      return option === undefined ? none : { kind: 'value', value: option.value };
    }
    case 'null':
      return wanted === null ? { kind: 'value', value: null } : none;
    case 'json':
      return readJson(jsonText(wanted));
    case 'object':
    case 'list':
    case 'union':
      return none;
  }
}

function nameOf(path: ValuePath): string {
  return path.length === 0 ? '(all arguments)' : path.join('.');
}
