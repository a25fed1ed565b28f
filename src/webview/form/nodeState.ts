import type { ExactValue, JsonValue } from '../../base/json.ts';
import type { ChoiceField } from '../../forms/field.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { countOf } from '../dom.ts';
import { nothingSent } from './controls.ts';
import type { BodyKind, FormNode } from './formParts.ts';
import { previewOf } from './shownText.ts';

/** Required objects are drawn, and values opened, down to this depth; the person adds or opens others. */
const openDepth = 4;

/** A list of more items is closed at first, and so are items that are among more. */
const openItems = 20;
const openSiblings = 5;

/** What is drawn for the value that a node has now. @param hasRoom see {@link isOpenAtFirst} */
export function bodyKindOf(node: FormNode, hasRoom: boolean): BodyKind {
  const { value, isRequired } = node.place;
  const { kind } = node.field;
  if (value === null) return kind === 'text' || kind === 'number' || isGroupKind(kind) ? 'isNull' : kind;
  if (node.field.kind === 'text' && node.field.isLine) return 'line';
  if (choicesOf(node) !== undefined) return 'choices';
  if (value !== undefined) return kind;
  if (kind === 'list' || kind === 'null') return 'isAbsent';
  if (kind !== 'object' || node.layout === 'root') return kind;
  return isRequired && !node.field.isRecursive && hasRoom && node.depth < openDepth ? kind : 'isAbsent';
}

/** The items of a list. */
export function itemsOf({ place: { value } }: FormNode): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** More boxes than that are no help: the items are chosen one by one. */
const mostChoices = 1_000;

/** The values of a list whose items are each there once, of few that there are. `undefined` for all other lists and values. */
export function choicesOf(node: FormNode): ChoiceField['options'] | undefined {
  const { form, field } = node;
  if (field.kind !== 'list' || !field.isUnique || field.prefixLength > 0) return undefined;
  const item = form.engine.fieldFor(field.itemSchema(0), undefined);
  if (item.kind !== 'choice' || item.isNullable || item.options.length > mostChoices) return undefined;
  const known = new Set(item.options.map(({ value }) => JSON.stringify(value)));
  const items = itemsOf(node).map((each) => JSON.stringify(each));
  const isPlain = items.every((each) => known.has(each)) && new Set(items).size === items.length;
  return isPlain ? item.options : undefined;
}

/** There are several controls, not one. */
export function isGroupKind(kind: BodyKind | undefined): boolean {
  return kind === 'object' || kind === 'list' || kind === 'choices';
}

/** @param hasRoom not too much is drawn already */
export function isOpenAtFirst({ place, depth, layout, parent }: FormNode, hasRoom: boolean): boolean {
  if (!hasRoom || depth > openDepth) return false;
  if (Array.isArray(place.value) && place.value.length > openItems) return false;
  const siblings: unknown = layout === 'item' ? parent?.place.value : undefined;
  return !Array.isArray(siblings) || siblings.length <= openSiblings;
}

/** What stands beside the label: how many items, what is in a closed part, or that nothing is sent. */
export function summaryOf(node: FormNode, kind: BodyKind | undefined, isOpen: boolean): string {
  const { place, layout } = node;
  const { value } = place;
  if (layout === 'root' || layout === 'branch') return '';
  if (kind === 'choices' && value === undefined) return nothingSent(node);
  if ((kind === 'list' || kind === 'choices') && Array.isArray(value))
    return value.length === 0 ? 'empty list' : countOf(value.length, 'item');
  if (kind !== 'object') return '';
  if (value === undefined) return place.isRequired ? '' : 'not sent';
  return isOpen ? '' : previewOf(value);
}

/** All arguments, with what is missing above the node begun as its schema asks for it. */
export function withParents({ form, line }: FormNode): ExactValue {
  const missing = line.slice(1).filter(({ place }) => place.value === undefined);
  let whole: ExactValue = form.value;
  for (const { path, place } of missing.toReversed())
    whole = withValueAt(whole, path, form.engine.startValue(place.schema)) ?? whole;
  return whole;
}
