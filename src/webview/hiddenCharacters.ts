/** A stretch of text as it should be drawn: plain, or one hidden character by its code point. */
export type TextPiece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'hidden'; readonly code: string; readonly name: string };

/**
 * Characters that draw nothing, or change how their neighbours are drawn: controls, everything Unicode calls ignorable,
 * the marks that reorder text (CVE-2021-42574), invisible tags, and a few blanks that look like nothing at all.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u2028\u2029\u2800\uFFF9-\uFFFB]/gu;

const names: Readonly<Record<string, string>> = {
  '00AD': 'soft hyphen',
  '061C': 'Arabic letter mark',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'end of embedding',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'end of isolate',
  FEFF: 'zero width no-break space',
};

/** Splits `text` so that nothing in it stays unseen. Line breaks, tabs and the joiners inside emoji are plain. */
export function splitHidden(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const match of text.matchAll(hidden)) {
    const [character] = match;
    if (isOrdinary(character, text, match.index)) continue;
    if (match.index > start) pieces.push({ kind: 'plain', text: text.slice(start, match.index) });
    pieces.push(describe(character));
    start = match.index + character.length;
  }
  if (start < text.length) pieces.push({ kind: 'plain', text: text.slice(start) });
  return pieces;
}

/** `text` without its hidden characters. */
export function withoutHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => (piece.kind === 'plain' ? piece.text : ''))
    .join('');
}

/** `text` with its hidden characters written out, for where no element can be put. */
export function markHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => (piece.kind === 'plain' ? piece.text : `[U+${piece.code}]`))
    .join('');
}

/** Each hidden character of `text` once, with how often it stands there; empty for ordinary text. */
export function summarizeHidden(text: string): readonly { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const piece of splitHidden(text)) {
    if (piece.kind !== 'hidden') continue;
    const label = `U+${piece.code} ${piece.name}`;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].map(([label, count]) => ({ label, count }));
}

function isOrdinary(character: string, text: string, index: number): boolean {
  if (character === '\n' || character === '\t' || (character === '\r' && text[index + 1] === '\n')) return true;
  const before = text.slice(Math.max(0, index - 2), index);
  // A variation selector or a joiner directly after a pictograph is how emoji are written.
  if (character === '\uFE0F') return /[\p{Extended_Pictographic}\p{Emoji}]$/u.test(before);
  return character === '\u200D' && /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u.test(before);
}

function describe(character: string): TextPiece {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    kind: 'hidden',
    code,
    name: names[code] ?? (/\p{Cc}/u.test(character) ? 'control character' : 'invisible character'),
  };
}
