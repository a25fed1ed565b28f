import { isRecord, isString } from '../base/json.ts';
import type { VariableStyle } from './importClients.ts';

export interface ConvertedVariables {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The names of secrets that the other client keeps, and that become inputs. */
  readonly secrets: ReadonlySet<string>;
  /** One sentence for each reference that could not become one of Patchbay. */
  readonly notes: readonly string[];
}

/** A name, or one with a default, which may hold one more reference. Not those that editors have in common. */
const bracedName =
  /\$\{(?!(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator)\})([A-Za-z_]\w*)(?::-((?:[^{}]|\{[^{}]*\})*))?\}/g;
const bareName = /(?<![\w$\\])\$([A-Za-z_]\w*)/g;

/**
 * Rewrites the variables of another client in all texts of an entry: environment variables become `${env:NAME}`.
 *
 * - `editor`: those of editors, which Patchbay has (`${env:NAME}`), or none.
 * - `shell`: `${NAME}` and `${NAME:-default}`; `dollar`: also `$NAME`.
 * - `opencode`: `{env:NAME}`, and `{file:path}`, which Patchbay does not have.
 * - `secrets`: `${{ secrets.NAME }}` and `${{ inputs.NAME }}`, which become inputs.
 * @param environment of this machine: a default is for a variable that it does not set
 */
export function convertVariables(
  entry: Readonly<Record<string, unknown>>,
  style: VariableStyle,
  environment: Readonly<Record<string, string | undefined>>,
): ConvertedVariables {
  const notes = new Set<string>();
  const secrets = new Set<string>();

  function convertShell(text: string): string {
    return text.replaceAll(bracedName, (_, name: string, fallback?: string) => {
      if (fallback === undefined) return `\${env:${name}}`;
      const isSet = (environment[name] ?? '') !== '';
      const instead = isSet ? 'which is set here, without a default' : 'as it is not set here';
      // The default may be a secret, so it is not part of the sentence.
      notes.add(`\${${name}:-…} became ${isSet ? `\${env:${name}}, ` : 'its default, '}${instead}.`);
      return isSet ? `\${env:${name}}` : convertShell(fallback);
    });
  }

  function convertText(text: string): string {
    switch (style) {
      case 'editor':
        for (const [whole] of text.matchAll(bracedName))
          notes.add(`${whole} is plain text for the other client. In .mcp.json it becomes the environment variable.`);
        return text;
      case 'shell':
        return convertShell(text);
      case 'dollar':
        return convertShell(text).replaceAll(bareName, '$${env:$1}');
      case 'opencode':
        if (/\{file:[^{}]*\}/.test(text)) notes.add('{file:…} is left as it is: Patchbay reads no file for a value.');
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
    if (Array.isArray(value)) return value.map(convert);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convert(member)]));
  };
  const converted = convert(entry);
  return { entry: isRecord(converted) ? converted : entry, secrets, notes: [...notes] };
}
