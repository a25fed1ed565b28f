import { lazyPattern } from './memoize.ts';

/*
 * Tokens without a vocabulary. A text is cut into the pieces that o200k cuts it into (openai/tiktoken, tiktoken_ext/openai_public.py,
 * o200k_base), and each piece counts for what pieces of its kind and length took on average in lists of tools and in prose.
 * A test holds the sums against o200k.
 */

const suffix = "(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?";
const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const before = '[^\\r\\n\\p{L}\\p{N}]?';

const pieces = lazyPattern(
  [
    `(${before})(${upper}*${lower}+${suffix})`,
    `(${before})(${upper}+${lower}*${suffix})`,
    '\\p{N}{1,3}',
    ' ?([^\\s\\p{L}\\p{N}]+)[\\r\\n/]*',
    '\\s*[\\r\\n]+',
    '\\s+(?!\\S)',
    '\\s+',
  ].join('|'),
  'gu',
);

const ascii = /^[\0-\x7f]*$/;
const capitals = /^[A-Z]{3,}$/;
/** Scripts in which a character is about a word or a syllable. */
const dense = lazyPattern('[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]', 'u');
const latin = lazyPattern('\\p{sc=Latin}', 'u');

/** Tokens of a word by its length; longer ones grow by {@link perLetter}. */
const words = [0, 1, 1, 1.03, 1, 1.02, 1.03, 1.04, 1.14, 1.25, 1.28, 1.32, 1.45];
const spacedWords = [0, 1, 1, 1, 1, 1, 1.02, 1.03, 1.1, 1.12, 1.16, 1.2, 1.25];
/** After a mark such as `"` or `_`, which is a token of its own before most long words. */
const markedWords = [0, 1, 1.01, 1.2, 1.2, 1.5, 1.2, 1.6, 1.8, 2, 2.05, 2.1, 2.2];
const signs = [0, 1, 1.03, 1.04, 1.26, 2, 2.6, 3.2];
const perLetter = 0.3;
const perSign = 0.4;

/** Estimates the tokens of a text as o200k counts them, within a tenth for lists of tools and English prose. Linear. */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const piece of text.matchAll(pieces())) {
    const word = piece[2] ?? piece[4];
    const mark = piece[1] ?? piece[3];
    if (word !== undefined) tokens += wordTokens(word, mark ?? '');
    else if (piece[5] === undefined) tokens += 1;
    else tokens += signTokens(piece[5]);
  }
  return Math.ceil(tokens);
}

function wordTokens(word: string, mark: string): number {
  if (!ascii.test(word)) return foreignTokens(word);
  const { length } = word;
  if (capitals.test(word) && length > 4) return length * 0.28 + (mark === '' || mark === ' ' ? 0 : 0.5);
  if (mark === '') return at(words, length, perLetter);
  return at(mark === ' ' ? spacedWords : markedWords, length, perLetter);
}

function foreignTokens(word: string): number {
  if (dense().test(word)) return word.length * 0.6;
  return latin().test(word) ? 1 + word.length * 0.14 : 0.4 + word.length * 0.16;
}

function signTokens(run: string): number {
  return ascii.test(run) ? at(signs, run.length, perSign) : run.length * 0.9;
}

function at(table: readonly number[], length: number, step: number): number {
  const last = table.length - 1;
  return table[length] ?? (table[last] ?? 1) + (length - last) * step;
}
