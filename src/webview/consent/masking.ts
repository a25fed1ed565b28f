import type { ConsentMark } from '../../shared/consentMessages.ts';
import { createTextEditor, type TextEditor, type TextEditorOptions } from '../textEditor.ts';

/**
 * What is masked of a request, and its text fields, which show the masks; nothing at first. The extension masks the rest of the
 * request.
 */
export class Masking {
  /** Indexes of the marks that are masked. */
  readonly masked = new Set<number>();
  readonly #marks: readonly Pick<ConsentMark, 'value' | 'mask'>[];
  readonly #editors = new Map<TextEditor, { readonly original: string; state: MaskedText }>();

  constructor(marks: readonly ConsentMark[]) {
    // A text field changes every line break to \n.
    this.#marks = marks.map(({ value, mask }) => ({ value: value.replaceAll(/\r\n?/g, '\n'), mask }));
  }

  /** @param marks their indexes */
  change(marks: readonly number[], isMasked: boolean): void {
    for (const index of marks) {
      if (isMasked) this.masked.add(index);
      else this.masked.delete(index);
    }
    const unmasked = new Set(isMasked ? [] : marks);
    for (const [editor, { state }] of this.#editors)
      this.#show(editor, maskText(unmaskText(state, unmasked), this.#marks, this.masked));
  }

  /** A text field that shows what is masked; whatever the person writes, no masked text is left in it. */
  createEditor(options: TextEditorOptions): TextEditor {
    const editor = createTextEditor({
      ...options,
      onChange: () => {
        const state = this.#editors.get(editor)?.state;
        const { value } = editor.area;
        if (state !== undefined && value !== state.text)
          this.#show(editor, maskText(followEdit(state, value), this.#marks, this.masked));
      },
    });
    const text = editor.area.value;
    this.#editors.set(editor, { original: text, state: { text, ranges: [] } });
    return editor;
  }

  #show(editor: TextEditor, state: MaskedText): void {
    const { area, element } = editor;
    const known = this.#editors.get(editor);
    if (known === undefined) return;
    known.state = state;
    if (area.value !== state.text) {
      // The person writes at the end of what is masked while they write.
      const caret = area.value.length - (area.selectionEnd ?? 0);
      area.value = state.text;
      const position = Math.max(0, state.text.length - caret);
      area.setSelectionRange(position, position);
      area.dispatchEvent(new Event('input'));
    }
    // "Undo Changes" does not take masks away: it is offered for what the person wrote.
    const everything = new Set(state.ranges.map(({ mark }) => mark));
    element.classList.toggle('only-masked', unmaskText(state, everything).text === known.original);
  }
}

/** A text to mask: `value` is replaced by `mask`. Marks without a value mask nothing. */
export interface Maskable {
  readonly value: string;
  readonly mask: string;
}

interface MaskedRange {
  readonly start: number;
  readonly end: number;
  /** Index of its mark. */
  readonly mark: number;
  readonly original: string;
}

/** A text as it is shown, and what is masked in it; the ranges are in order and do not overlap. */
export interface MaskedText {
  readonly text: string;
  readonly ranges: readonly MaskedRange[];
}

/** @returns the text after the person changed it to `text`: a mask that they changed is a text like any other */
export function followEdit(before: MaskedText, text: string): MaskedText {
  const same = { start: commonStart(before.text, text), end: commonEnd(before.text, text) };
  const shift = text.length - before.text.length;
  const ranges: MaskedRange[] = [];
  for (const range of before.ranges) {
    const isBefore = range.end <= same.start;
    if (!isBefore && range.start < before.text.length - same.end) continue;
    const moved = isBefore ? range : { ...range, start: range.start + shift, end: range.end + shift };
    // Where one of two equal masks was removed, each could be the one that is left.
    if (moved.start >= (ranges.at(-1)?.end ?? 0)) ranges.push(moved);
  }
  return { text, ranges };
}

/** Masks all occurrences of the chosen marks. @param chosen indexes in `marks` */
export function maskText(state: MaskedText, marks: readonly Maskable[], chosen: ReadonlySet<number>): MaskedText {
  return rebuild(
    state,
    (text) => maskPlain(text, marks, chosen),
    (piece) => piece,
  );
}

/** Brings back what these marks have masked. */
export function unmaskText(state: MaskedText, unmasked: ReadonlySet<number>): MaskedText {
  return rebuild(
    state,
    (text) => [{ text }],
    (piece) => (unmasked.has(piece.mark) ? { text: piece.original } : piece),
  );
}

type MaskedPiece = Pick<MaskedRange, 'mark' | 'original'> & { readonly text: string };
type Piece = MaskedPiece | { readonly text: string };

/** Puts a text together again, of what its parts become. */
function rebuild(
  { text, ranges }: MaskedText,
  ofPlain: (text: string) => readonly Piece[],
  ofMasked: (piece: MaskedPiece) => Piece,
): MaskedText {
  // There may be more pieces than a call takes arguments.
  const pieces: Piece[] = [];
  let from = 0;
  for (const range of ranges) {
    for (const piece of ofPlain(text.slice(from, range.start))) pieces.push(piece);
    pieces.push(ofMasked({ ...range, text: text.slice(range.start, range.end) }));
    from = range.end;
  }
  for (const piece of ofPlain(text.slice(from))) pieces.push(piece);
  const moved: MaskedRange[] = [];
  let end = 0;
  for (const piece of pieces) {
    const start = end;
    end += piece.text.length;
    if ('mark' in piece) moved.push({ start, end, mark: piece.mark, original: piece.original });
  }
  return { text: pieces.map((piece) => piece.text).join(''), ranges: moved };
}

/** Occurrences that overlap get one mask, so that no end of a secret is left. */
function maskPlain(text: string, marks: readonly Maskable[], chosen: ReadonlySet<number>): readonly Piece[] {
  const hits = [...chosen].flatMap((mark) => occurrences(text, marks[mark]?.value ?? '', mark));
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const pieces: Piece[] = [];
  let from = 0;
  for (let index = 0; index < hits.length;) {
    const { start, mark } = hits[index] ?? { start: 0, mark: 0 };
    let { end } = hits[index] ?? { end: 0 };
    for (index += 1; (hits[index]?.start ?? Infinity) < end; index += 1) end = Math.max(end, hits[index]?.end ?? end);
    const masked = { text: marks[mark]?.mask ?? '', mark, original: text.slice(start, end) };
    pieces.push({ text: text.slice(from, start) }, masked);
    from = end;
  }
  return [...pieces, { text: text.slice(from) }];
}

function occurrences(text: string, value: string, mark: number): { start: number; end: number; mark: number }[] {
  const found: { start: number; end: number; mark: number }[] = [];
  if (value === '') return found;
  for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length))
    found.push({ start, end: start + value.length, mark });
  return found;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}
