export interface TextFilter {
  /** @returns what of the text so far can be passed on */
  push(piece: string): string;
  /** @returns what was held back */
  end(): string;
}

/**
 * Ends a text before the first of `sequences` that is complete, as a model does that stops there. Providers that know stop
 * sequences have done so already; some take only a few of them, and the Responses API takes none.
 */
export class StopFilter implements TextFilter {
  readonly #wanted: readonly string[];
  #held = '';
  /** A stop sequence was found: it and what follows are not passed on. */
  isStopped = false;

  constructor(sequences: readonly string[]) {
    this.#wanted = [...new Set(sequences)].filter((sequence) => sequence !== '');
  }

  push(piece: string): string {
    if (this.isStopped) return '';
    const text = this.#held + piece;
    const stop = findStop(text, this.#wanted);
    this.isStopped = stop !== undefined;
    const end = stop ?? text.length - lengthOfBeginning(text, this.#wanted);
    this.#held = this.isStopped ? '' : text.slice(end);
    return text.slice(0, end);
  }

  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** @returns where the sequence begins that is complete first, the longest of several that end there */
function findStop(text: string, sequences: readonly string[]): number | undefined {
  const found = sequences
    .map((sequence) => ({ start: text.indexOf(sequence), length: sequence.length }))
    .filter(({ start }) => start >= 0)
    .toSorted((a, b) => a.start + a.length - (b.start + b.length) || a.start - b.start);
  return found[0]?.start;
}

/** @returns how many characters at the end of `text` may be the beginning of one of `sequences` */
function lengthOfBeginning(text: string, sequences: readonly string[]): number {
  const lengths = sequences.map((sequence) => {
    for (let length = Math.min(sequence.length - 1, text.length); length > 0; length -= 1) {
      if (text.endsWith(sequence.slice(0, length))) return length;
    }
    return 0;
  });
  return Math.max(0, ...lengths);
}

const opening = '<think>';
const closing = '</think>';

/**
 * Leaves out the thoughts with which the answers of some local models begin, between `<think>` and `</think>`, where the
 * server that runs them does not tell them apart.
 */
export class ThoughtFilter implements TextFilter {
  #state: 'beginning' | 'thoughts' | 'blanks' | 'answer' = 'beginning';
  #held = '';

  push(piece: string): string {
    let text = this.#held + piece;
    this.#held = '';
    if (this.#state === 'beginning') {
      const begun = text.trimStart();
      if (begun.length < opening.length && opening.startsWith(begun)) return this.#hold(text);
      this.#state = begun.startsWith(opening) ? 'thoughts' : 'answer';
    }
    if (this.#state === 'thoughts') {
      const end = text.indexOf(closing);
      if (end < 0) return this.#hold(text.slice(-(closing.length - 1)));
      text = text.slice(end + closing.length);
      this.#state = 'blanks';
    }
    // The empty lines after the thoughts may still come.
    if (this.#state === 'blanks') text = text.trimStart();
    if (text !== '') this.#state = 'answer';
    return text;
  }

  end(): string {
    if (this.#state === 'thoughts') return '';
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  #hold(text: string): string {
    this.#held = text;
    return '';
  }
}
