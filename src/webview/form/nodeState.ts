import type { JsonValue } from '../../base/json.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { countOf } from '../dom.ts';
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
  if (value !== undefined) return kind;
  if (kind === 'list' || kind === 'null') return 'isAbsent';
  if (kind !== 'object' || node.layout === 'root') return kind;
  return isRequired && !node.field.isRecursive && hasRoom && node.depth < openDepth ? kind : 'isAbsent';
}

/** There are nodes below, not one control. */
export function isGroupKind(kind: BodyKind | undefined): boolean {
  return kind === 'object' || kind === 'list';
}

/** @param hasRoom not too much is drawn already */
export function isOpenAtFirst({ place, depth, layout, parent }: FormNode, hasRoom: boolean): boolean {
  if (!hasRoom || depth > openDepth) return false;
  if (Array.isArray(place.value) && place.value.length > openItems) return false;
  const siblings: unknown = layout === 'item' ? parent?.place.value : undefined;
  return !Array.isArray(siblings) || siblings.length <= openSiblings;
}

/** What stands beside the label: how many items, what is in a closed part, or that nothing is sent. */
export function summaryOf({ place, layout }: FormNode, kind: BodyKind | undefined, isOpen: boolean): string {
  const { value } = place;
  if (layout === 'root' || layout === 'branch') return '';
  if (kind === 'list' && Array.isArray(value)) return value.length === 0 ? 'empty list' : countOf(value.length, 'item');
  if (kind !== 'object') return '';
  if (value === undefined) return 'not sent';
  return isOpen ? '' : previewOf(value);
}

/** All arguments, with what is missing above the node begun as its schema asks for it. */
export function withParents({ context, parent }: FormNode): JsonValue {
  const missing: FormNode[] = [];
  for (let at = parent; at !== undefined && at.place.value === undefined; at = at.parent) missing.unshift(at);
  let whole: JsonValue = context.value;
  for (const { path, place } of missing)
    whole = withValueAt(whole, path, context.engine.startValue(place.schema)) ?? whole;
  return whole;
}
