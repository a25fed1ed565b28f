import { lazyPattern } from './memoize.ts';
import { truncateWithEllipsis } from './truncate.ts';

const printable = /^[ -~]*$/;

/** True for printable ASCII, which has no hidden characters and one line. Most texts are only that: a fast check. */
export function isPrintable(text: string): boolean {
  return printable.test(text);
}

// Controls, format characters (zero width, direction), separators, private use, unassigned, lone surrogates, spaces that
// are not U+0020, and letters that are drawn as nothing (Hangul fillers, the empty Braille pattern, variation selectors).
const hiddenInNames = lazyPattern(
  '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Cs}\\u115F\\u1160\\u17B4\\u17B5\\u2800\\u3164\\uFFA0\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]|(?! )\\p{Zs}',
  'gu',
);

// Characters that are invisible or change how others are displayed: controls, default ignorable code points, and bidirectional
// controls (CVE-2021-42574). The first part matches the flags of England, Scotland and Wales, which are encoded with tags.
const hiddenInProse = lazyPattern(
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}|[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cc}\\p{Cs}\\u2028\\u2029\\u2800\\uFFF9-\\uFFFB]',
  'gu',
);

/**
 * Escapes every character that is invisible, or changes how others are displayed, as `⟨U+202E⟩`: for names, addresses,
 * paths and commands, which should have none of them.
 */
export function visibleText(text: string): string {
  return isPrintable(text) ? text : text.replaceAll(hiddenInNames(), markOf);
}

export function hasHiddenCharacters(text: string): boolean {
  return visibleText(text) !== text;
}

/** The same for prose, in which line breaks, tabs, emoji, and joiners in words of scripts that need them are ordinary. */
export function readableText(text: string): string {
  return replaceHidden(text, markOf);
}

/** {@link readableText} for a text that is JSON: escapes as `\\u202e`, so that the value stays the same. */
export function escapeHidden(text: string): string {
  return replaceHidden(text, (hidden) => {
    const units = Array.from({ length: hidden.length }, (_, index) => hidden.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Replaces each character that {@link readableText} escapes. */
export function replaceHidden(text: string, replace: (hidden: string, index: number) => string): string {
  if (isPrintable(text)) return text;
  return text.replaceAll(hiddenInProse(), (found, index: number) =>
    isOrdinary(found, text, index) ? found : replace(found, index),
  );
}

/** Removes the colour codes of terminals. Other escape sequences stay, so that they are visible. */
export function withoutTerminalColours(text: string): string {
  return text.replace(colours, '');
}

export function withoutHidden(text: string): string {
  return replaceHidden(text, () => '');
}

/** One argument of a command line for review: quoted when it would otherwise not be clear where it begins and ends. */
export function quoteArgument(text: string): string {
  const visible = visibleText(text);
  return unambiguousArgument().test(visible) ? visible : `"${visible.replaceAll('"', '\\"')}"`;
}

/** @returns the code point of a character as `U+202E` */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function markOf(character: string): string {
  return `⟨${codeOf(character)}⟩`;
}

const colours = /\u001b\[[\d;:]*m/g;
const unambiguousArgument = lazyPattern('^[\\p{L}\\p{N}_@%+=:,./\\\\~^-]+$');
const pictographBefore = lazyPattern('[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]$');
const pictographAfter = lazyPattern('^\\p{Extended_Pictographic}');
const pictographAtEnd = lazyPattern('\\p{Extended_Pictographic}$');
/** Scripts whose words are spelled with joiners: Persian, and most of South Asia. */
const joiningLetter =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const joiningBefore = lazyPattern(`${joiningLetter}$`);
const joiningAfter = lazyPattern(`^${joiningLetter}`);

/** Decides by the adjacent characters, so that a joiner that joins nothing, or a second one in a row, still counts as hidden. */
function isOrdinary(found: string, text: string, index: number): boolean {
  // A flag, matched as a whole.
  if (found.length > 2) return true;
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + 1, index + 3);
  switch (found) {
    case '\n':
    case '\t':
      return true;
    case '\r':
      return after.startsWith('\n');
    case '\uFE0E':
    case '\uFE0F':
      return pictographAtEnd().test(before) || (/[\d#*]$/.test(before) && after.startsWith('\u20E3'));
    case '\u200C':
      return joiningBefore().test(before) && joiningAfter().test(after);
    case '\u200D':
      return pictographBefore().test(before)
        ? pictographAfter().test(after)
        : joiningBefore().test(before) && joiningAfter().test(after);
    default:
      return false;
  }
}

const nameLength = 200;

/** A name of a server for attributes, messages and options: in one line, nothing hidden, not too long. */
export function shownName(name: string): string {
  return name === '' ? '(empty name)' : truncateWithEllipsis(visibleText(name), nameLength);
}
