// Controls, format characters (zero width, direction), separators, private use, unassigned, lone surrogates, spaces that
// are not U+0020, and letters that are drawn as nothing (Hangul fillers, the empty Braille pattern, variation selectors).
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?! )\p{Zs}/gu;

/** Writes every character that cannot be seen, or that changes how others are seen, as `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** True when `text` holds something that {@link visibleText} would write out. */
export function hasHiddenCharacters(text: string): boolean {
  return visibleText(text) !== text;
}

/**
 * One argument of a command line for a person to judge: hidden characters visible, and in quotes wherever its beginning,
 * its end or its being one argument would not be plain to see.
 */
export function quoteArgument(text: string): string {
  const visible = visibleText(text);
  return /^[\p{L}\p{N}_@%+=:,./\\~^-]+$/u.test(visible) ? visible : `"${visible.replaceAll('"', '\\"')}"`;
}
