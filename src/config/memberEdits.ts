import { modify } from 'jsonc-parser';
import { withMarks, withoutMarks } from '../base/exactIntegers.ts';
import type { PropertyPath } from './configurationProblem.ts';
import { gapAt, indentationAt, type JsonNode, type JsonProperty, nodeAt, propertyOf, rangeIn } from './jsonDocument.ts';

/** Replaces `length` UTF-16 units at `offset` of the original text. Edits of one list do not overlap. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** jsonc-parser's `modify` in the layout of the text, with the digits of integers. @param value `undefined` removes */
export function modifyEdits(text: string, path: PropertyPath, value: unknown, isArrayInsertion = false): TextEdit[] {
  const { eol, unit } = layoutOf(text);
  const formattingOptions = { insertSpaces: unit !== '\t', tabSize: unit === '\t' ? 4 : unit.length, eol };
  const edits = modify(text, [...path], withMarks(value), { formattingOptions, isArrayInsertion });
  return edits.map((edit) => ({ ...rangeIn(text, edit), text: withoutMarks(edit.content) }));
}

/** @returns the line ends of a text, and one level of its indentation */
export function layoutOf(text: string): { readonly eol: string; readonly unit: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const unit = indent.startsWith('\t') ? '\t' : ' '.repeat(indent.length);
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit };
}

/** @returns the edits that replace the object at `path` by its members; none if some of them have no place outside */
export function moveOutEdits(text: string, root: JsonNode | undefined, path: PropertyPath): TextEdit[] {
  const found = memberAt(root, path);
  if (found === undefined) return [];
  const { holder, member } = found;
  const { keyRange, value } = member;
  const { properties, range } = value;
  const [first, last] = [properties[0], properties.at(-1)];
  const fits = properties.every(({ key }) => key === member.key || propertyOf(holder, key) === undefined);
  if (first === undefined || last === undefined || !fits) return [];
  const end = endOf(last);
  // A comma after the last member goes with the brackets: one follows the object where it is needed.
  const tail = text.slice(end, range.offset + range.length - 1);
  const gap = gapAt(tail, 0);
  const rest = tail[gap.length] === ',' ? gap + tail.slice(gap.length + 1) : tail;
  const [outer, inner] = [indentationAt(text, keyRange.offset), indentationAt(text, first.keyRange.offset)];
  const members = `${text.slice(range.offset + 1, end)}${rest}`.trim().replaceAll(`\n${inner}`, `\n${outer}`);
  // What follows must not become a part of a comment.
  const written = rest.includes('//') ? `${members}\n${outer}` : members;
  return [{ offset: keyRange.offset, length: range.offset + range.length - keyRange.offset, text: written }];
}

/**
 * @param into an object that is not around the member; if it does not exist yet, it is made in the member's place
 * @returns the edits that move a member, as it is written, into another object; none if that has a member of its name
 */
export function moveIntoEdits(
  text: string,
  root: JsonNode | undefined,
  path: PropertyPath,
  into: PropertyPath,
): TextEdit[] {
  const found = memberAt(root, path);
  if (found === undefined) return [];
  const { holder, member } = found;
  const target = nodeAt(root, into);
  const indent = indentationAt(text, member.keyRange.offset);
  const end = endOf(member);
  const written = text.slice(member.keyRange.offset, end);
  const moved = (inner: string): string => written.replaceAll(`\n${indent}`, `\n${inner}`);
  const { eol, unit } = layoutOf(text);
  if (target === undefined) {
    const name = into.at(-1);
    const inner = indent + unit;
    if (nodeAt(root, into.slice(0, -1)) !== holder) return [];
    const content = indent === '' ? written : `${eol}${inner}${moved(inner)}${eol}${indent}`;
    const section = `${JSON.stringify(name)}: {${content}}`;
    return [{ offset: member.keyRange.offset, length: written.length, text: section }];
  }
  if (target.type !== 'object' || propertyOf(target, member.key) !== undefined) return [];
  return [...removeMember(text, holder, member), ...insertMember(text, target, moved)];
}

function memberAt(root: JsonNode | undefined, path: PropertyPath) {
  const holder = nodeAt(root, path.slice(0, -1));
  const key = path.at(-1);
  const member = holder && typeof key === 'string' ? propertyOf(holder, key) : undefined;
  return holder === undefined || member === undefined ? undefined : { holder, member };
}

export function insertMember(text: string, target: JsonNode, moved: (indent: string) => string): TextEdit[] {
  const last = lastMember(text, target);
  if (last !== undefined) return appendMember(text, last, moved);
  const { eol, unit } = layoutOf(text);
  const { range, properties } = target;
  const member = properties.at(-1);
  const outer = indentationAt(text, range.offset);
  if (member !== undefined) return [{ offset: endOf(member), length: 0, text: `, ${moved(outer)}` }];
  const inner = outer + unit;
  const isOneLine = !text.slice(range.offset, range.offset + range.length).includes('\n');
  return [
    { offset: range.offset + 1, length: 0, text: `${eol}${inner}${moved(inner)}${isOneLine ? eol + outer : ''}` },
  ];
}

interface LastMember {
  readonly start: number;
  readonly end: number;
}

/** @returns the last member of a container that is written on several lines */
export function lastMember(text: string, { range, items, properties }: JsonNode): LastMember | undefined {
  const value = items.at(-1) ?? properties.at(-1)?.value;
  if (value === undefined || !text.slice(range.offset, range.offset + range.length).includes('\n')) return undefined;
  const start = properties.at(-1)?.keyRange.offset ?? value.range.offset;
  return { start, end: value.range.offset + value.range.length };
}

/**
 * Adds a line after the last member. jsonc-parser's `modify` would reformat the previous member and move comments to other
 * lines.
 * @param write the new member, for a line of this indentation
 */
export function appendMember(text: string, { start, end }: LastMember, write: (indent: string) => string): TextEdit[] {
  const gap = gapAt(text, end);
  const hasComma = text[end + gap.length] === ',';
  const afterComma = hasComma ? end + gap.length + 1 : end;
  // A comment on the same line belongs to the previous member.
  const remark = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(afterComma))?.[0] ?? '';
  const indent = indentationAt(text, start);
  const line = `${layoutOf(text).eol}${indent}${write(indent)}${hasComma ? ',' : ''}`;
  const offset = afterComma + remark.length;
  // Edits at one offset would be of no certain order.
  if (hasComma || offset === end) return [{ offset, length: 0, text: hasComma ? line : `,${line}` }];
  return [
    { offset: end, length: 0, text: ',' },
    { offset, length: 0, text: line },
  ];
}

/** Removes a member with its line and one comma. Comments stay. */
export function removeMember(text: string, { properties }: JsonNode, member: JsonProperty): TextEdit[] {
  const end = endOf(member);
  const comma = commaAfter(text, end);
  const start = member.keyRange.offset;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const isOnOwnLine = line.trim() === '';
  const from = start - (line.length - line.trimEnd().length);
  const cut = (to: number): TextEdit => {
    const lineEnd = isOnOwnLine ? (/^[ \t]*\r?\n/.exec(text.slice(to))?.[0].length ?? 0) : 0;
    return { offset: from, length: to + lineEnd - from, text: '' };
  };
  if (comma === end) return [cut(end + 1)];
  if (comma !== undefined)
    return [
      { offset: from, length: end - from, text: '' },
      { offset: comma, length: 1, text: '' },
    ];
  const before = properties[properties.indexOf(member) - 1];
  const previous = before === undefined ? undefined : commaAfter(text, endOf(before));
  return [...(previous === undefined ? [] : [{ offset: previous, length: 1, text: '' }]), cut(end)];
}

function commaAfter(text: string, offset: number): number | undefined {
  const place = offset + gapAt(text, offset).length;
  return text[place] === ',' ? place : undefined;
}

function endOf({ value: { range } }: JsonProperty): number {
  return range.offset + range.length;
}
