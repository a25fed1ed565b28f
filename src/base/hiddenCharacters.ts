import type { UnknownRecord } from './json.ts';
import { codeOf, readableText, replaceHidden } from './visibleText.ts';
import table from './hiddenCharacters.json' with { type: 'json' };

/** A part of a text for display: plain, or hidden characters with the mark to show for them. */
export type TextPiece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'hidden'; readonly mark: string; readonly name: string };

interface HiddenRun {
  readonly start: number;
  end: number;
  /** The character, or the first of a run of tags or selectors. */
  readonly first: string;
  readonly kind: ReturnType<typeof kindOfCode>;
  count: number;
}

const names: Readonly<Record<string, string>> = table;

/** Maximum number of marks in one text; the rest is one piece with its hidden characters escaped. */
const maximumRuns = 1_000;
/** How much of a value is searched for hidden characters: members, and characters of one text. */
const searchLimits = { members: 2_000, characters: 20_000 };
/** Maximum characters of a hidden message that is shown. */
const maximumMessageLength = 200;

/** @returns at most about 2,000 pieces, with marks for hidden characters; a run of the same character is one piece */
export function splitHidden(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const run of runsOf(text, maximumRuns)) {
    if (run.start > start) pieces.push({ kind: 'plain', text: text.slice(start, run.start) });
    pieces.push({ kind: 'hidden', ...describeRun(text, run) });
    start = run.end;
  }
  if (start < text.length) pieces.push({ kind: 'plain', text: readableText(text.slice(start)) });
  return pieces;
}

/**
 * Lists the hidden characters of `text`, each kind once: "U+202E right-to-left override (2 times)". Tags and variation
 * selectors that encode a message are listed with that message.
 * @returns an empty list for ordinary text
 */
export function describeHidden(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const run of runsOf(text, Number.POSITIVE_INFINITY)) {
    const label = `${codeOf(run.first)} ${describeRun(text, run).name}`;
    counts.set(label, (counts.get(label) ?? 0) + (run.kind === undefined ? run.count : 1));
  }
  return Array.from(counts, ([label, count]) => (count === 1 ? label : `${label} (${count} times)`));
}

/** {@link describeHidden} for all texts in a JSON value, names included, within {@link searchLimits}. */
export function describeHiddenIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [value];
  for (const next of waiting) {
    if (typeof next === 'string') texts.push(next.slice(0, searchLimits.characters));
    else if (typeof next === 'object' && next !== null && waiting.length < searchLimits.members) {
      for (const [name, member] of Object.entries(next as UnknownRecord).slice(0, searchLimits.members)) {
        texts.push(name);
        waiting.push(member);
      }
    }
  }
  return describeHidden(texts.join(' '));
}

function runsOf(text: string, maximum: number): readonly HiddenRun[] {
  const runs: HiddenRun[] = [];
  replaceHidden(text, (hidden, index) => {
    const last = runs.at(-1);
    const end = index + hidden.length;
    const kind = kindOfCode(hidden);
    if (last?.end === index && (last.first === hidden || (kind !== undefined && last.kind === kind))) {
      last.end = end;
      last.count += 1;
    } else if (runs.length < maximum) runs.push({ start: index, end, first: hidden, kind, count: 1 });
    return '';
  });
  return runs;
}

/** Runs of such characters can encode a message. */
function kindOfCode(character: string): 'tag character' | 'variation selector' | undefined {
  if (/[\u{E0000}-\u{E007F}]/u.test(character)) return 'tag character';
  return /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u.test(character) ? 'variation selector' : undefined;
}

function describeRun(text: string, { first, kind, start, end, count }: HiddenRun): { mark: string; name: string } {
  const code = codeOf(first);
  const mark = count === 1 ? code : `${code} ×${count}`;
  if (kind === undefined)
    return { mark, name: names[code] ?? (/\p{Cc}/u.test(first) ? 'control character' : 'invisible character') };
  const message = decodeMessage(text.slice(start, end));
  const name = count === 1 ? `invisible ${kind}` : `and on, ${count} invisible ${kind}s`;
  return message === ''
    ? { mark, name }
    : { mark: `hidden text “${message}”`, name: `${name}, which spell “${message}”` };
}

/** Decodes a message of tag characters (one for each ASCII character) or variation selectors (one for each byte). */
function decodeMessage(run: string): string {
  let message = '';
  for (const character of run.slice(0, maximumMessageLength * 2)) {
    const byte = byteOf(character.codePointAt(0) ?? 0);
    if (byte >= 0x20 && byte < 0x7f) message += String.fromCharCode(byte);
  }
  return message;
}

function byteOf(code: number): number {
  if (code >= 0xe0100) return code - 0xe0100 + 16;
  return code >= 0xe0000 ? code - 0xe0000 : code - 0xfe00;
}
