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
export function maskText(
  { text, ranges }: MaskedText,
  marks: readonly Maskable[],
  chosen: ReadonlySet<number>,
): MaskedText {
  const builder = createBuilder();
  let from = 0;
  for (const range of ranges) {
    addMasked(builder, text.slice(from, range.start), marks, chosen);
    builder.addMasked(text.slice(range.start, range.end), range);
    from = range.end;
  }
  addMasked(builder, text.slice(from), marks, chosen);
  return builder.built();
}

/** Brings back what these marks have masked. */
export function unmaskText({ text, ranges }: MaskedText, unmasked: ReadonlySet<number>): MaskedText {
  const builder = createBuilder();
  let from = 0;
  for (const range of ranges) {
    builder.add(text.slice(from, range.start));
    if (unmasked.has(range.mark)) builder.add(range.original);
    else builder.addMasked(text.slice(range.start, range.end), range);
    from = range.end;
  }
  builder.add(text.slice(from));
  return builder.built();
}

interface Builder {
  add(piece: string): void;
  addMasked(piece: string, range: Pick<MaskedRange, 'mark' | 'original'>): void;
  built(): MaskedText;
}

function createBuilder(): Builder {
  const pieces: string[] = [];
  const ranges: MaskedRange[] = [];
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  return {
    add,
    addMasked(piece, { mark, original }) {
      ranges.push({ start: length, end: length + piece.length, mark, original });
      add(piece);
    },
    built: () => ({ text: pieces.join(''), ranges }),
  };
}

/** Adds a text without masks to the builder. Occurrences that overlap get one mask, so that no end of a secret is left. */
function addMasked(builder: Builder, text: string, marks: readonly Maskable[], chosen: ReadonlySet<number>): void {
  const hits = [...chosen].flatMap((mark) => occurrences(text, marks[mark]?.value ?? '', mark));
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  let from = 0;
  for (let index = 0; index < hits.length;) {
    const { start, mark } = hits[index] ?? { start: 0, mark: 0 };
    let { end } = hits[index] ?? { end: 0 };
    for (index += 1; (hits[index]?.start ?? Infinity) < end; index += 1) end = Math.max(end, hits[index]?.end ?? end);
    builder.add(text.slice(from, start));
    builder.addMasked(marks[mark]?.mask ?? '', { mark, original: text.slice(start, end) });
    from = end;
  }
  builder.add(text.slice(from));
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
