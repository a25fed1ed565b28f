import { isRecord, type JsonValue } from '../base/json.ts';
import { kindOf } from '../schema/kinds.ts';
import { membersIn, own, textsIn } from '../schema/schemaNode.ts';
import { type Alternative, isListed, mayBe } from './shape.ts';
import { listPartsOf } from './listParts.ts';
import type { Shapes } from './shapes.ts';
import { stepsOfField } from '../schema/quickCheck.ts';

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
  const possible = alternatives
    .map((alternative, index) => ({ alternative, index }))
    .filter(({ alternative }) => mayBe(alternative.shape, kind));
  const open = possible.filter(({ alternative }) => !isContradicted(alternative, value, shapes));
  if (open.some(({ index }) => index === chosen)) return chosen;
  const [only] = open;
  if (only !== undefined && open.length === 1) return only.index;
  const budget = { left: stepsOfField };
  const isFitting = ({ schema, shape }: Alternative): boolean =>
    shape.obstacle === undefined && shapes.tools.check.accepts(schema, value, budget) === true;
  const fitting = open.find(({ alternative }) => isFitting(alternative));
  if (fitting !== undefined) return fitting.index;
  const candidates = open.length > 0 ? open : possible;
  if (candidates.some(({ index }) => index === chosen)) return chosen;
  const likeness = candidates.map(({ alternative }) => likenessOf(alternative, value, shapes));
  const mostAlike = candidates[likeness.indexOf(Math.max(...likeness))];
  return mostAlike?.index;
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
  if (Array.isArray(value)) return itemLikeness(shape, value[0] as JsonValue | undefined, shapes);
  if (!isRecord(value)) return 0;
  let likeness = 0;
  for (const { schema } of shape.parts) {
    for (const [key] of membersIn(schema, 'properties')) if (Object.hasOwn(value, key)) likeness += 1;
    for (const key of textsIn(schema, 'required')) if (!Object.hasOwn(value, key)) likeness -= 1;
  }
  return likeness;
}

function itemLikeness(shape: Alternative['shape'], first: JsonValue | undefined, shapes: Shapes): number {
  if (first === undefined) return 0;
  const item = shapes.shapeOf(listPartsOf(shape, shapes).itemSchema(0), undefined);
  return mayBe(item, kindOf(first)) ? 1 : 0;
}
