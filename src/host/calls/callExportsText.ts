import { stringifyExactly } from '../../base/exactIntegers.ts';
import type { JsonObject } from '../../base/json.ts';

/** A text in which values that must not be written out are named by environment variables. */
export type ExportText = readonly (string | { readonly variable: string })[];

/** How a server is reached, without its secrets; see `toExportedServer`. */
export type ExportedServer = ExportedProgram | ExportedAddress;

export interface ExportedProgram {
  readonly kind: 'stdio';
  readonly command: ExportText;
  readonly args: readonly ExportText[];
  readonly cwd: ExportText | undefined;
  /** Names only: the values are never written out. */
  readonly env: readonly string[];
  readonly hasEnvFile: boolean;
}

export interface ExportedAddress {
  readonly kind: 'http' | 'sse';
  readonly url: ExportText;
  /** The Unix socket that requests go to; absent for a host on the network. */
  readonly socketPath?: string;
  readonly headers: readonly ExportedHeader[];
}

/** Of a configured value only its scheme is written out: `Bearer `. */
export type ExportedHeader = readonly [name: string, value: ExportText];

export interface ExportedCall {
  readonly server: ExportedServer;
  /** The revision that the server speaks; the newest with a handshake if it is not known. */
  readonly revision?: string | undefined;
  readonly tool: string;
  readonly args: JsonObject;
  /** Headers that the tool's schema asks for, from `toolHeaderValues` (2026-07-28). */
  readonly toolHeaders?: Readonly<Record<string, string>> | undefined;
}

/** Patchbay is not the client of what is copied. */
export const exportedClient = { name: 'my-client', version: '1.0.0' } as const;

/** What cannot be seen, or changes how the text around it is shown: never in code that a person copies. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** JSON in which every character can be seen. @param indent spaces for each level; 0: one line */
export function visibleJson(value: unknown, indent = 0): string {
  const escapeUnits = (text: string): string => text.replace(/[^]/g, (unit) => hex(unit.charCodeAt(0), '\\u', 4));
  // The only raw line breaks are those of the indentation.
  return stringifyExactly(value, indent).replace(hidden, (text) => (text === '\n' ? text : escapeUnits(text)));
}

/** A text of Python, which knows the escapes of JSON. There, `\uXXXX` stands for a whole character: two of them make no other. */
export function quotePython(text: string): string {
  return JSON.stringify(text).replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? hex(code, '\\U', 8) : hex(code, '\\u', 4);
  });
}

/**
 * One word of bash and zsh, with quotes where it needs them. A word cannot hold NUL, which is left out.
 * @param isQuoted with quotes also where it does not need them
 */
export function quoteShell(text: string, isQuoted = false): string {
  const word = text.replaceAll('\0', '');
  if (!isQuoted && /^[\w@%+:,./-]+$/.test(word)) return word;
  if (word.search(hidden) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
  // Bytes, as `\u` depends on the language that is set.
  const escaped = word.replace(/[\\']/g, '\\$&').replace(hidden, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `$'${escaped}'`;
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

export function variablesOf(server: ExportedServer): readonly string[] {
  const [texts, env] =
    server.kind === 'stdio'
      ? [[server.command, ...server.args, server.cwd ?? []], server.env]
      : [[server.url, ...server.headers.map(([, value]) => value)], []];
  return [...new Set([...texts.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.variable])), ...env])];
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

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w{0,99}$/.test(name);
}
