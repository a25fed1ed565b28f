import { isRecord, toJsonText } from '../../base/json.ts';
import { firstDifference, type JsonDifference } from '../../base/jsonDifference.ts';
import { jsonPath } from '../../base/jsonPath.ts';
import { formatCount, truncateWithEllipsis } from '../../base/truncate.ts';

/** Characters of a path, and of a value, in a sentence. */
const maximum = { path: 200, value: 100 };

/** True if a text says what the structured content says: the whole of it, as servers should (2025-06-18, "Structured Content"). */
export function isSameJson(text: unknown, structured: unknown): boolean {
  return firstDifference(text, structured) === undefined;
}

/**
 * Says where the texts of a result and its structured content differ first. Libraries wrap what is no object in `result`, and
 * give each item of a list a text of its own: such texts agree.
 * @param values of all texts; `undefined` for one that is no JSON
 * @returns `undefined` if one of them agrees, or if there are none
 */
export function describeDisagreement(values: readonly unknown[], structured: unknown): string | undefined {
  const texts = values.filter((value) => value !== undefined);
  const [first] = texts;
  if (first === undefined) return undefined;
  const accepted = [structured, ...wrappedIn(structured)];
  if (texts.some((text) => accepted.some((value) => isSameJson(text, value)))) return undefined;
  const difference = firstDifference(first, structured);
  return difference && sentenceOf(difference);
}

function wrappedIn(structured: unknown): readonly unknown[] {
  if (!isRecord(structured) || !Object.hasOwn(structured, 'result')) return [];
  if (Object.keys(structured).length !== 1) return [];
  const { result } = structured;
  const items: readonly unknown[] = Array.isArray(result) ? result : [];
  return [result, ...items.slice(0, 100)];
}

function sentenceOf({ path, left, right }: JsonDifference): string {
  const place = path.length === 0 ? 'The whole value' : truncateWithEllipsis(jsonPath(path), maximum.path);
  return `The text and the structured content disagree. ${place} is ${wordsOf(left)} in the text, and ${wordsOf(right)} in the structured content.`;
}

function wordsOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `a list of ${formatCount(value.length)}`;
  if (isRecord(value)) return 'an object';
  return toJsonText(typeof value === 'string' ? truncateWithEllipsis(value, maximum.value) : value);
}
