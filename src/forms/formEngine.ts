import { exactMember, rounded } from '../base/exactIntegers.ts';
import { type ExactValue, isRecord, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { getOrMake, memoize } from '../base/memoize.ts';
import { QuickCheck } from '../schema/quickCheck.ts';
import { findRecursiveSchemas } from '../schema/recursiveSchemas.ts';
import { SchemaRefs } from '../schema/schemaRefs.ts';
import { startValueOf } from './startValue.ts';
import { branchLabels, chooseBranch, valueLabel } from './branches.ts';
import type { Branch, Field, FieldBase, ListParts, ObjectField, SubSchema } from './field.ts';
import { allKinds, type Kind, kindOf, kindWords } from '../schema/kinds.ts';
import { lengthNearLimit, limitsInWords } from './limitsInWords.ts';
import { listPartsOf, ObjectParts } from './memberParts.ts';
import { isSameJson, own } from '../schema/schemaNode.ts';
import { firstText, isListed, type Shape, type ShapeUnion } from './shape.ts';
import { anySchema, Shapes } from './shapes.ts';
import { examplesIn, linesOf, maximumExamples } from './textLines.ts';

/**
 * Says what a form shows for a value. Knows no DOM, runs patterns of the schema for single characters only, changes neither
 * schema nor value, and remembers what does not depend on the value.
 */
export class FormEngine {
  /** The schema of the arguments, which are an object even if the schema does not say so. */
  readonly root: SubSchema;
  readonly #shapes: Shapes;
  readonly #recursive: () => ReadonlySet<UnknownRecord> | undefined;
  readonly #bases = new WeakMap<Shape, Map<Kind | undefined, FieldBase>>();
  readonly #objects = new WeakMap<Shape, ObjectParts>();
  readonly #lists = new WeakMap<Shape, ListParts>();
  readonly #branches = new WeakMap<Shape, readonly Branch[]>();

  /** @param schema of a server, unchecked; dialects 2020-12, 2019-09, draft-07 and none */
  constructor(schema: UnknownRecord) {
    // Callers pass on what a server has sent.
    const root = isRecord(schema) ? schema : {};
    const refs = new SchemaRefs(root);
    this.#shapes = new Shapes(refs, new QuickCheck(root, refs));
    this.#recursive = memoize(() => findRecursiveSchemas(root, refs));
    // Also where the schema only says what is in the object.
    const { isGuessed } = this.#shapes.shapeOf(root, undefined);
    this.root = isGuessed ? this.#shapes.combined.both(root, { type: 'object' }) : root;
  }

  /** A value to begin with, as empty as its kind can be: constants are filled in, defaults are not. */
  startValue(schema: SubSchema): JsonValue {
    return startValueOf(schema, this.#shapes);
  }

  /**
   * The field of a value. Never throws, for any schema and value; takes bounded time. The same schema and value give the same
   * schemas in the field, also those that are put together.
   * @param value `undefined` if it is absent
   * @param chosen the branch the person has chosen at this place, which counts as long as the value may be of it
   */
  fieldFor(schema: SubSchema, value: ExactValue | undefined, chosen?: number): Field {
    try {
      return this.#make(schema, rounded(value), chosen);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Stack overflow: the depth of schema and value together is beyond all other bounds.
      return jsonField(emptyBase, 'Its schema is nested too deeply.', false);
    }
  }

  #make(schema: SubSchema, value: JsonValue | undefined, chosen: number | undefined): Field {
    const shape = this.#shapes.shapeOf(schema, value);
    if (shape.obstacle !== undefined) return jsonField(this.#baseOf(shape), shape.obstacle, false);
    if (shape.isNever) return jsonField(this.#baseOf(shape), 'Its schema allows no value.', false);
    if (shape.isNullOnly) {
      if ((value ?? null) !== null) return this.#misfit(shape, [], value);
      return { ...this.#baseOf(shape), isNullable: false, kind: 'null' };
    }
    const isBranch = isRecord(schema) && this.#shapes.combined.viewOf(schema).picks.length > 0;
    if (value === null) {
      // The whole union says whether there may be null, not its branch.
      if (shape.acceptsNull === false && !isBranch) return this.#misfit(shape, shape.kinds, value);
      const field = this.#fieldOfKind(schema, shape, undefined, chosen);
      return isBranch ? field : { ...field, isNullable: true };
    }
    return this.#fieldOfKind(schema, shape, value, chosen);
  }

  #fieldOfKind(schema: SubSchema, shape: Shape, value: JsonValue | undefined, chosen: number | undefined): Field {
    if (shape.listed !== undefined) return this.#choiceField(shape, value);
    const node = isRecord(schema) ? schema : anySchema;
    if (shape.union !== undefined) return this.#unionField(node, shape, shape.union, value, chosen);
    const kinds = kindsFor(shape, value);
    const [kind] = kinds;
    if (kinds.length > 1) return this.#kindsField(node, shape, kinds, value);
    if (kind === undefined || (value !== undefined && kindOf(value) !== kind)) return this.#misfit(shape, kinds, value);
    return this.#fieldOf(kind, shape, value);
  }

  #fieldOf(kind: Kind, shape: Shape, value: JsonValue | undefined): Field {
    const base = this.#baseOf(shape, kind);
    switch (kind) {
      case 'text': {
        const format = firstText(shape.parts, 'format');
        const near = typeof value === 'string' ? lengthNearLimit(shape, value.length) : [];
        const limits = near.length === 0 ? base.limits : [...base.limits, ...near];
        return { ...base, limits, kind, ...(format !== undefined && { format }), ...linesOf(shape, value) };
      }
      case 'number':
        return { ...base, kind, isInteger: shape.types?.has('number') === false };
      case 'boolean':
        return { ...base, kind };
      case 'list':
        return {
          ...base,
          kind,
          ...getOrMake(this.#lists, shape, () => listPartsOf(shape, this.#shapes)),
          isRecursive: this.#leadsBack(shape),
        };
      case 'object':
        return this.#objectField(shape, base, value);
    }
  }

  #choiceField(shape: Shape, value: JsonValue | undefined): Field {
    const { listed = [] } = shape;
    if (value !== undefined && value !== null && !isListed(listed, value))
      return jsonField(this.#baseOf(shape), 'This value is none of those that the schema lists.', true);
    const options = listed.map(({ value: each, label, description }) => ({
      value: each,
      label: label ?? valueLabel(each),
      ...(description !== undefined && { description }),
    }));
    return { ...this.#baseOf(shape), kind: 'choice', options };
  }

  #unionField(
    node: UnknownRecord,
    shape: Shape,
    { list, alternatives }: ShapeUnion,
    value: JsonValue | undefined,
    chosen: number | undefined,
  ): Field {
    const { combined } = this.#shapes;
    const branches = getOrMake(this.#branches, shape, () => {
      const labels = branchLabels(alternatives, this.#shapes);
      return alternatives.map(({ index, shape: each }, position): Branch => {
        const description = firstText(each.parts, 'description');
        return {
          label: labels[position] ?? '',
          ...(description !== undefined && { description }),
          schema: combined.branch(node, { list, index }),
        };
      });
    });
    const hasValue = value !== undefined && value !== null;
    const branch = hasValue ? chooseBranch(alternatives, value, chosen, this.#shapes) : undefined;
    if (hasValue && branch === undefined) return this.#misfit(shape, shape.kinds, value);
    return { ...this.#baseOf(shape), kind: 'union', branches, chosen: branch };
  }

  /** The kinds of a value are a choice too, which the value makes. */
  #kindsField(node: UnknownRecord, shape: Shape, kinds: readonly Kind[], value: JsonValue | undefined): Field {
    const kind = value === undefined || value === null ? undefined : kindOf(value);
    const chosen = kinds.findIndex((each) => each === kind);
    if (kind !== undefined && chosen < 0) return this.#misfit(shape, kinds, value);
    const { combined } = this.#shapes;
    const branches = kinds.map((each): Branch => {
      const isWhole = each === 'number' && shape.types?.has('number') === false;
      return { label: isWhole ? 'Whole number' : kindWords[each].label, schema: combined.branch(node, { kind: each }) };
    });
    const base = this.#baseOf(shape);
    return { ...base, kind: 'union', branches, chosen: kind === undefined ? undefined : chosen };
  }

  #objectField(shape: Shape, base: FieldBase, value: JsonValue | undefined): ObjectField {
    const parts = getOrMake(this.#objects, shape, () => new ObjectParts(shape, this.#shapes));
    const keys = isRecord(value) ? Object.keys(value) : [];
    return {
      ...base,
      kind: 'object',
      properties: parts.properties,
      ...(parts.entries !== undefined && { entries: parts.entries }),
      otherKeys: keys.filter((key) => !parts.names.has(key)),
      entrySchema: (key) => parts.entrySchema(key),
      isLive: shape.isLive,
      isRecursive: this.#leadsBack(shape),
    };
  }

  #leadsBack({ parts }: Shape): boolean {
    return parts.some(({ schema }) => this.#recursive()?.has(schema) ?? true);
  }

  #misfit(shape: Shape, kinds: readonly Kind[], value: JsonValue | undefined): Field {
    const wanted = kinds.length === 0 ? 'null' : kinds.map((kind) => kindWords[kind].one).join(' or ');
    const found = value === undefined ? 'absent' : kindWords[kindOf(value)].one;
    return jsonField(this.#baseOf(shape), `The schema asks for ${wanted}, and the value is ${found}.`, true);
  }

  /** @param kind whose limits are said */
  #baseOf(shape: Shape, kind?: Kind): FieldBase {
    const known = getOrMake(this.#bases, shape, () => new Map<Kind | undefined, FieldBase>());
    return getOrMake(known, kind, () => baseOf(shape, kind === undefined ? [] : limitsInWords(shape, kind)));
  }
}

const emptyBase: FieldBase = { examples: [], isNullable: false, isDeprecated: false, isReadOnly: false, limits: [] };

function jsonField(base: FieldBase, reason: string, isMisfit: boolean): Field {
  return { ...base, kind: 'json', reason, isMisfit };
}

/** A schema that states no type allows values of any kind, whatever its keywords are about. */
function kindsFor({ kinds, isGuessed }: Shape, value: JsonValue | undefined): readonly Kind[] {
  if (!isGuessed || value === undefined) return kinds;
  const kind = kindOf(value);
  if (kind !== 'null' && kinds.includes(kind)) return kinds;
  return [...kinds, ...allKinds.filter((each) => !kinds.includes(each))];
}

function baseOf({ parts, acceptsNull }: Shape, limits: readonly string[]): FieldBase {
  const schemas = parts.map(({ schema }) => schema);
  const described = parts.filter(({ role }) => role !== 'other').map(({ schema }) => schema);
  const title = firstText(parts, 'title');
  const description = firstText(parts, 'description');
  const preset = described.find((schema) => Object.hasOwn(schema, 'default'));
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: exactMember(preset, 'default') as ExactValue }),
    examples: distinctJson(described.flatMap(examplesIn), maximumExamples),
    isNullable: acceptsNull === true,
    isDeprecated: described.some((schema) => own(schema, 'deprecated') === true),
    isReadOnly: schemas.some((schema) => own(schema, 'readOnly') === true),
    limits,
  };
}

/** Values without those that occur before in the list; at most `maximum`. */
function distinctJson(values: readonly JsonValue[], maximum: number): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const value of values) {
    if (found.length >= maximum) break;
    if (!found.some((each) => isSameJson(each, value))) found.push(value);
  }
  return found;
}
