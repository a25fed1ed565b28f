import { isString, toJsonText, type JsonValue } from '../base/json.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import { allKinds, kindWords } from '../schema/kinds.ts';
import { membersIn, textIn, textsIn } from '../schema/schemaNode.ts';
import { firstText, onlyValue, type Alternative, type Shape } from './shape.ts';
import { listPartsOf } from './listParts.ts';
import type { Shapes } from './shapes.ts';

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
