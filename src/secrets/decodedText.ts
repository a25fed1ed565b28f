export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the characters of a decoded text come from: character `i` stands for `starts[i]` to `ends[i]` of `text`. */
interface Source {
  readonly text: DecodedText;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** An original text, or one that was decoded from another one. */
export class DecodedText {
  readonly codes: Uint16Array;
  readonly #source: Source | undefined;
  #text: string | undefined;

  constructor(codes: Uint16Array, source?: Source) {
    this.codes = codes;
    this.#source = source;
  }

  static of(text: string): DecodedText {
    const codes = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at);
    const original = new DecodedText(codes);
    original.#text = text;
    return original;
  }

  get length(): number {
    return this.codes.length;
  }

  get text(): string {
    return (this.#text ??= textOfCodes(this.codes));
  }

  /** True for a character that stands for several ones of the text that it was decoded from. */
  isDecoded(at: number): boolean {
    return this.#source !== undefined && (this.#source.ends[at] ?? 0) - (this.#source.starts[at] ?? 0) > 1;
  }

  /** @returns the part of the original that a part of this text stands for. @param end greater than `start` */
  inOriginal(start: number, end: number): TextRange {
    if (this.#source === undefined) return { start, end };
    const { text, starts, ends } = this.#source;
    return text.inOriginal(starts[start] ?? 0, ends[end - 1] ?? 0);
  }
}

export class DecodedBuilder {
  readonly #source: DecodedText;
  readonly #codes: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;

  /** @param maximum characters of the decoded text */
  constructor(source: DecodedText, maximum: number) {
    this.#source = source;
    this.#codes = new Uint16Array(maximum);
    this.#starts = new Uint32Array(maximum);
    this.#ends = new Uint32Array(maximum);
  }

  /** Adds one code unit that stands for a part of the source. */
  add(code: number, start: number, end: number): void {
    const at = this.#length;
    this.#codes[at] = code;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#length = at + 1;
  }

  addPoint(point: number, start: number, end: number): void {
    if (point < 0x10000) return this.add(point, start, end);
    this.add(0xd800 + ((point - 0x10000) >> 10), start, end);
    this.add(0xdc00 + ((point - 0x10000) & 0x3ff), start, end);
  }

  /** Adds a part of the source as it is. */
  copy(start: number, end: number): void {
    const { codes } = this.#source;
    for (let at = start; at < end; at += 1) this.add(codes[at] ?? 0, at, at + 1);
  }

  built(): DecodedText {
    const codes = this.#codes.subarray(0, this.#length);
    return new DecodedText(codes, { text: this.#source, starts: this.#starts, ends: this.#ends });
  }
}

/** Code units that `String.fromCharCode` takes at once. */
const unitsAtOnce = 4_096;

/** @returns code units as text, lone surrogates included */
export function textOfCodes(codes: Uint16Array): string {
  let text = '';
  for (let from = 0; from < codes.length; from += unitsAtOnce)
    text += String.fromCharCode.apply(undefined, codes.subarray(from, from + unitsAtOnce) as unknown as number[]);
  return text;
}
