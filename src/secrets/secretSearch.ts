import { decodeBase64, decodeHex, decodeNumbers, PlacedBytes } from './encodedBytes.ts';
import { decodeEscapes, decodeMail, hasNewEscape, removeHidden } from './escapes.ts';
import { DecodedBuilder, DecodedText, type TextRange } from './decodedText.ts';
import { foldText, packText } from './foldedText.ts';
import { extended, isByChance, rangeOf, withPunctuation } from './foundRanges.ts';
import { isWorthFinding, type KnownSecret } from './knownValues.ts';
import { minimumNeedleLength, type Needle, NeedleIndex } from './needles.ts';
import { runNow, type Steps } from './steps.ts';
import { formsOf, literalForms, type ValueForm, type WholeValue } from './valueForms.ts';

/** A known secret in a text, as it is written there. */
export interface SecretHit extends TextRange {
  readonly secret: KnownSecret;
}

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
  /** Says so if there were too many secrets, or forms of them: the others are only found as they are. */
  readonly left: readonly string[];
}

const searchLimits = { known: 2_000, forms: 20_000 } as const;

/** Characters that are decoded at once, and how many of them again with the next ones: a secret may lie across. */
const searchWindow = { length: 65_536, overlap: 8_192 } as const;

/** Characters that may be searched for each one of a text, in all that it decodes to. */
const maximumShare = 10;
/** The same for a short text. */
const minimumBudget = 30_000;
/** Encodings inside of each other that are decoded. */
const maximumDepth = 4;
/** What a stopped {@link NeedleIndex.search} costs, in characters. */
const stopCost = 50_000;

const preparedAtOnce = 50;

interface Owner {
  readonly secret: KnownSecret;
  readonly form: ValueForm;
}

export function createSecretSearch(secrets: readonly KnownSecret[], findsShort = false): SecretSearch {
  return runNow(prepareSecretSearch(secrets, findsShort));
}

/** @param findsShort also looks for values that are short or common: for texts in which each of them may be hidden */
export function* prepareSecretSearch(secrets: readonly KnownSecret[], findsShort = false): Steps<SecretSearch> {
  const needles: Record<ValueForm['kind'], Needle<Owner>[]> = { folded: [], packed: [], exact: [] };
  let count = 0;
  for (const [index, secret] of secrets.entries()) {
    if (index % preparedAtOnce === preparedAtOnce - 1) yield;
    if (!findsShort && !isWorthFinding(secret.value)) continue;
    const isLeft = index >= searchLimits.known || count > searchLimits.forms;
    const forms = isLeft ? literalForms(secret.value) : formsOf(secret.value, minimumNeedleLength);
    if (!isLeft) count += forms.length;
    for (const form of forms) needles[form.kind].push({ text: form.text, owner: { secret, form } });
  }
  const { known, forms } = searchLimits;
  const others = 'the others were only looked for as they are';
  const left = [
    ...(secrets.length > known ? [`There are more than ${known} known secrets: ${others}`] : []),
    ...(count > forms ? [`The known secrets have more than ${forms} forms: ${others}`] : []),
  ];
  yield;
  const folded = new NeedleIndex(needles.folded);
  yield;
  const packed = needles.packed.length > 0 ? new NeedleIndex(needles.packed) : undefined;
  yield;
  const exact = needles.exact.length > 0 ? new NeedleIndex(needles.exact) : undefined;
  const lengths = Object.values(needles).flatMap((list) => list.map(({ text }) => text.length));
  const shortest = lengths.reduce((least, length) => Math.min(least, length), Infinity);
  return { left, search: (text) => searchWindows(text, { folded, packed, exact, shortest }) };
}

interface SecretIndex {
  readonly folded: NeedleIndex<Owner>;
  readonly packed: NeedleIndex<Owner> | undefined;
  readonly exact: NeedleIndex<Owner> | undefined;
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

class WindowSearch {
  readonly hits: SecretHit[] = [];
  isWhole = true;
  readonly #index: SecretIndex;
  /**
   * The texts that were searched, with their places, and how deep they were: escapes inside of each other decode to the same in any
   * order. The same text at another place is another copy.
   */
  readonly #searched = new Map<string, number>();
  #budget: number;

  constructor(index: SecretIndex, length: number) {
    this.#index = index;
    this.#budget = Math.max(minimumBudget, length * maximumShare);
  }

  /** @param isMail given by {@link decodeMail}: the escapes that were there before are decoded elsewhere, then the mail */
  *search(given: DecodedText, depth: number, isMail = false): Steps<void> {
    const { shortest, packed, exact } = this.#index;
    if (given.length < shortest) return;
    const { start, end } = given.inOriginal(0, given.length);
    const key = `${start} ${end} ${given.text}`;
    if ((this.#searched.get(key) ?? Infinity) <= depth) return;
    this.#searched.set(key, depth);
    if (!this.#spend(given.length)) return;
    if (given.length > searchWindow.overlap) yield;
    // Letters and digits have no hidden characters between them.
    const visible = (packed === undefined && exact === undefined ? undefined : removeHidden(given)) ?? given;
    yield* this.#find(visible);
    if (depth === maximumDepth) return;
    const unescaped = isMail && !hasNewEscape(given) ? undefined : decodeEscapes(visible);
    if (unescaped !== undefined) yield* this.search(unescaped, depth + 1);
    const fromMail = decodeMail(visible);
    if (fromMail !== undefined) yield* this.search(fromMail, depth + 1, true);
    for (const decode of [decodeBase64, decodeHex, decodeNumbers, decodeDump])
      for (const inner of decode(visible, shortest)) yield* this.search(inner, depth + 1);
  }

  #spend(characters: number): boolean {
    this.#budget -= characters;
    if (this.#budget < 0) this.isWhole = false;
    return this.#budget >= 0;
  }

  *#find(decoded: DecodedText): Steps<void> {
    const { folded, packed, exact } = this.#index;
    yield* this.#findFolded(folded, decoded);
    if (packed !== undefined) yield* this.#findPacked(packed, decoded);
    if (exact === undefined) return;
    yield* this.#findIn(exact, decoded.text, (start, end, owner) => this.#add(decoded, { start, end }, owner));
  }

  *#findFolded(index: NeedleIndex<Owner>, decoded: DecodedText): Steps<void> {
    const letters = foldText(decoded.codes);
    // Where the last one of each value ends: what lies in it needs no second look.
    const ends = new Map<WholeValue, number>();
    yield* this.#findIn(index, letters.text, (start, end, owner) => {
      const { part } = owner.form;
      if (part === undefined) return;
      const last = ends.get(part.whole) ?? 0;
      if (end <= last) return;
      const found = extended(letters.text, { start, end }, part, last);
      ends.set(part.whole, found.end);
      const range = rangeOf(letters, found, decoded.codes);
      this.#add(decoded, withPunctuation(decoded.text, range, found), owner);
    });
  }

  *#findPacked(index: NeedleIndex<Owner>, decoded: DecodedText): Steps<void> {
    const packed = packText(decoded.codes);
    yield* this.#findIn(index, packed.text, (start, end, owner) => {
      const range = rangeOf(packed, { start, end }, decoded.codes);
      if (!isByChance(owner.form.text, decoded.text.slice(range.start, range.end))) this.#add(decoded, range, owner);
    });
  }

  *#findIn(
    index: NeedleIndex<Owner>,
    text: string,
    found: (start: number, end: number, owner: Owner) => void,
  ): Steps<void> {
    for (let position = 0; position < text.length;) {
      position = index.search(text, position, text.length, found);
      if (position >= text.length || !this.#spend(stopCost)) return;
      yield;
    }
  }

  #add(decoded: DecodedText, { start, end }: TextRange, { secret }: Owner): void {
    this.hits.push({ ...decoded.inOriginal(start, end), secret });
  }
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

/**
 * A line of `xxd`, `hexdump -C` or `od -tx1`: where its bytes are in a file, the bytes, and mostly the same as text. Two blanks end
 * the bytes, or are in the middle of sixteen.
 */
const dumpLine =
  /^[ \t>+-]{0,20}[0-9a-f]{6,16}:?[ \t]{1,4}((?:[0-9a-f]{2} ){8} (?:[0-9a-f]{2}(?: |$)){1,8}|(?:(?:[0-9a-f]{2}){1,4}(?: |$)){1,16}).{0,200}/gim;

function* decodeDump(source: DecodedText): Generator<DecodedText> {
  const bytes = new PlacedBytes();
  for (const match of source.text.matchAll(dumpLine)) {
    const [line, digits = ''] = match;
    const from = match.index + line.indexOf(digits, line.search(/[0-9a-f]{6}/i) + 6);
    // The text at the end of the line has the same in it.
    const end = match.index + line.length;
    for (const { 0: pair, index } of digits.matchAll(/[0-9a-f]{2}/gi))
      bytes.add(Number.parseInt(pair, 16), from + index, end);
  }
  if (bytes.length === 0) return;
  const builder = new DecodedBuilder(source, bytes.length * 2);
  bytes.flush(builder);
  yield builder.built();
}
