import { limits } from '../../base/limits.ts';
import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { groupedByName } from '../../secrets/jsonTexts.ts';
import {
  createKeyFinder,
  type FindKeys,
  findPrivateKeys,
  type FoundRange,
  type LoadKeyRules,
} from '../../secrets/keyFormats.ts';
import type { KnownSecrets } from '../../secrets/knownValues.ts';
import { createMasker } from '../../secrets/masker.ts';
import { prepareSecretSearch } from '../../secrets/secretSearch.ts';
import { runPaused } from '../../secrets/steps.ts';
import { joinTexts, MarkList, type SearchableText, type SecretMark } from './secrets/markList.ts';
import { createPathFinder } from './secrets/outsidePaths.ts';
import { hasMoreMembers, mapRequestTexts, type TextPlace } from './secrets/requestTexts.ts';

export type { SecretMark } from './secrets/markList.ts';

export interface SecretFinderOptions {
  /** The values that no request of this server may contain unseen: those of all servers, since one can pass on another's. */
  readonly known: (server: string) => Promise<KnownSecrets> | KnownSecrets;
  /** Absolute paths of the folders that the server knows about. */
  readonly roots: (server: string) => readonly string[];
  readonly home: string | undefined;
  /** Called with the first request. */
  readonly loadKeyRules: LoadKeyRules;
  /** Lets other work run, and resolves soon: called between pieces of work of a few milliseconds. */
  readonly pause: () => Promise<void>;
}

export type SecretFinder = ReturnType<typeof createSecretFinder>;

export interface SecretSearch extends Pick<SecretFinderOptions, 'home' | 'pause'> {
  readonly known: KnownSecrets;
  readonly roots: readonly string[];
  readonly findKeys: FindKeys;
}

/** Characters that are searched at once by patterns, which take at most about 15 ms, and how many of them again in the next window. */
const searchWindow = { length: 16_384, overlap: 4_096 };

/** The limits of one search. A longer request cannot be shown as a whole, so no person can approve it either. */
export const secretLimits = {
  characters: limits.shown.review.characters,
  texts: limits.shown.review.members * 2,
  members: limits.shown.review.members,
} as const;

/** Characters of a marked text that {@link maskStart} compares, at once and without a pause. */
const comparedAtStart = 1_000;

/** Loads the patterns of keys with the first request. */
export function createSecretFinder(options: SecretFinderOptions) {
  const { known, roots, home, loadKeyRules, pause } = options;
  let findKeys: FindKeys | undefined;
  return {
    async find(request: SamplingRequest, server: string): Promise<readonly SecretMark[]> {
      findKeys ??= await createKeyFinder(loadKeyRules);
      return findSecrets(request, { known: await known(server), roots: roots(server), home, findKeys, pause });
    },
    mask: (request: SamplingRequest, marks: readonly SecretMark[]): Promise<SamplingRequest> =>
      maskSecrets(request, marks, pause),
  };
}

/**
 * Searches all that the provider of a model would receive as text; see `mapRequestTexts`. See `SecretSearch` for the ways in which
 * a known secret may be written. Text in images, audio and other base64 data is not read.
 * @returns the marks, those of known secrets first; values that are too short or common are not looked for: `isWorthFinding`
 */
export async function findSecrets(request: SamplingRequest, search: SecretSearch): Promise<readonly SecretMark[]> {
  const isTooLarge = hasMoreMembers(request, secretLimits.members);
  const { texts, isWhole } = collectTexts(isTooLarge ? textsOf(request) : request);
  const joined = await joinTexts(texts, search.pause);
  const marks = new MarkList();
  await findKnown([joined, ...(await joinParts(texts, search.pause))], search, marks);
  const findPaths = createPathFinder(search.roots, search.home);
  for (const window of windowsOf(joined.text)) {
    const { start, text } = window;
    const blocks = findPrivateKeys(joined.text, start, start + text.length);
    const keys = search.findKeys(text).flatMap((range) => placeInText(range, window));
    for (const range of withoutInner([...blocks, ...keys])) marks.add('keyFormat', range, joined);
    for (const range of findPaths(text).flatMap((found) => placeInText(found, window)))
      marks.add('outsidePath', range, joined);
    await search.pause();
  }
  if (!search.known.isWhole) marks.note('Not all .env files could be read: their values were not looked for');
  if (isTooLarge) marks.note('The request has too many parts: only the texts of its messages were searched');
  if (!isWhole) marks.note('The request is too long: its end was not searched');
  return marks.list();
}

/**
 * Replaces every occurrence of the marked texts by `[masked: …]`, in texts and in names of members. It leaves ids and the names
 * of tools, which tie a call and its result together, and base64 data.
 * @param pause see {@link SecretFinderOptions.pause}
 * @throws an error for a request with more members than a person can review, which cannot be approved either
 */
export async function maskSecrets(
  request: SamplingRequest,
  marks: readonly SecretMark[],
  pause: () => Promise<void>,
): Promise<SamplingRequest> {
  if (hasMoreMembers(request, secretLimits.members)) throw new Error('The request has too many parts to mask it.');
  const masker = createMasker(marks);
  const masked = new Map<string, string>();
  const visit = (text: string): string => (masked.set(text, text), text);
  mapRequestTexts(request, { isDone: false, visit });
  let work = 0;
  for (const text of masked.keys()) {
    masked.set(text, await masker.mask(text, pause));
    work += text.length + 20;
    if (work < searchWindow.length) continue;
    work = 0;
    await pause();
  }
  await pause();
  return mapRequestTexts(request, {
    isDone: false,
    visit: (text, { isMaskable }) => (isMaskable ? (masked.get(text) ?? text) : text),
  });
}

/** {@link maskSecrets} for one short text, such as a preview. */
export function maskText(text: string, marks: readonly SecretMark[]): string {
  return createMasker(marks).maskNow(text);
}

/**
 * {@link maskText} for the first `length` characters of a text of any length, such as a record of the audit log. A marked text
 * that goes on after them is masked whole: no part of it is left.
 * @returns at most `length` characters
 */
export function maskStart(text: string, marks: readonly SecretMark[], length: number): string {
  return createMasker(marks, comparedAtStart).maskStart(text, length);
}

interface PlacedText {
  readonly text: string;
  readonly place: TextPlace;
  /** See `TextVisitor`. */
  readonly member: string | undefined;
}

/** The texts of messages alone, which the audit log may record even if the request is refused. */
function textsOf({ messages, maxTokens }: SamplingRequest): SamplingRequest {
  const only = messages.map(({ role, content }) => ({
    role,
    content: content.flatMap((block) => (block.type === 'text' ? [{ type: block.type, text: block.text }] : [])),
  }));
  return { messages: only, maxTokens };
}

/** @returns `isWhole` false if the request has more than {@link secretLimits} */
function collectTexts(request: SamplingRequest) {
  const texts: PlacedText[] = [];
  let left: number = secretLimits.characters;
  let isWhole = true;
  mapRequestTexts(request, {
    get isDone() {
      return !isWhole;
    },
    visit(text, place, member) {
      isWhole = text.length <= left && texts.length < secretLimits.texts;
      texts.push({ text: text.slice(0, left), place, member });
      left -= text.length;
      return text;
    },
  });
  return { texts, isWhole };
}

/**
 * What a model reads as one text, without what is between, as a secret may be split: over neighbouring blocks and messages, over
 * the values of a call or result, and over those of members with the same name.
 */
async function joinParts(texts: readonly PlacedText[], pause: () => Promise<void>): Promise<readonly SearchableText[]> {
  const prose = texts.filter(({ place }) => place.isProse);
  const values = texts.filter(({ place, member }) => place.isMaskable && member !== undefined);
  await pause();
  const byName = groupedByName(values, ({ member }) => member ?? '');
  await pause();
  const joined: SearchableText[] = [];
  let previous = texts;
  for (const part of [values, byName, prose]) {
    if (part.length < 2 || isSameList(part, previous)) continue;
    joined.push(await joinTexts(part, pause));
    previous = part;
  }
  return joined;
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

async function findKnown(
  joined: readonly SearchableText[],
  { known, pause }: SecretSearch,
  marks: MarkList,
): Promise<void> {
  const secretSearch = await runPaused(prepareSecretSearch(known.secrets), pause);
  await pause();
  for (const searched of joined) {
    const { hits, isWhole } = await runPaused(secretSearch.search(searched.text), pause);
    for (const { secret, start, end } of hits) marks.add(secret.kind, { what: secret.what, start, end }, searched);
    if (!isWhole) marks.note('A part has too many encodings inside of each other: not all of it was searched');
  }
  for (const note of secretSearch.left) marks.note(note);
}

interface TextWindow {
  readonly text: string;
  readonly start: number;
  readonly isLast: boolean;
}

function* windowsOf(text: string): Generator<TextWindow> {
  const { length, overlap } = searchWindow;
  for (let start = 0; start === 0 || start + overlap < text.length; start += length - overlap)
    yield { text: text.slice(start, start + length), start, isLast: start + length >= text.length };
}

/** A range of a window as a range of the whole text; none if the next window shows more of it. */
function placeInText(range: FoundRange, { start, text, isLast }: TextWindow): readonly FoundRange[] {
  const isCut = !isLast && range.end === text.length && range.start >= text.length - searchWindow.overlap;
  return isCut ? [] : [{ what: range.what, start: start + range.start, end: start + range.end }];
}

/** Without ranges inside of others: a bearer token is often a JSON Web Token too. */
function withoutInner(ranges: readonly FoundRange[]): readonly FoundRange[] {
  const kept: FoundRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || range.end > last.end) kept.push(range);
  }
  return kept;
}
