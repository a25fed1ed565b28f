import { withoutHidden } from './visibleText.ts';

/**
 * Letters that look like ASCII letters, from Unicode's confusables (UTS #39, section 4), as far as they occur in names:
 * Cyrillic, Greek, Armenian, Cherokee and some Latin. Styled letters (full width, bold) are not listed: NFKC maps them.
 */
const confusables: Readonly<Record<string, string>> = {
  a: 'аɑα⍺',
  b: 'ьƄвβ',
  c: 'сϲᴄ',
  d: 'ԁꓒ',
  e: 'еҽ℮є',
  f: 'ꞙք',
  g: 'ɡց',
  h: 'һհн',
  i: 'іıɩιɪ',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏӀǀΙІ∣|1I',
  m: 'м',
  n: 'ոп',
  o: 'оοօσ0ჿ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝѡա',
  x: 'хχ×',
  y: 'уγү',
  z: 'ᴢ',
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹᏟ',
  D: 'Ꭰ',
  E: 'ЕΕᎬ',
  G: 'ԌᏀ',
  H: 'НΗᎻ',
  J: 'ЈᎫ',
  K: 'КΚᏦ',
  L: 'Ꮮ',
  M: 'МΜᎷ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡᏢ',
  R: 'Ꭱ',
  S: 'ЅᏚ',
  T: 'ТΤᎢ',
  V: 'ѴᏙ',
  W: 'ԜᎳ',
  X: 'ХΧ',
  Y: 'ҮΥ',
  Z: 'ΖᏃ',
  '-': '‐‑‒–—−',
};

const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);
const confusable = new RegExp(`[${[...plainLetters.keys()].join('').replace('-', '\\-')}]`, 'gu');
const ascii = /^[ -~]*$/;

/** Scripts in which names are written. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Ethiopic', /\p{Script=Ethiopic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
];

/** Combinations of scripts that the "highly restrictive" profile allows (UTS #39, section 5.2). */
const allowedScriptMixes: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
];

/** @returns a key that is equal for names that look alike, ignoring case (a "skeleton", UTS #39, section 4). Not for display. */
export function skeletonOf(name: string): string {
  const plain = ascii.test(name)
    ? name.replace(/[1|I]/g, 'l').replaceAll('0', 'o')
    : withoutHidden(name.normalize('NFKC')).replace(confusable, (letter) => plainLetters.get(letter) ?? letter);
  return plain.toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w').trim();
}

/** True when a word mixes scripts in a way that no writing system does. */
export function mixesScripts(word: string): boolean {
  if (ascii.test(word)) return false;
  const letters = word.replace(/[\p{Script=Common}\p{Script=Inherited}]/gu, '');
  if (allowedScriptMixes.some((allowed) => allowed.test(letters))) return false;
  const [first] = letters;
  const script = scripts.find(([, pattern]) => first !== undefined && pattern.test(first))?.[1];
  return script === undefined || Array.from(letters).some((letter) => !script.test(letter));
}

/**
 * Finds names in one list that can be confused with another one.
 * @returns a short note for each such name: "looks like “github”, has Cyrillic letters"
 */
export function describeLookAlikes(names: readonly string[]): ReadonlyMap<string, string> {
  const bySkeleton = new Map<string, Set<string>>();
  for (const name of names) {
    const skeleton = skeletonOf(name);
    bySkeleton.set(skeleton, (bySkeleton.get(skeleton) ?? new Set()).add(name));
  }
  const notes = new Map<string, string>();
  for (const group of bySkeleton.values()) {
    const all = [...group];
    const plain = all.filter((name) => ascii.test(name)).slice(0, 2);
    for (const name of group) {
      // A name in ASCII imitates no name with other letters.
      const candidates = ascii.test(name) ? plain : [...plain, ...all.slice(0, 2)];
      const other = candidates.find((candidate) => candidate !== name);
      const words = [...(other === undefined ? [] : [`looks like “${other}”`]), ...describeLetters(name)];
      if (words.length > 0) notes.set(name, words.join(', '));
    }
  }
  return notes;
}

function describeLetters(name: string): readonly string[] {
  if (ascii.test(name)) return [];
  if (!name.split(/[^\p{L}\p{M}\p{N}]+/u).some(mixesScripts)) return [];
  const found = scripts.filter(([, pattern]) => pattern.test(name)).map(([script]) => script);
  const foreign = found.filter((script) => script !== 'Latin');
  return [`has ${foreign.length === 0 ? 'letters of several alphabets' : `${foreign.join(' and ')} letters`}`];
}
