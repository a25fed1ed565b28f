import { lazyPattern, memoize } from './memoize.ts';
import { isPrintable, withoutHidden } from './visibleText.ts';
import confusables from './lookAlike.json' with { type: 'json' };

/**
 * Letters that look like ASCII letters, from Unicode's confusables (UTS #39, section 4), as far as they occur in names:
 * Cyrillic, Greek, Armenian, Cherokee and some Latin. Styled letters (full width, bold) are not listed: NFKC maps them.
 */
const plainLetters = memoize(
  (): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(confusables).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
    ),
);
const confusable = memoize(() => new RegExp(`[${[...plainLetters().keys()].join('').replace('-', '\\-')}]`, 'gu'));

const scripts: readonly (readonly [string, () => RegExp])[] =
  'Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Telugu Thai Georgian Armenian Ethiopic Cherokee'
    .split(' ')
    .map((script) => [script, lazyPattern(`\\p{Script=${script}}`)]);

/** Combinations of scripts that the "highly restrictive" profile allows (UTS #39, section 5.2). */
const allowedScriptMixes: readonly (() => RegExp)[] = [
  '\\p{Script=Hiragana}\\p{Script=Katakana}',
  '\\p{Script=Hangul}',
  '\\p{Script=Bopomofo}',
].map((others) => lazyPattern(`^[\\p{Script=Latin}\\p{Script=Han}${others}]*$`));
const ofEachScript = lazyPattern('[\\p{Script=Common}\\p{Script=Inherited}]', 'gu');
const betweenWords = lazyPattern('[^\\p{L}\\p{M}\\p{N}]+');

/** For each ASCII character, the one that stands for it in {@link skeletonOf}; 0 for a space. */
const skeletonCodes = memoize(() =>
  Uint8Array.from({ length: 0x7f }, (_, code) => skeletonOf(String.fromCharCode(code)).charCodeAt(0)),
);
const [codeOfM, codeOfN, codeOfR, codeOfV, codeOfW] = [0x6d, 0x6e, 0x72, 0x76, 0x77] as const;

/**
 * A fast check for long lists, which makes no text for a name: each gets a hash that is equal for equal skeletons.
 * @returns true when all names are printable ASCII and none of them looks like another; false also in doubt
 */
export function areDistinct(names: readonly string[]): boolean {
  const codes = skeletonCodes();
  const hashes = new Set<number>();
  for (const name of names) {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let index = 0; index < name.length; index += 1) {
      const code = name.charCodeAt(index);
      if (code < 0x20 || code > 0x7e) return false;
      let letter = codes[code] ?? 0;
      if (letter === 0) continue;
      // As a skeleton has "m" for "rn", and "w" for "vv".
      if (letter === codeOfM || letter === codeOfW) {
        hash = Math.imul(hash ^ (letter === codeOfM ? codeOfR : codeOfV), 0x01000193);
        letter = letter === codeOfM ? codeOfN : codeOfV;
      }
      hash = Math.imul(hash ^ letter, 0x01000193);
    }
    hashes.add(hash);
  }
  return hashes.size === names.length;
}

/** @returns a key that is equal for names that look alike, ignoring case (a "skeleton", UTS #39, section 4). Not for display. */
export function skeletonOf(name: string): string {
  const plain = isPrintable(name)
    ? name.replace(/[1|I]/g, 'l').replaceAll('0', 'o')
    : withoutHidden(name.normalize('NFKC')).replace(confusable(), (letter) => plainLetters().get(letter) ?? letter);
  return plain.toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w').trim();
}

/** True when a word mixes scripts in a way that no writing system does. */
export function mixesScripts(word: string): boolean {
  if (isPrintable(word)) return false;
  const letters = word.replace(ofEachScript(), '');
  if (allowedScriptMixes.some((allowed) => allowed().test(letters))) return false;
  const [first] = letters;
  const script = scripts.find(([, pattern]) => first !== undefined && pattern().test(first))?.[1]();
  return script === undefined || Array.from(letters).some((letter) => !script.test(letter));
}

/** @returns a note for each name that can be confused with another one: "looks like “github”, has Cyrillic letters" */
export function describeLookAlikes(names: readonly string[]): ReadonlyMap<string, string> {
  if (areDistinct(names)) return new Map();
  // Nearly all names have a skeleton of their own: a group is made for the second name that shares one.
  const first = new Map<string, string>();
  const groups = new Map<string, Set<string>>();
  for (const name of names) {
    const skeleton = skeletonOf(name);
    const known = first.get(skeleton);
    if (known === undefined) first.set(skeleton, name);
    else if (known !== name) groups.set(skeleton, (groups.get(skeleton) ?? new Set([known])).add(name));
  }
  const notes = new Map<string, string>();
  for (const [skeleton, alone] of first) {
    const group = groups.get(skeleton);
    if (group === undefined && isPrintable(alone)) continue;
    const all = [...(group ?? [alone])];
    const plain = all.filter(isPrintable).slice(0, 2);
    for (const name of all) {
      // A name in ASCII imitates no name with other letters.
      const candidates = isPrintable(name) ? plain : [...plain, ...all.slice(0, 2)];
      const other = candidates.find((candidate) => candidate !== name);
      const words = [...(other === undefined ? [] : [`looks like “${other}”`]), ...describeLetters(name)];
      if (words.length > 0) notes.set(name, words.join(', '));
    }
  }
  return notes;
}

function describeLetters(name: string): readonly string[] {
  if (isPrintable(name)) return [];
  if (!name.split(betweenWords()).some(mixesScripts)) return [];
  const found = scripts.filter(([, pattern]) => pattern().test(name)).map(([script]) => script);
  const foreign = found.filter((script) => script !== 'Latin');
  return [`has ${foreign.length === 0 ? 'letters of several alphabets' : `${foreign.join(' and ')} letters`}`];
}
