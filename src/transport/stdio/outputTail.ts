/** Keeps the last part of a text that arrives line by line. */
export interface OutputTail {
  add(line: string): void;
  /** The last characters up to the limit; lines are joined by line feeds. */
  readonly text: string;
}

/** An empty {@link OutputTail}. @param limit maximum UTF-16 code units */
export function createOutputTail(limit: number): OutputTail {
  let text = '';
  return {
    get text() {
      return text.slice(-limit);
    },
    add(line) {
      text = text === '' ? line : `${text}\n${line}`;
      // Cut rarely, so that many short lines stay cheap.
      if (text.length > limit * 4) text = text.slice(-limit);
    },
  };
}
