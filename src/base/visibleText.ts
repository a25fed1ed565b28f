/** Printable ASCII hides nothing. Most texts are no more than that, which one look tells. */
const printable = /^[ -~]*$/;

// Controls, format characters (zero width, direction), separators, private use, unassigned, lone surrogates, spaces that
// are not U+0020, and letters that are drawn as nothing (Hangul fillers, the empty Braille pattern, variation selectors).
const hiddenInNames =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?! )\p{Zs}/gu;

// What draws nothing, or changes how its neighbours are drawn: controls, everything Unicode calls ignorable, and the marks
// that reorder text (CVE-2021-42574). The first part is the flags of England, Scotland and Wales, spelled with tags.
const hiddenInProse =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\u2028\u2029\u2800\uFFF9-\uFFFB]/gu;

/**
 * Writes every character that cannot be seen, or that changes how others are seen, as `⟨U+202E⟩`: for names, addresses,
 * paths and commands, in which none of them has a place.
 */
export function visibleText(text: string): string {
  return printable.test(text) ? text : text.replaceAll(hiddenInNames, markOf);
}

/** True when `text` holds something that {@link visibleText} would write out. */
export function hasHiddenCharacters(text: string): boolean {
  return visibleText(text) !== text;
}

/**
 * The same for text to be read, in which line breaks, tabs, wide blanks, emoji, and the joiners inside words of scripts
 * that are written with them, are as ordinary as letters.
 */
export function readableText(text: string): string {
  return replaceHidden(text, markOf);
}

/** The same as JSON writes it, `\\u202e`: in JSON, of which the text stays what it was. */
export function escapeHidden(text: string): string {
  return replaceHidden(text, (hidden) => {
    const units = Array.from({ length: hidden.length }, (_, index) => hidden.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Replaces each hidden character of a text to be read: what {@link readableText} would write out. */
export function replaceHidden(text: string, replace: (hidden: string, index: number) => string): string {
  if (printable.test(text)) return text;
  return text.replaceAll(hiddenInProse, (found, index: number) =>
    isOrdinary(found, text, index) ? found : replace(found, index),
  );
}

/** Without the colours of terminals, which change nothing but how a text looks. Other commands to a terminal stay to be seen. */
export function withoutTerminalColours(text: string): string {
  return text.replace(colours, '');
}

/** `text` without its hidden characters. */
export function withoutHidden(text: string): string {
  return replaceHidden(text, () => '');
}

/**
 * One argument of a command line for a person to judge: hidden characters visible, and in quotes wherever its beginning,
 * its end or its being one argument would not be plain to see.
 */
export function quoteArgument(text: string): string {
  const visible = visibleText(text);
  return /^[\p{L}\p{N}_@%+=:,./\\~^-]+$/u.test(visible) ? visible : `"${visible.replaceAll('"', '\\"')}"`;
}

/** `U+202E`, as Unicode writes it. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function markOf(character: string): string {
  return `⟨${codeOf(character)}⟩`;
}

const colours = /\u001b\[[\d;:]*m/g;
const pictographBefore = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u;
const pictographAfter = /^\p{Extended_Pictographic}/u;
/** Scripts whose words are spelled with joiners: Persian, and most of South Asia. */
const joiningLetter =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const joiningBefore = new RegExp(`${joiningLetter}$`, 'u');
const joiningAfter = new RegExp(`^${joiningLetter}`, 'u');

/** Told by what stands right beside it, so that a second one in a row, or one that joins nothing, is hidden text again. */
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
      return /\p{Extended_Pictographic}$/u.test(before) || (/[\d#*]$/.test(before) && after.startsWith('\u20E3'));
    case '\u200C':
      return joiningBefore.test(before) && joiningAfter.test(after);
    case '\u200D':
      return pictographBefore.test(before)
        ? pictographAfter.test(after)
        : joiningBefore.test(before) && joiningAfter.test(after);
    default:
      return false;
  }
}
