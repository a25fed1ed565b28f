import { isRecord, isString } from '../base/json.ts';
import type { VariableStyle } from './importClients.ts';
import { dollarReference, findVariables, type VariableSyntax } from './variables.ts';

export interface ConvertedVariables {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The names of secrets that the other client keeps, and that become inputs. */
  readonly secrets: ReadonlySet<string>;
  /** One sentence for each reference that could not become one of Patchbay. */
  readonly notes: readonly string[];
}

/** Defaults in defaults that are converted. What is deeper stays as it is written. */
const maximumDepth = 10;

/**
 * Rewrites the variables of another client in all texts of an entry: environment variables become `${env:NAME}`.
 *
 * - `editor`: those of editors, which Patchbay has (`${env:NAME}`), or none.
 * - `shell`: `${NAME}` and `${NAME:-default}`; `dollar`: also `$NAME`.
 * - `opencode`: `{env:NAME}`, and `{file:path}`, which Patchbay does not have.
 * - `secrets`: `${{ secrets.NAME }}` and `${{ inputs.NAME }}`, which become inputs.
 * @param environment of this machine: a default is for a variable that it does not set
 * @param kept the names of secrets that the other client keeps: a reference to one becomes an input
 */
export function convertVariables(
  entry: Readonly<Record<string, unknown>>,
  style: VariableStyle,
  environment: Readonly<Record<string, string | undefined>>,
  kept: readonly string[] = [],
): ConvertedVariables {
  const notes = new Set<string>();
  const secrets = new Set(kept);

  function convertNames(text: string, syntax: VariableSyntax, depth = 0): string {
    let result = '';
    let end = 0;
    for (const { meaning, offset, length } of depth > maximumDepth ? [] : findVariables(text, syntax)) {
      if (meaning.kind !== 'environment' || !meaning.isKept) continue;
      result +=
        text.slice(end, offset) +
        valueOf(meaning.name, meaning.fallback, (inner) => convertNames(inner, syntax, depth + 1));
      end = offset + length;
    }
    return result + text.slice(end);
  }

  function valueOf(name: string, fallback: string | undefined, convertInner: (text: string) => string): string {
    if (secrets.has(name)) return `\${input:${name}}`;
    if (fallback === undefined) return `\${env:${name}}`;
    const isSet = (environment[name] ?? '') !== '';
    const instead = isSet ? 'which is set here, without a default' : 'as it is not set here';
    // The default may be a secret, so it is not part of the sentence.
    notes.add(`\${${name}:-…} became ${isSet ? `\${env:${name}}, ` : 'its default, '}${instead}.`);
    return isSet ? `\${env:${name}}` : convertInner(fallback);
  }

  function convertText(text: string): string {
    for (const note of notesOn(text, style)) notes.add(note);
    switch (style) {
      case 'editor':
        return text;
      case 'shell':
        return convertNames(text, 'shell');
      case 'dollar':
        return convertNames(text, 'copilot');
      case 'opencode':
        return text.replaceAll(/(?<!\$)\{env:([^{}]+)\}/g, '$${env:$1}');
      case 'secrets':
        return text.replaceAll(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, (_, name: string) => {
          secrets.add(name);
          return `\${input:${name}}`;
        });
    }
  }

  const convert = (value: unknown): unknown => {
    if (isString(value)) return convertText(value);
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (Array.isArray(value)) return value.map(convert);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convert(member)]));
  };
  const converted = convert(entry);
  return { entry: isRecord(converted) ? converted : entry, secrets, notes: [...notes] };
}

/** @returns a sentence for each reference of the client, or of another one, that stays as it is written */
function notesOn(text: string, style: VariableStyle): string[] {
  if (style === 'opencode')
    return [...text.matchAll(/\{file:[^{}]*\}/g)].map(
      ([reference]) => `${reference} stays as it is written: Patchbay reads no file for a value.`,
    );
  const name = style === 'shell' ? dollarReference.exec(text)?.[1] : undefined;
  if (name !== undefined)
    return [`$${name} stays as it is written. Write \${env:${name}} for the environment variable.`];
  if (style !== 'editor') return [];
  const foreign = findVariables(text, 'editor').filter(({ meaning }) => meaning.kind === 'foreign');
  return foreign.map(({ offset, length }) => plainText(text.slice(offset, offset + length)));
}

function plainText(reference: string): string {
  const isName = /^\$\{[A-Za-z_]\w*(?::-.*)?\}$/s.test(reference);
  const said = `${reference} is plain text for the other client.`;
  return isName ? `${said} In .mcp.json it becomes the environment variable.` : said;
}
