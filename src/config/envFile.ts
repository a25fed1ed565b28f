const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/**
 * Parses an env file: one `NAME=value` per line, with `export`, `#` comments and single, double or backtick quotes. A quoted
 * value may span several lines; double quotes support the escapes `\n`, `\r`, `\t`, `\"`, `\\` and `\$`. There is no
 * interpolation. A line that is not an assignment is skipped; if a name occurs twice, the last value is used.
 * @returns the variables by name
 */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const variables = new Map<string, string>();
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  let position = 0;
  while (position < source.length) {
    const lineEnd = endOfLine(source, position);
    const match = assignment.exec(source.slice(position, lineEnd));
    if (match?.[1] === undefined) {
      position = lineEnd + 1;
      continue;
    }
    const start = position + match[0].length;
    const quoted = readQuoted(source, start);
    variables.set(match[1], quoted?.value ?? readBare(source.slice(start, lineEnd)));
    // Text after a closing quote on the same line is ignored, like a comment.
    position = endOfLine(source, quoted?.end ?? start) + 1;
  }
  return Object.fromEntries(variables);
}

function readQuoted(source: string, start: number): { readonly value: string; readonly end: number } | undefined {
  const quote = source[start];
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  let end = start + 1;
  while (end < source.length && source[end] !== quote) {
    end += quote === '"' && source[end] === '\\' ? 2 : 1;
  }
  // A quote that is not closed is an ordinary character.
  if (end >= source.length) return undefined;
  const raw = source.slice(start + 1, end);
  const value = quote === '"' ? raw.replaceAll(/\\(.)/g, (whole, letter: string) => escapes[letter] ?? whole) : raw;
  return { value, end };
}

function readBare(rest: string): string {
  return rest.replace(/(^|\s)#.*$/, '').trim();
}

function endOfLine(source: string, position: number): number {
  const end = source.indexOf('\n', position);
  return end === -1 ? source.length : end;
}
