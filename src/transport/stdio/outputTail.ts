/** Keeps the end of a text that arrives line by line. */
export interface OutputTail {
  add(line: string): void;
  /** The last lines, joined by line feeds, cut at the front to at most the limit. */
  readonly text: string;
}

/** @param limit in UTF-16 units */
export function createOutputTail(limit: number): OutputTail {
  let text = '';
  return {
    get text() {
      return text.slice(-limit);
    },
    add(line) {
      text = text === '' ? line : `${text}\n${line}`;
      // Cut seldom, so that a flood of short lines costs little.
      if (text.length > limit * 4) text = text.slice(-limit);
    },
  };
}
