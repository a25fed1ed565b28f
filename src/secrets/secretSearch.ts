import { decodeBase64, decodeHex, decodeNumbers } from './encodedBytes.ts';
import { decodeEscapes, decodeMail, removeHidden } from './escapes.ts';
import { DecodedText, type TextRange } from './decodedText.ts';
import { foldText } from './foldedText.ts';
import { isWorthFinding, type KnownSecret } from './knownValues.ts';
import { createNeedleIndex, type FoundNeedle, minimumNeedleLength, type Needle, type NeedleIndex } from './needles.ts';
import { runNow, type Steps } from './steps.ts';
import { formsOf, type ValueForm } from './valueForms.ts';

/** A known secret in a text, as it is written there. */
export interface SecretHit extends TextRange {
  readonly secret: KnownSecret;
}

/** What a search has found. */
export interface SearchResult {
  /** In order; they do not overlap. */
  readonly hits: readonly SecretHit[];
  /** False if the text has too many encodings inside of each other to be searched: it may hold a secret all the same. */
  readonly isWhole: boolean;
}

/** Finds known secrets, however they are written. */
export interface SecretSearch {
  /** Takes time in proportion to the length of `text`, whatever it is. */
  search(text: string): Steps<SearchResult>;
  /** False if there were too many secrets, or forms of them, to look for. */
  readonly left: readonly string[];
}

/** See {@link createSecretSearch}. */
export interface SecretSearchOptions {
  /** Also looks for values that are short or common: for texts in which each of them may be hidden. */
  readonly findsShort?: boolean;
}

/** The numbers of secrets, and of their forms. */
const searchLimits = { known: 2_000, forms: 20_000 } as const;

/** Characters that are decoded at once, and how many of them again with the next ones: a secret may lie across. */
const searchWindow = { length: 65_536, overlap: 8_192 } as const;

/** Characters that may be searched for each one of a text, in all that it decodes to. */
const maximumShare = 6;
/** The same for a short text. */
const minimumBudget = 20_000;
/** Encodings inside of each other that are decoded. */
const maximumDepth = 4;
/** What a stopped {@link NeedleIndex.search} costs, in characters. */
const stopCost = 50_000;

/** Secrets prepared in one step. */
const preparedAtOnce = 50;

interface Owner {
  readonly secret: KnownSecret;
  readonly form: ValueForm;
}

/** Makes the search at once. */
export function createSecretSearch(secrets: readonly KnownSecret[], options?: SecretSearchOptions): SecretSearch {
  return runNow(prepareSecretSearch(secrets, options));
}

/** Prepares the search for many secrets. */
export function* prepareSecretSearch(
  secrets: readonly KnownSecret[],
  { findsShort = false }: SecretSearchOptions = {},
): Steps<SecretSearch> {
  const needles: Record<ValueForm['kind'], Needle<Owner>[]> = { folded: [], exact: [] };
  let count = 0;
  for (const [index, secret] of secrets.slice(0, searchLimits.known).entries()) {
    if (index % preparedAtOnce === preparedAtOnce - 1) yield;
    if (count > searchLimits.forms) break;
    if (!findsShort && !isWorthFinding(secret.value)) continue;
    for (const form of formsOf(secret.value, minimumNeedleLength)) {
      if ((count += 1) <= searchLimits.forms) needles[form.kind].push({ text: form.text, owner: { secret, form } });
    }
  }
  const { known, forms } = searchLimits;
  const left = [
    ...(secrets.length > known ? [`There are more than ${known} known secrets: the others were not looked for`] : []),
    ...(count > forms ? [`The known secrets have more than ${forms} forms: the others were not looked for`] : []),
  ];
  yield;
  const folded = createNeedleIndex(needles.folded);
  yield;
  const exact = createNeedleIndex(needles.exact);
  const lengths = [...needles.folded, ...needles.exact].map(({ text }) => text.length);
  const shortest = lengths.reduce((least, length) => Math.min(least, length), Infinity);
  const index = { folded, exact, hasExact: needles.exact.length > 0, shortest };
  return { left, search: (text) => searchWindows(text, index) };
}

interface SecretIndex {
  readonly folded: NeedleIndex<Owner>;
  readonly exact: NeedleIndex<Owner>;
  readonly hasExact: boolean;
  /** Characters of the shortest text to look for; infinite if there is none. */
  readonly shortest: number;
}

function* searchWindows(text: string, index: SecretIndex): Steps<SearchResult> {
  const hits: SecretHit[] = [];
  let isWhole = true;
  const { length, overlap } = searchWindow;
  for (let start = 0; text.length - start >= index.shortest; start += length - overlap) {
    const window = text.slice(start, start + length);
    const searched = new WindowSearch(index, window.length);
    yield* searched.search(DecodedText.of(window), 0);
    isWhole &&= searched.isWhole;
    for (const hit of searched.hits) hits.push({ ...hit, start: start + hit.start, end: start + hit.end });
    if (start + length >= text.length) break;
    yield;
  }
  return { hits: merged(hits, text), isWhole };
}

/** The search of one window, in all that it decodes to. */
class WindowSearch {
  readonly hits: SecretHit[] = [];
  isWhole = true;
  readonly #index: SecretIndex;
  #budget: number;

  constructor(index: SecretIndex, length: number) {
    this.#index = index;
    this.#budget = Math.max(minimumBudget, length * maximumShare);
  }

  *search(given: DecodedText, depth: number): Steps<void> {
    const { shortest, hasExact } = this.#index;
    if (given.length < shortest || !this.#spend(given.length)) return;
    if (given.length > searchWindow.overlap) yield;
    // Letters and digits have no hidden characters between them.
    const visible = (hasExact ? removeHidden(given) : undefined) ?? given;
    yield* this.#find(visible);
    if (depth === maximumDepth) return;
    for (const decode of [decodeEscapes, decodeMail]) {
      const decoded = decode(visible);
      if (decoded !== undefined) yield* this.search(decoded, depth + 1);
    }
    for (const decode of [decodeBase64, decodeHex, decodeNumbers])
      for (const inner of decode(visible, shortest)) yield* this.search(inner, depth + 1);
  }

  #spend(characters: number): boolean {
    this.#budget -= characters;
    if (this.#budget < 0) this.isWhole = false;
    return this.#budget >= 0;
  }

  *#find(decoded: DecodedText): Steps<void> {
    const { folded, exact, hasExact } = this.#index;
    const { codes, places } = foldText(decoded.codes);
    yield* this.#findIn(folded, codes, (start, end, owner) => {
      const range = { start: places[start] ?? 0, end: endOf(decoded.codes, places[end - 1] ?? 0) };
      this.#add(decoded, withPunctuation(decoded.text, range, owner.form), owner);
    });
    if (!hasExact) return;
    yield* this.#findIn(exact, decoded.codes, (start, end, owner) => this.#add(decoded, { start, end }, owner));
  }

  *#findIn(index: NeedleIndex<Owner>, codes: Uint16Array, found: FoundNeedle<Owner>): Steps<void> {
    for (let position = 0; position < codes.length;) {
      position = index.searchCodes(codes, position, found);
      if (position >= codes.length) return;
      if (!this.#spend(stopCost)) return;
      yield;
    }
  }

  #add(decoded: DecodedText, { start, end }: TextRange, { secret }: Owner): void {
    this.hits.push({ ...decoded.inOriginal(start, end), secret });
  }
}

/** The end of the character at `at`. */
function endOf(codes: Uint16Array, at: number): number {
  return at + (((codes[at] ?? 0) & 0xfc00) === 0xd800 ? 2 : 1);
}

/** With the punctuation around the letters and digits that belongs to the value, as far as it is there. */
function withPunctuation(text: string, { start, end }: TextRange, { before, after }: ValueForm): TextRange {
  const range = { start, end };
  let at = end;
  for (let index = 0; index < after.length && at < text.length; at += 1) {
    if (text[at] === after[index]) {
      index += 1;
      range.end = at + 1;
    } else if (!/[\s\\"']/.test(text[at] ?? '')) break;
  }
  at = start - 1;
  for (let index = before.length - 1; index >= 0 && at >= 0; at -= 1) {
    if (text[at] === before[index]) {
      index -= 1;
      range.start = at;
    } else if (!/[\s\\"']/.test(text[at] ?? '')) break;
  }
  return range;
}

/** In order, and as one where they overlap, or are parts of one value with nothing but punctuation between them. */
function merged(hits: readonly SecretHit[], text: string): readonly SecretHit[] {
  const kept: { start: number; end: number; secret: KnownSecret }[] = [];
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined) kept.push({ ...hit });
    else if (hit.start < last.end || isOneValue(last, hit, text)) last.end = Math.max(last.end, hit.end);
    else kept.push({ ...hit });
  }
  return kept;
}

/** Long values are looked for in parts. */
function isOneValue(last: SecretHit, next: SecretHit, text: string): boolean {
  const between = next.start - last.end;
  return last.secret === next.secret && between <= 4 && /^[^\p{L}\p{N}]*$/u.test(text.slice(last.end, next.start));
}
