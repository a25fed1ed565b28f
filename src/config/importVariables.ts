import { isRecord, isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { dollarReference, partsOf, type VariableSyntax } from './variables.ts';

export interface ConvertedVariables {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The names of secrets that the other client keeps, and that become inputs. */
  readonly secrets: ReadonlySet<string>;
  /** One sentence for each reference that could not become one of Patchbay. */
  readonly notes: readonly string[];
}

/**
 * Rewrites the variables of another client in all texts of an entry: environment variables become `${env:NAME}`, secrets become
 * inputs.
 * @param environment of this machine: a default is for a variable that it does not set
 * @param kept the names of secrets that the other client keeps: a reference to one becomes an input
 */
export function convertVariables(
  entry: Readonly<Record<string, unknown>>,
  style: VariableSyntax,
  environment: Readonly<Record<string, string | undefined>>,
  kept: readonly string[] = [],
): ConvertedVariables {
  const notes = new Set<string>();
  const secrets = new Set(kept);

  function convertText(whole: string, depth = 0): string {
    if (depth > limits.imported.defaults) return whole;
    let before = '';
    const parts = partsOf(whole, style).map(({ text, meaning }) => {
      const [isInWord, startsWord] = [/[\w$\\]$/, /(?:^|\s)$/].map((pattern) => pattern.test(before));
      before = text;
      if (meaning?.kind === 'environment' && meaning.isKept) {
        const isSet = environment[meaning.name] !== undefined;
        // It may as well be a part of a password.
        const isName = startsWord && !/^\$[a-z]/.test(text);
        const isDoubtful = !text.startsWith('${') && (isInWord || (!isSet && !isName));
        if (!isDoubtful) return valueOf(meaning.name, meaning.fallback, depth);
        notes.add(leftAsWritten(meaning.name));
        return text;
      }
      if (meaning?.kind !== 'input' || style !== 'secrets') return text;
      secrets.add(meaning.id);
      return `\${input:${meaning.id}}`;
    });
    return parts.join('');
  }

  function valueOf(name: string, fallback: string | undefined, depth: number): string {
    if (secrets.has(name)) return `\${input:${name}}`;
    if (fallback === undefined) return `\${env:${name}}`;
    const isSet = (environment[name] ?? '') !== '';
    const instead = isSet ? 'which is set here, without a default' : 'as it is not set here';
    // The default may be a secret, so it is not part of the sentence.
    notes.add(`\${${name}:-…} became ${isSet ? `\${env:${name}}, ` : 'its default, '}${instead}.`);
    return isSet ? `\${env:${name}}` : convertText(fallback, depth + 1);
  }

  const convert = (value: unknown): unknown => {
    if (isString(value)) {
      for (const note of notesOn(value, style)) notes.add(note);
      return convertText(value);
    }
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (Array.isArray(value)) return value.map(convert);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convert(member)]));
  };
  const converted = convert(entry);
  return { entry: isRecord(converted) ? converted : entry, secrets, notes: [...notes] };
}

/** @returns a sentence for each reference of the client, or of another one, that stays as it is written */
function notesOn(text: string, style: VariableSyntax): string[] {
  if (style === 'opencode')
    return [...text.matchAll(/\{file:[^{}]*\}/g)].map(
      ([reference]) => `${reference} stays as it is written: Patchbay reads no file for a value.`,
    );
  const name = style === 'shell' ? dollarReference.exec(text)?.[1] : undefined;
  if (name !== undefined) return [leftAsWritten(name)];
  if (style !== 'editor') return [];
  return partsOf(text, 'editor').flatMap((part) => (part.meaning?.kind === 'foreign' ? plainText(part.text) : []));
}

function leftAsWritten(name: string): string {
  return `$${name} stays as it is written. Write \${env:${name}} for the environment variable.`;
}

function plainText(reference: string): string {
  const isName = /^\$\{[A-Za-z_]\w*(?::-.*)?\}$/s.test(reference);
  // The default may be a secret.
  const said = `${isName ? reference.replace(/:-.*/s, ':-…}') : reference} is plain text for the other client.`;
  return isName ? `${said} In .mcp.json it becomes the environment variable.` : said;
}
