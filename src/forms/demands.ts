import { isRecord, isStringArray } from '../base/json.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import type { Kind } from '../schema/kinds.ts';
import { own } from '../schema/schemaNode.ts';
import type { Alternative, Shape } from './shape.ts';

/** Keywords that say what is in a value, and so what a form shows. */
const structure = (
  'properties patternProperties additionalProperties unevaluatedProperties ' +
  'items prefixItems additionalItems unevaluatedItems dependentSchemas dependencies if'
).split(' ');

/**
 * True for an alternative that changes nothing a form shows: it only asks for more of the same value.
 * @param kinds of the value without its alternatives
 */
export function isDemand(
  { parts, listed, union, obstacle, types, kinds: may }: Shape,
  kinds: readonly Kind[],
): boolean {
  if (listed !== undefined || union !== undefined || obstacle !== undefined) return false;
  if (types !== undefined && (kinds.length === 0 || kinds.some((kind) => !may.includes(kind)))) return false;
  return parts.every(({ schema }) => structure.every((name) => !Object.hasOwn(schema, name)));
}

/** What alternatives ask for together, as a sentence; nothing if that is not only which properties are required. */
export function demandsOf(keyword: 'anyOf' | 'oneOf', alternatives: readonly Alternative[]): readonly string[] {
  const wanted = alternatives.map(({ shape }) => requiredBy(shape));
  if (wanted.some((names) => names.length === 0)) return [];
  const count = keyword === 'anyOf' ? 'At least one' : 'Exactly one';
  const names = wanted.slice(0, 20).map((each) => each.join(' with '));
  return [`${count} of these is needed: ${truncateWithEllipsis(names.join(', '), 300)}.`];
}

function requiredBy({ parts }: Shape): readonly string[] {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || isRecord(own(only.schema, 'not'))) return [];
  const required = own(only.schema, 'required');
  return isStringArray(required) ? required.slice(0, 20) : [];
}
