import type { ExportText } from './callExportsTypes.ts';

/** What cannot be seen, or changes how the text around it is shown: never in code that a person copies. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** JSON in which every character can be seen. @param indent spaces for each level; 0: one line */
export function visibleJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent);
  // The only raw line breaks are those of the indentation.
  return text.replace(hidden, (character) => (character === '\n' ? character : escapeUnits(character)));
}

/** `\uXXXX` for each UTF-16 unit. */
function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, index) => hex(text.charCodeAt(index), '\\u', 4)).join('');
}

/** A text of JSON, JavaScript and TypeScript. */
export function quoteJson(text: string): string {
  return visibleJson(text);
}

/** A text of Python, where `\uXXXX` stands for a whole character: two of them make no other. */
export function quotePython(text: string): string {
  const escaped = Array.from(text.matchAll(/./gsu), ([character]) => pythonCharacter(character)).join('');
  return `"${escaped}"`;
}

const pythonEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function pythonCharacter(character: string): string {
  const known = pythonEscapes[character];
  if (known !== undefined) return known;
  if (character.search(hidden) === -1) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? hex(code, '\\U', 8) : hex(code, '\\u', 4);
}

/**
 * One word of bash and zsh, with quotes where it needs them. A word cannot hold NUL, which is left out.
 * @param isQuoted with quotes also where it does not need them
 */
export function quoteShell(text: string, isQuoted = false): string {
  const word = text.replaceAll('\0', '');
  if (!isQuoted && /^[\w@%+:,./-]+$/.test(word)) return word;
  if (word.search(hidden) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = Array.from(word.matchAll(/./gsu), ([character]) => shellCharacter(character)).join('');
  return `$'${escaped}'`;
}

const shellEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function shellCharacter(character: string): string {
  const known = shellEscapes[character];
  if (known !== undefined) return known;
  if (character.search(hidden) === -1) return character;
  // Bytes, as `\u` depends on the language that is set.
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

function hex(code: number, prefix: string, digits: number): string {
  return prefix + code.toString(16).padStart(digits, '0');
}

/** Neighbouring texts joined, empty ones left out. */
export function joinParts(parts: ExportText): ExportText {
  const joined: (string | { readonly variable: string })[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

/** The names of the variables in some texts, each once. */
export function variablesOf(texts: readonly ExportText[]): readonly string[] {
  return [...new Set(texts.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.variable])))];
}

/** The name of an environment variable for what is called `name`: `apiKey` becomes `API_KEY`. */
export function toVariableName(name: string): string {
  const words = name
    .slice(0, 100)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  if (words === '') return 'SECRET';
  return /^\d/.test(words) ? `_${words}` : words;
}

/** True for a name that can stand in a shell after `$`. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w{0,99}$/.test(name);
}
