/** A place in a file that a stack trace of Node.js or Python names. */
export interface StackPlace {
  /** As it stands in the text. */
  readonly text: string;
  /** An absolute path, or a `file:` address. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number | undefined;
}

/** A place that a page draws as a link. A press of it sends the index, never the path. */
export interface ShownPlace {
  /** Among all places of the text. */
  readonly index: number;
  readonly text: string;
}

const maximumCharacters = 20_000;
const maximumPlaces = 50;

const patterns = [
  // Python: File "/x/y.py", line 3
  /File "(?<path>[^"\n]{1,500})", line (?<line>\d{1,7})/g,
  // Node.js: at f (/x/a folder/y.mjs:3:5)
  /(?<=\()(?<path>file:\/\/\/[^()\n]{1,500}?|(?:[A-Za-z]:)?[\\/][^():\n]{1,500}):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?(?=\))/g,
  // Node.js: at file:///x/y.mjs:3:5, and the line above the code that failed
  /(?<![\w\\/.:(])(?<path>file:\/\/\/[^\s"'()<>:]{1,500}|(?:[A-Za-z]:)?[\\/][^\s"'()<>:]{1,500}):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?(?![\w:])/g,
] as const;

/** Finds the places in a text, each once, in the order of the text for each form. The text may be a server's: it is bounded here. */
export function findStackPlaces(text: string): readonly StackPlace[] {
  const start = text.slice(0, maximumCharacters);
  const found = new Map<string, StackPlace>();
  for (const pattern of patterns)
    for (const { 0: whole, groups } of start.matchAll(pattern)) {
      const { path = '', line, column } = groups ?? {};
      if (found.size >= maximumPlaces) break;
      if (!found.has(whole))
        found.set(whole, {
          text: whole,
          path,
          line: Number(line),
          column: column === undefined ? undefined : Number(column),
        });
    }
  return [...found.values()];
}
