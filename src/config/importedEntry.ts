import { isRecord, isString, isStringArray } from '../base/json.ts';
import { findVariables } from './variables.ts';

/** How another client writes variables. `shell`: `${NAME}`, `${NAME:-default}`; `opencode`: `{env:NAME}`, `{file:path}`. */
export type ImportedVariables = 'shell' | 'opencode' | 'editor';

/**
 * Turns an entry of another client into one of Patchbay, with Patchbay's variables. Windsurf uses `serverUrl`, Gemini CLI
 * `httpUrl`. In Zed the command may be an object, and `env` null; in opencode it is a list with its arguments.
 * @returns `notes`: what could not be kept as it is, in parts of sentences
 */
export function readImportedEntry(
  written: unknown,
  variables: ImportedVariables,
): { readonly entry: unknown; readonly notes: readonly string[] } {
  if (!isRecord(written)) return { entry: written, notes: [] };
  const notes: string[] = [];
  const entry = convertTexts(withOwnKeys(written, variables), variables, false, notes);
  return { entry, notes };
}

function withOwnKeys(entry: Record<string, unknown>, variables: ImportedVariables): Record<string, unknown> {
  const { serverUrl, httpUrl, command, env, environment, source, settings, ...rest } = entry;
  const isNested = isRecord(command) && isString(command['path']);
  const [first, ...args] = variables === 'opencode' && isStringArray(command) ? command : [];
  const program = isNested ? { command: command['path'], args: command['args'] } : { command };
  const local = {
    ...rest,
    ...(first === undefined ? program : { command: first, args }),
    env: (isNested ? command['env'] : (env ?? (variables === 'opencode' ? environment : undefined))) ?? undefined,
    ...(variables !== 'opencode' && environment !== undefined && { environment }),
    // Of Zed, where they say that the entry is not of an extension.
    ...(!isString(source) && { source }),
    ...(isRecord(settings) && Object.keys(settings).length > 0 && { settings }),
  };
  if (isString(httpUrl)) return { ...local, type: 'http', url: httpUrl };
  return isString(serverUrl) && rest['url'] === undefined ? { ...local, url: serverUrl } : local;
}

/** @param isInArguments a text with spaces may be code, whose variables are those of a shell */
function convertTexts<T>(value: T, variables: ImportedVariables, isInArguments: boolean, notes: string[]): T;
function convertTexts(value: unknown, variables: ImportedVariables, isInArguments: boolean, notes: string[]): unknown {
  if (variables === 'editor') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => convertTexts(item, variables, isInArguments, notes));
  if (isRecord(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [key, convertTexts(member, variables, isInArguments || key === 'args', notes)]),
    );
  }
  if (!isString(value) || (isInArguments && /\s/.test(value))) return value;
  return variables === 'opencode' ? ofOpencode(value, notes) : ofShell(value, notes);
}

function ofOpencode(text: string, notes: string[]): string {
  for (const [reference] of text.matchAll(/\{file:[^{}]*\}/g))
    notes.push(`${reference} stays as it is written, because Patchbay does not read files for values`);
  return text.replaceAll(/\{env:([^{}]+)\}/g, '${env:$1}');
}

function ofShell(text: string, notes: string[]): string {
  let converted = '';
  let end = 0;
  for (const { offset, length, meaning } of findVariables(text, 'shell')) {
    if (meaning.kind !== 'environment' || !meaning.isKept) continue;
    const { name, fallback } = meaning;
    converted += text.slice(end, offset) + (fallback ?? `\${env:${name}}`);
    end = offset + length;
    if (fallback === undefined) continue;
    // The default may be a secret, so it is not part of the sentence.
    notes.push(`\${${name}:-…} became its default. For the value of ${name} write \${env:${name}}`);
  }
  return converted + text.slice(end);
}
