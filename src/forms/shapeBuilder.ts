import { isRecord, isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import {
  allKinds,
  commonTypes,
  impliedKinds,
  type Kind,
  kindOf,
  kindsOfTypes,
  type TypeName,
  typesOf,
  typesOfKind,
} from '../schema/kinds.ts';
import { listIn, membersIn, own, textIn } from '../schema/schemaNode.ts';
import type { SchemaRefs } from '../schema/schemaRefs.ts';
import type { BranchPick, CombinedSchemas, View } from './combinedSchemas.ts';
import {
  type Alternative,
  listedIn,
  listedOf,
  type ListedValue,
  meetListed,
  type Part,
  type PartRole,
  type Shape,
  type ShapeUnion,
} from './shape.ts';
import { demandsOf, isDemand } from './limitsInWords.ts';

/** References and `allOf` within each other. */
const maximumDepth = 64;

const maximumParts = 2_000;

const maximumAlternatives = 1_000;

/** A part, and those it is a part of. */
interface PartPlace {
  readonly schema: UnknownRecord;
  readonly above: PartPlace | undefined;
  readonly depth: number;
}

interface OpenUnion {
  readonly list: readonly unknown[];
  readonly keyword: 'anyOf' | 'oneOf';
  readonly role: PartRole;
  readonly place: PartPlace;
  /** It is within an alternative that another union has told about already. */
  readonly isCounted: boolean;
}

/** What is known of other schemas: see `Shapes`. */
interface KnownShapes {
  readonly refs: SchemaRefs;
  readonly combined: CombinedSchemas;
  shapeOf(schema: unknown, value: JsonValue | undefined): Shape;
  holds(schema: unknown, value: JsonValue): boolean | undefined;
}

/** Collects the parts of one schema, and what they say together. */
export class ShapeBuilder {
  readonly #shapes: KnownShapes;
  readonly #view: View;
  readonly #value: JsonValue | undefined;
  readonly #parts: Part[] = [];
  readonly #seen = new Set<UnknownRecord>();
  /** Those that were found; the list grows while it is worked on. */
  readonly #open: OpenUnion[] = [];
  readonly #unions: ShapeUnion[] = [];
  readonly #alsoRequired: string[] = [];
  readonly #demands: string[] = [];
  /** What each part that says so says about `null`. */
  readonly #nulls: boolean[] = [];
  #types: ReadonlySet<TypeName> | undefined;
  #listed: readonly ListedValue[] | undefined;
  #obstacle: string | undefined;
  #name: string | undefined;
  #isNever = false;
  /** What is added is an alternative, whose word on `null` counts in its union. */
  #isCounted = false;
  #isLive = false;

  constructor(shapes: KnownShapes, schema: UnknownRecord, value: JsonValue | undefined) {
    this.#shapes = shapes;
    this.#view = shapes.combined.viewOf(schema);
    this.#value = value;
  }

  build(): Shape {
    const { schema, picks } = this.#view;
    this.#add(schema, picks.length === 0 ? 'own' : 'other', undefined);
    for (const union of this.#open) this.#settle(union);
    const [union] = this.#unions;
    const kind = picks.map((pick) => ('kind' in pick ? pick.kind : undefined)).find((each) => each !== undefined);
    if (kind !== undefined) this.#types = typesOfKind(kind, this.#types);
    const listed = this.#listed?.filter(({ value }) => this.#isOfType(value));
    const others = listed?.filter(({ value }) => value !== null);
    const implied = impliedKinds(this.#parts.map((part) => part.schema));
    const isNullOnly =
      (this.#types?.size === 1 && this.#types.has('null')) ||
      (listed !== undefined && listed.length > 0 && others?.length === 0);
    return {
      parts: this.#parts,
      obstacle: this.#obstacle,
      isNever: this.#isNever || this.#types?.size === 0 || listed?.length === 0,
      types: this.#types,
      kinds: this.#kinds(others, union, implied),
      isGuessed: this.#types === undefined && others === undefined && union === undefined,
      acceptsNull: picks.length > 0 ? false : this.#acceptsNull(implied),
      isNullOnly,
      listed: others,
      union,
      isLive: this.#isLive,
      alsoRequired: this.#alsoRequired,
      demands: this.#demands,
      name: this.#name,
    };
  }

  #add(schema: unknown, role: PartRole, above: PartPlace | undefined): void {
    if (schema === true) return;
    if (schema === false) {
      // Under a condition it forbids values, but the form stays what it is.
      if (role !== 'other') this.#isNever = true;
      return;
    }
    if (!isRecord(schema)) return this.#stop('Its schema is not valid.');
    if (this.#seen.has(schema)) return;
    const depth = above === undefined ? 0 : above.depth + 1;
    if (depth > maximumDepth || this.#parts.length > maximumParts)
      return this.#stop('Its schema is nested too deeply.');
    const place = { schema, above, depth };
    this.#seen.add(schema);
    this.#parts.push({ schema, role });
    this.#addTypes(schema);
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const list = listIn(schema, keyword);
      if (list.length > 0) this.#open.push({ list, keyword, role, place, isCounted: this.#isCounted });
    }
    this.#addTargets(place, role);
    for (const part of listIn(schema, 'allOf')) this.#add(part, role, place);
    this.#addConditions(place);
  }

  #stop(obstacle: string): void {
    this.#obstacle ??= obstacle;
  }

  #addTypes(schema: UnknownRecord): void {
    const types = typesOf(schema);
    this.#types = commonTypes(this.#types, types);
    const isNullable = own(schema, 'nullable') === true;
    const listed = listedIn(schema);
    if (!this.#isCounted) {
      if (types !== undefined || isNullable) this.#nulls.push(types?.has('null') ?? true);
      if (listed !== undefined) this.#nulls.push(isNullable || listed.some(({ value }) => value === null));
    }
    if (listed === undefined) return;
    this.#listed = meetListed(this.#listed, listed);
  }

  #addTargets(place: PartPlace, role: PartRole): void {
    const { schema } = place;
    for (const target of this.#shapes.refs.targetsOf(schema)) {
      if (target.kind === 'missing') this.#stop(target.reason);
      else {
        if (role !== 'other')
          this.#name ??= (isRecord(target.schema) ? textIn(target.schema, 'title') : undefined) ?? target.name;
        this.#add(target.schema, role === 'own' ? 'referenced' : role, place);
      }
    }
  }

  #addConditions(place: PartPlace): void {
    const { schema } = place;
    if (Object.hasOwn(schema, 'if') && (Object.hasOwn(schema, 'then') || Object.hasOwn(schema, 'else'))) {
      this.#isLive = true;
      const holds = this.#shapes.holds(own(schema, 'if'), this.#value === undefined ? {} : this.#value);
      if (holds !== undefined) this.#add(own(schema, holds ? 'then' : 'else') ?? true, 'other', place);
    }
    for (const keyword of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
      for (const [key, dependent] of membersIn(schema, keyword)) {
        this.#isLive = true;
        if (!isRecord(this.#value) || !Object.hasOwn(this.#value, key)) continue;
        if (Array.isArray(dependent)) this.#alsoRequired.push(...(dependent as unknown[]).filter(isString));
        else this.#add(dependent, 'other', place);
      }
    }
  }

  /** Finds out what a `oneOf` or `anyOf` is: a branch that was taken, listed values, a demand, one shape or `null`, or a choice. */
  #settle(union: OpenUnion): void {
    const { picks } = this.#view;
    const picked = picks.find((pick): pick is BranchPick => 'list' in pick && pick.list === union.list);
    if (picked !== undefined) {
      const role = picked === picks.at(-1) ? 'own' : 'other';
      return this.#addAlternative(picked.list[picked.index], role, union.place);
    }
    const all = this.#alternativesOf(union);
    const others = all.filter(({ shape }) => !shape.isNullOnly);
    if (!union.isCounted) this.#noteNull(all);
    if (all.length === 0) this.#isNever = true;
    else if (others.length === 0) this.#types = commonTypes(this.#types, new Set(['null']));
    else if (others.every(({ shape }) => isPlainList(shape))) {
      const hasNull = others.length < all.length || others.some(({ shape }) => shape.acceptsNull === true);
      const values = others.flatMap(({ shape }) => listedOf(shape));
      this.#listed = meetListed(this.#listed, hasNull ? [...values, { value: null }] : values);
    } else if (others.every(({ shape }) => isDemand(shape, this.#kindsSoFar())))
      this.#demands.push(...demandsOf(union.keyword, others));
    else if (others.length === 1) this.#addAlternative(others[0]?.schema, union.role, union.place);
    else this.#unions.push({ list: union.list, alternatives: others });
  }

  #addAlternative(schema: unknown, role: PartRole, place: PartPlace): void {
    this.#isCounted = true;
    this.#add(schema, role, place);
    this.#isCounted = false;
  }

  #alternativesOf({ list, place }: OpenUnion): readonly Alternative[] {
    return list.slice(0, maximumAlternatives).flatMap((schema, index): Alternative[] => {
      if (isRecord(schema) && this.#leadsBack(schema, place)) return [];
      const shape = this.#shapes.shapeOf(schema, this.#value);
      if (shape.isLive) this.#isLive = true;
      const canMeet = shape.obstacle !== undefined || commonTypes(this.#types, shape.types)?.size !== 0;
      return canMeet && !shape.isNever ? [{ index, schema, shape }] : [];
    });
  }

  /** An alternative of itself adds nothing. */
  #leadsBack(schema: UnknownRecord, place: PartPlace): boolean {
    const targets = this.#shapes.refs
      .targetsOf(schema)
      .map((target) => (target.kind === 'found' ? target.schema : undefined));
    for (let at: PartPlace | undefined = place; at !== undefined; at = at.above)
      if (at.schema === schema || targets.includes(at.schema)) return true;
    return false;
  }

  #noteNull(alternatives: readonly Alternative[]): void {
    const said = alternatives.map(({ shape }) => shape.isNullOnly || shape.acceptsNull);
    if (said.includes(true)) this.#nulls.push(true);
    else if (!said.includes(undefined)) this.#nulls.push(false);
  }

  #kindsSoFar(): readonly Kind[] {
    return this.#types === undefined
      ? impliedKinds(this.#parts.map(({ schema }) => schema))
      : kindsOfTypes(this.#types);
  }

  #kinds(
    listed: readonly ListedValue[] | undefined,
    union: ShapeUnion | undefined,
    implied: readonly Kind[],
  ): readonly Kind[] {
    if (listed !== undefined)
      return [...new Set(listed.map(({ value }) => kindOf(value)))].filter((kind) => kind !== 'null');
    const stated = this.#types === undefined ? undefined : kindsOfTypes(this.#types);
    if (union !== undefined) {
      const within = new Set(union.alternatives.flatMap(({ shape }) => (shape.isGuessed ? allKinds : shape.kinds)));
      return [...within].filter((kind) => stated === undefined || stated.includes(kind));
    }
    return stated ?? (implied.length > 0 ? implied : allKinds);
  }

  #acceptsNull(implied: readonly Kind[]): boolean | undefined {
    if (this.#nulls.length > 0) return !this.#nulls.includes(false);
    return implied.length > 0
      ? undefined
      : this.#parts.every(({ schema }) => !Object.hasOwn(schema, 'not')) || undefined;
  }

  #isOfType(value: JsonValue): boolean {
    if (this.#types === undefined) return true;
    if (typeof value === 'number' && !this.#types.has('number'))
      return this.#types.has('integer') && Number.isInteger(value);
    const kind = kindOf(value);
    return kind === 'null' ? this.#acceptsNull([]) === true : kindsOfTypes(this.#types).includes(kind);
  }
}

function isPlainList({ listed, union, obstacle }: Shape): boolean {
  return listed !== undefined && union === undefined && obstacle === undefined;
}
