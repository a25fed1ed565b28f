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
  const byPerson = chosen === undefined ? undefined : alternatives[chosen];
  const branch = branchOf(alternatives, value, byPerson, shapes);
  return branch && alternatives.indexOf(branch);
}

function branchOf(
  alternatives: readonly Alternative[],
  value: JsonValue,
  byPerson: Alternative | undefined,
  shapes: Shapes,
): Alternative | undefined {
  const kind = kindOf(value);
  const possible = alternatives.filter(({ shape }) => mayBe(shape, kind));
  const open = possible.filter((each) => !isContradicted(each, value, shapes));
  if (byPerson !== undefined && open.includes(byPerson)) return byPerson;
  if (open.length === 1) return open[0];
  const budget = { left: stepsOfField };
  const fitting = open.find(
    ({ schema, shape }) => shape.obstacle === undefined && shapes.check.accepts(schema, value, budget) === true,
  );
  if (fitting !== undefined) return fitting;
  const candidates = open.length > 0 ? open : possible;
  if (byPerson !== undefined && candidates.includes(byPerson)) return byPerson;
  const likeness = candidates.map((each) => likenessOf(each, value, shapes));
  return candidates[likeness.indexOf(Math.max(...likeness))];
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
