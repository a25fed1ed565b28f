import { exactMember } from '../../base/exactIntegers.ts';
import { isRecord, toJsonText } from '../../base/json.ts';
import { firstDifference, isSameJson, type JsonDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import { limits } from '../../base/limits.ts';
import { formatCount, truncateWithEllipsis } from '../../base/truncate.ts';
import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { JsonTexts } from './jsonViews.ts';

/** What a result of a tool says twice: in its texts and in its structured content. */
export interface Repetition {
  /** Indexes of the texts that say nothing that is not in the structured content, and are read as well there. */
  readonly texts: ReadonlySet<number>;
  /** The structured content says nothing but what texts say, which are better to read. */
  readonly isStructuredRepeated: boolean;
  /** A sentence on the first difference, if no text agrees with the structured content. */
  readonly disagreement?: string | undefined;
}

export interface SaidText {
  readonly text: string;
  /** What it says, if it is JSON. */
  readonly value?: object | undefined;
}

/** What the blocks of a result of a tool say as JSON, and what is said twice. */
export interface Readings extends Repetition {
  readonly values: readonly (object | undefined)[];
}

/** Members of the structured content that texts are compared with, items of a list in it, and members of all those values. */
const compared = { members: 20, items: 100, altogether: 500_000 };

/** Characters of a text that is as well read as a value in a tree. */
const shortText = 200;

/** Characters of a path, and of a value, in a sentence. */
const disagreementBounds = { path: 200, value: 100 };

const nothingRepeated: Repetition = { texts: new Set(), isStructuredRepeated: false };

/** Reads the blocks that can be shown. */
export function readBlocks(result: CallToolResult): Readings {
  const blocks = result.content.slice(0, limits.shown.result.blocks);
  const texts = new JsonTexts();
  const values = blocks.map((block) => texts.read(block));
  const said = blocks.map((block, index) =>
    block.type === 'text' ? { text: block.text, value: values[index] } : undefined,
  );
  return { values, ...findRepetition(said, result) };
}

/**
 * Compares texts with the structured content, which they should repeat (2025-06-18, "Structured Content"). Servers also repeat
 * only a member of it; libraries wrap what is no object, and give each item of a list a text of its own.
 * @param blocks in their order; `undefined` for those that are no text
 */
export function findRepetition(
  blocks: readonly (SaidText | undefined)[],
  { structuredContent: structured, isError }: Pick<CallToolResult, 'structuredContent' | 'isError'>,
): Repetition {
  if (structured === undefined) return nothingRepeated;
  const names = isRecord(structured) ? Object.keys(structured) : [];
  const members: readonly unknown[] = isRecord(structured)
    ? names.slice(0, compared.members).map((name) => exactMember(structured, name))
    : [structured];
  const [only] = names.length > 1 ? [] : members;
  const items = Array.isArray(only) ? only.slice(0, compared.items).map((_, index) => exactMember(only, index)) : [];
  const isSame = createComparison();
  const isInside = (value: object): boolean => [structured, ...members, ...items].some((part) => isSame(value, part));

  const said = blocks.flatMap((block) => block ?? []);
  const wrapped = Array.isArray(only) && only.length === items.length ? items : [only];
  const isStructuredRepeated = wrapped.length > 0 && wrapped.every((part, index) => isLeafOf(part, said[index]?.text));
  const texts = new Set<number>();
  for (const [index, block] of blocks.entries()) {
    if (block === undefined || isStructuredRepeated) continue;
    const { text, value } = block;
    const isShort = text.length <= shortText && !text.includes('\n');
    const isRepeated = value === undefined ? isShort && !isError && members.includes(text) : isInside(value);
    if (isRepeated) texts.add(index);
  }
  if (isStructuredRepeated || texts.size > 0) return { texts, isStructuredRepeated };
  return { ...nothingRepeated, disagreement: describeDisagreement(said, structured, members) };
}

/** True if a text is all of a value that has no members. */
function isLeafOf(value: unknown, text: string | undefined): boolean {
  if (typeof value === 'string') return value === text;
  return value !== undefined && typeof value !== 'object' && toJsonText(value) === text;
}

function createComparison(): (left: unknown, right: unknown) => boolean {
  const room = { members: compared.altogether };
  return (left, right) => isSameJson(left, right, room);
}

function describeDisagreement(
  said: readonly SaidText[],
  structured: unknown,
  members: readonly unknown[],
): string | undefined {
  const first = said.find(({ value }) => value !== undefined)?.value;
  if (first === undefined || said.some(({ text }) => members.includes(text))) return undefined;
  const difference = firstDifference(first, structured);
  return difference && sentenceOf(difference);
}

function sentenceOf({ path, left, right }: JsonDifference): string {
  const place = path.length === 0 ? 'The whole value' : truncateWithEllipsis(jsonPath(path), disagreementBounds.path);
  return `The text and the structured content differ. ${place} is ${wordsOf(left)} in the text and ${wordsOf(right)} in the structured content.`;
}

function wordsOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `a list of ${formatCount(value.length)}`;
  if (isRecord(value)) return 'an object';
  return toJsonText(typeof value === 'string' ? truncateWithEllipsis(value, disagreementBounds.value) : value);
}
