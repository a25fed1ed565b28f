import { exactMember, rounded } from './exactIntegers.ts';
import { limits } from './limits.ts';
import { truncate, truncateWithCount, formatCount } from './truncate.ts';

/** The displayed part of a JSON value: plain data of bounded size and depth, for rendering, printing or a webview message. */
export type JsonPreview =
  /** A string, number, boolean or null as JSON. `left`: characters of a string that were cut off. */
  | { readonly kind: 'leaf'; readonly text: string; readonly type: string; readonly left: number }
  /** `size`: number of members of the value; `members` may have fewer. */
  | {
      readonly kind: 'object' | 'array';
      readonly size: number;
      readonly members: readonly { readonly name?: string; readonly value: JsonPreview }[];
    };

export interface JsonPreviewLimits {
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Members altogether. */
  readonly members: number;
  /** Characters altogether, with indentation, and of one string. */
  readonly characters: number;
  readonly text: number;
}

/**
 * Takes the part of a JSON value that fits within `bounds`. Breadth first, so that one deep or long member does not displace
 * its siblings. Works for any depth and size; reads only what it takes.
 * @returns `used`: how much of the limits was used
 */
export function previewJson(whole: unknown, bounds: JsonPreviewLimits = limits.shown.json) {
  let { members: membersLeft, characters: charactersLeft } = bounds;
  let isTruncated = false;
  const waiting: { readonly from: Iterable<Member>; readonly shown: PreviewMembers; readonly depth: number }[] = [];
  const json = take(whole, 0);
  // The list grows during the loop: breadth first.
  for (const { from, shown, depth } of waiting) fill(from, shown, depth);
  const used = { members: bounds.members - membersLeft, characters: bounds.characters - charactersLeft };
  return { json, isTruncated, used };

  function take(value: unknown, depth: number): JsonPreview {
    if (typeof value === 'string') return takeText(value);
    if (typeof value !== 'object' || value === null)
      return { kind: 'leaf', text: leafText(value), type: typeof rounded(value), left: 0 };
    const shown: PreviewMembers = [];
    const names = namesOf(value);
    const size = Array.isArray(value) ? value.length : names.length;
    if (depth < bounds.depth) waiting.push({ from: membersOf(value, names), shown, depth: depth + 1 });
    else if (size > 0) isTruncated = true;
    return { kind: Array.isArray(value) ? 'array' : 'object', size, members: shown };
  }

  function takeText(text: string): JsonPreview {
    const kept = truncate(text, Math.max(0, Math.min(bounds.text, charactersLeft)));
    const left = text.length - kept.length;
    charactersLeft -= kept.length;
    if (left > 0) isTruncated = true;
    return { kind: 'leaf', text: leafText(kept), type: 'string', left };
  }

  function fill(from: Iterable<Member>, shown: PreviewMembers, depth: number): void {
    for (const { name, value } of from) {
      if (membersLeft <= 0 || charactersLeft <= 0) {
        isTruncated = true;
        return;
      }
      membersLeft -= 1;
      charactersLeft -= 2 * depth + 4 + (name?.length ?? 0);
      const shownName = name === undefined ? {} : { name: truncateWithCount(name, bounds.text) };
      shown.push({ ...shownName, value: take(value, depth) });
    }
  }
}

type PreviewMembers = { readonly name?: string; readonly value: JsonPreview }[];

/** @returns the preview as JSON, with an ellipsis for omitted parts. @param indent spaces for each level; 0: one line */
export function printPreview(json: JsonPreview, indent = 2): string {
  const parts: string[] = [];
  print(json, indent === 0 ? '' : '\n', ' '.repeat(indent), parts);
  return parts.join('');
}

/**
 * Serializes a JSON value of any depth and size in pieces, so that the caller can yield to the event loop in between.
 * @returns pieces of JSON, indented for up to 20 levels: beyond, indentation would be most of the text
 */
export function* writeJsonInPieces(value: unknown): Generator<string, void, undefined> {
  const open: OpenValue[] = [];
  let piece = beginValue(value, open);
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const next = inner.members.next();
    const line = `\n${'  '.repeat(Math.min(open.length - (next.done === true ? 1 : 0), 20))}`;
    if (next.done === true) {
      piece += `${inner.isEmpty ? '' : line}${inner.closing}`;
      open.pop();
    } else {
      const { name, value: member } = next.value;
      if (member === undefined) continue;
      piece += `${inner.isEmpty ? '' : ','}${line}${name === undefined ? '' : `${JSON.stringify(name)}: `}`;
      inner.isEmpty = false;
      piece += beginValue(member, open);
    }
    if (piece.length >= minimumPieceLength) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

const minimumPieceLength = 65_536;

interface Member {
  readonly name: string | undefined;
  readonly value: unknown;
}

interface OpenValue {
  readonly members: Iterator<Member>;
  readonly closing: string;
  isEmpty: boolean;
}

/** @returns the opening text of a value; an object or array is pushed to `open` */
function beginValue(value: unknown, open: OpenValue[]): string {
  if (typeof value !== 'object' || value === null) return leafText(value);
  const isList = Array.isArray(value);
  open.push({ members: membersOf(value), closing: isList ? ']' : '}', isEmpty: true });
  return isList ? '[' : '{';
}

/** @param names keys of an object; listing those of a large one takes time, so the caller does it once */
function* membersOf(value: object, names: readonly string[] = namesOf(value)): Generator<Member, void, undefined> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield { name: undefined, value: exactMember(value, index) };
  } else for (const name of names) yield { name, value: exactMember(value, name) };
}

function leafText(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
}

function namesOf(value: object): readonly string[] {
  return Array.isArray(value) ? [] : Object.keys(value);
}

function print(json: JsonPreview, line: string, step: string, parts: string[]): void {
  if (json.kind === 'leaf') {
    parts.push(json.left === 0 ? json.text : `${json.text}… (${formatCount(json.left)} more characters)`);
    return;
  }
  const { kind, size, members } = json;
  const inner = `${line}${step}`;
  parts.push(kind === 'array' ? '[' : '{');
  for (const [index, { name, value }] of members.entries()) {
    parts.push(
      index === 0 ? inner : `,${inner}`,
      name === undefined ? '' : `${leafText(name)}:${step === '' ? '' : ' '}`,
    );
    print(value, inner, step, parts);
  }
  if (members.length < size) parts.push(inner, omittedMembersText(size - members.length, members.length === 0));
  parts.push(size === 0 ? '' : line, kind === 'array' ? ']' : '}');
}

/** @returns the text in place of omitted members. @param isAll none of the members is shown */
export function omittedMembersText(count: number, isAll: boolean): string {
  return `… ${formatCount(count)}${isAll ? '' : ' more'}, not shown`;
}
