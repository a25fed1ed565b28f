import { isRecord, type JsonValue, isString, toJsonText } from '../base/json.ts';
import { kindOf, allKinds, kindWords } from '../schema/kinds.ts';
import { membersIn, own, textsIn, textIn } from '../schema/schemaNode.ts';
import { type Alternative, isListed, mayBe, firstText, onlyValue, type Shape } from './shape.ts';
import { listPartsOf } from './memberParts.ts';
import type { Shapes } from './shapes.ts';
import { stepsOfField } from '../schema/quickCheck.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';

/**
 * Finds the branch of a value: the one the person has chosen while the value may be of it, else the first that it fits, else
 * the one it is most like.
 * @param chosen by the person, as an index of `alternatives`
 * @returns an index of `alternatives`; `undefined` if the value is of a kind that none of them has
 */
export function chooseBranch(
  alternatives: readonly Alternative[],
  value: JsonValue,
  chosen: number | undefined,
  shapes: Shapes,
): number | undefined {
  const kind = kindOf(value);
  const possible = alternatives.filter(({ shape }) => mayBe(shape, kind));
  const open = possible.filter((each) => !isContradicted(each, value, shapes));
  const candidates = open.length > 0 ? open : possible;
  const byPerson = chosen === undefined ? undefined : alternatives[chosen];
  if (byPerson !== undefined && open.includes(byPerson)) return chosen;
  const budget = { left: stepsOfField };
  const fits = ({ schema, shape }: Alternative): boolean =>
    shape.obstacle === undefined && shapes.check.accepts(schema, value, budget) === true;
  const fitting = open.length === 1 ? open[0] : open.find(fits);
  if (fitting !== undefined) return alternatives.indexOf(fitting);
  if (byPerson !== undefined && candidates.includes(byPerson)) return chosen;
  const likeness = candidates.map((each) => likenessOf(each, value, shapes));
  const branch = candidates[likeness.indexOf(Math.max(...likeness))];
  return branch && alternatives.indexOf(branch);
}

/** A value of an alternative can only be one of some, and is another: it is not of this branch. */
function isContradicted({ shape }: Alternative, value: JsonValue, shapes: Shapes): boolean {
  if (shape.listed !== undefined && value !== null) return !isListed(shape.listed, value);
  if (!isRecord(value)) return false;
  return shape.parts.some(({ schema }) => {
    const properties = own(schema, 'properties');
    if (!isRecord(properties)) return false;
    return Object.keys(value).some((key) => {
      if (!Object.hasOwn(properties, key)) return false;
      const { listed = [] } = shapes.shapeOf(properties[key], undefined);
      return listed.length === 1 && value[key] !== null && !isListed(listed, value[key]);
    });
  });
}

/** How much of a value a branch knows of; only for comparison. */
function likenessOf({ shape }: Alternative, value: JsonValue, shapes: Shapes): number {
  if (shape.obstacle !== undefined) return -1;
  if (Array.isArray(value)) {
    const [first] = value as readonly JsonValue[];
    if (first === undefined) return 0;
    const item = shapes.shapeOf(listPartsOf(shape, shapes).itemSchema(0), undefined);
    return mayBe(item, kindOf(first)) ? 1 : 0;
  }
  if (!isRecord(value)) return 0;
  let likeness = 0;
  for (const { schema } of shape.parts) {
    for (const [key] of membersIn(schema, 'properties')) if (Object.hasOwn(value, key)) likeness += 1;
    for (const key of textsIn(schema, 'required')) if (!Object.hasOwn(value, key)) likeness -= 1;
  }
  return likeness;
}

const maximumLength = 80;

/** Properties among which the one is looked for that tells branches apart. */
const maximumProperties = 100;

/** What tells the branches of a union from each other, in a few words; no two are the same. */
export function branchLabels(alternatives: readonly Alternative[], shapes: Shapes): readonly string[] {
  const labels = alternatives.map(({ shape }) => truncateWithEllipsis(labelOf(shape, shapes), maximumLength));
  const longer = labels.map((label, index) => {
    const shape = alternatives[index]?.shape;
    const isAmbiguous = labels.indexOf(label) !== labels.lastIndexOf(label);
    const details = isAmbiguous && shape !== undefined ? detailsOf(shape) : '';
    return details === '' ? label : truncateWithEllipsis(`${label}: ${details}`, maximumLength);
  });
  const counts = new Map<string, number>();
  return longer.map((label) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}

function labelOf(shape: Shape, shapes: Shapes): string {
  const title = firstText(shape.parts, 'title') ?? typeTitle(shape);
  if (title !== undefined) return title;
  if (shape.listed?.length === 1) return listedLabel(shape.listed.map(({ value }) => value));
  const property = constantProperty(shape, shapes);
  if (property !== undefined) return property;
  if (shape.name !== undefined) return shape.name;
  if (shape.listed !== undefined) return listedLabel(shape.listed.map(({ value }) => value));
  return kindsLabel(shape, shapes);
}

function typeTitle({ parts }: Shape): string | undefined {
  const titled = parts.find(({ schema, role }) => role === 'referenced' && textIn(schema, 'title') !== undefined);
  return titled && textIn(titled.schema, 'title');
}

/** `kind: circle`, for a branch in which a property can have one value only. */
function constantProperty({ parts }: Shape, shapes: Shapes): string | undefined {
  const properties = parts.flatMap(({ schema }) => membersIn(schema, 'properties'));
  for (const [key, property] of properties.slice(0, maximumProperties)) {
    const only = onlyValue(shapes.shapeOf(property, undefined));
    if (only !== undefined) return `${key}: ${valueLabel(only.value)}`;
  }
  return undefined;
}

function listedLabel(values: readonly JsonValue[]): string {
  return values.slice(0, 10).map(valueLabel).join(' or ');
}

export function valueLabel(value: JsonValue): string {
  return isString(value) && value !== '' ? truncateWithEllipsis(value, 200) : toJsonText(value, 200);
}

function kindsLabel(shape: Shape, shapes: Shapes): string {
  const { kinds, types, obstacle } = shape;
  if (obstacle !== undefined) return 'JSON';
  if (kinds.length === allKinds.length) return 'Any value';
  const names = kinds.map((kind) =>
    kind === 'number' && types?.has('number') === false ? 'Whole number' : kindWords[kind].label,
  );
  if (kinds.length !== 1 || kinds[0] !== 'list' || shape.union !== undefined) return names.join(' or ');
  const items = shapes.shapeOf(listPartsOf(shape, shapes).itemSchema(0), undefined);
  const isPlain = items.kinds.length === 1 && items.obstacle === undefined;
  return isPlain && items.kinds[0] !== undefined ? `List of ${kindWords[items.kinds[0]].many}` : 'List';
}

/** What else is known of a branch: its format, or the names of its properties. */
function detailsOf({ parts }: Shape): string {
  const format = firstText(parts, 'format');
  if (format !== undefined) return format;
  const [pattern] = parts.flatMap(({ schema }) => textIn(schema, 'pattern') ?? []);
  if (pattern !== undefined) return pattern;
  const required = parts.flatMap(({ schema }) => textsIn(schema, 'required'));
  const properties = parts.flatMap(({ schema }) => membersIn(schema, 'properties').map(([key]) => key));
  return (required.length > 0 ? required : properties).slice(0, 4).join(', ');
}
