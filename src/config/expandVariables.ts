import { type AuthSettings, secretAuthMembers } from '../base/authSettings.ts';
import { PatchbayError } from '../base/errors.ts';
import { isRecord, isStringArray } from '../base/json.ts';
import type { WorkspaceFolder } from './configuredServer.ts';
import type { LaunchSetting } from './launchView.ts';
import { looksLikeSecretName, looksLikeSecretValue, secretMask } from '../secrets/secretNames.ts';
import { findVariables, variableMeaning, type VariableMeaning } from './variables.ts';

export interface ResolvedInput {
  readonly value: string;
  readonly isSecret: boolean;
  /** Stored at an earlier start; otherwise the person enters it for this one. */
  readonly isSaved: boolean;
  /** The result of an editor command, which the person may not have seen. */
  readonly isResult?: true;
}

/** An environment variable or an input that a text uses. */
export interface VariableUse {
  readonly kind: 'environment' | 'input';
  /** The name of the environment variable, or the id of the input. */
  readonly name: string;
  /** As written, such as `${env:GITHUB_TOKEN}`. Shown instead of a secret value. */
  readonly reference: string;
  readonly isSecret: boolean;
  /** See {@link ResolvedInput.isSaved}. */
  readonly isSaved: boolean;
  /** See {@link ResolvedInput.isResult}. */
  readonly isResult?: true;
}

export interface VariableContext {
  /** The folder of the configuration file; `undefined` for the user setting. */
  readonly folder: WorkspaceFolder | undefined;
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly pathSeparator: '/' | '\\';
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Also expand `${NAME}` and `${NAME:-default}`, as used in `.mcp.json` and `.github/mcp.json`. */
  readonly isShellStyle: boolean;
  /** Rejects with a PatchbayError for an unknown id, or with a cancellation. */
  readonly resolveInput: (id: string) => Promise<ResolvedInput>;
  /** Called for each environment variable and input that was expanded, with its value. */
  readonly used?: (use: VariableUse, value: string) => void;
}

export interface ExpandedText {
  readonly text: string;
  /** The same with references instead of secret values: may be shown, stored and logged. */
  readonly masked: string;
}

/**
 * Expands every variable once: the values of variables are not expanded again.
 * @param place for error messages, such as `"args[2]"`
 * @param isSecretPlace all values are secret in this place, as in the header `Authorization`
 * @throws {PatchbayError} `configuration`, naming the variable and the place
 */
export async function expandVariables(
  text: string,
  place: string,
  context: VariableContext,
  isSecretPlace = false,
): Promise<ExpandedText> {
  const expanded = { text: '', masked: '' };
  let end = 0;
  for (const { name, offset, length } of findVariables(text)) {
    const before = text.slice(end, offset);
    const raw = text.slice(offset, offset + length);
    // Sequentially: an input may open a dialog, and only one can be open.
    const { value, use: found } = await valueOf(name, raw, place, context);
    const use = found === undefined || !isSecretPlace ? found : { ...found, isSecret: true };
    if (use !== undefined) context.used?.(use, value);
    expanded.text += before + value;
    expanded.masked += before + (use?.isSecret === true ? raw : value);
    end = offset + length;
  }
  return { text: expanded.text + text.slice(end), masked: expanded.masked + text.slice(end) };
}

/** @returns the value of a reference, and a description of it for the trust question */
async function valueOf(
  name: string,
  reference: string,
  place: string,
  context: VariableContext,
): Promise<{ readonly value: string; readonly use?: VariableUse }> {
  const meaning = variableMeaning(name, context.isShellStyle);
  switch (meaning.kind) {
    case 'workspaceFolder':
      return { value: folderOf(meaning.folder, reference, place, context).path };
    case 'workspaceFolderBasename': {
      const { path } = folderOf(meaning.folder, reference, place, context);
      return { value: path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '') };
    }
    case 'userHome':
      return { value: context.userHome };
    case 'pathSeparator':
      return { value: context.pathSeparator };
    case 'environment': {
      const value = environmentValue(meaning, reference, place, context);
      // By its name even if it is not set: the trust record must not depend on the current environment.
      const isSecret = looksLikeSecretName(meaning.name) || looksLikeSecretValue(value);
      return { value, use: { kind: 'environment', name: meaning.name, reference, isSecret, isSaved: false } };
    }
    case 'input': {
      const { value, ...found } = await context.resolveInput(meaning.id);
      return { value, use: { kind: 'input', name: meaning.id, reference, ...found } };
    }
    case 'unsupported': {
      const advice = 'Write the value, or use ${env:NAME} or ${input:id}';
      throw failure(`uses the variable ${reference}, which Patchbay does not have. ${advice}`, place);
    }
    case 'foreign':
      return { value: reference };
  }
}

function environmentValue(
  { name, fallback, isRequired }: VariableMeaning & { kind: 'environment' },
  reference: string,
  place: string,
  context: VariableContext,
): string {
  const found = lookUp(name, context);
  if (found !== undefined && (found !== '' || fallback === undefined)) return found;
  if (!isRequired) return fallback ?? '';
  const advice = `Set it and restart the editor, or write \${${name}:-default}`;
  throw failure(`uses ${reference}, but the environment variable ${name} is not set. ${advice}`, place);
}

function lookUp(name: string, context: VariableContext): string | undefined {
  const { environment } = context;
  if (Object.hasOwn(environment, name)) return environment[name];
  if (context.pathSeparator === '/') return undefined;
  // On Windows names of environment variables are case-insensitive.
  const key = Object.keys(environment).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : environment[key];
}

function folderOf(name: string | undefined, raw: string, place: string, context: VariableContext): WorkspaceFolder {
  const { folder: own, folders } = context;
  const folder = name === undefined ? (own ?? folders[0]) : folders.find((candidate) => candidate.name === name);
  if (folder !== undefined) return folder;
  const missing = name === undefined ? 'no folder is open. Open a folder, or write the path' : undefined;
  throw failure(`uses ${raw}, but ${missing ?? `the workspace has no folder named "${name}"`}`, place);
}

function failure(what: string, place: string): PatchbayError {
  return new PatchbayError('configuration', `${place} ${what}.`);
}

/**
 * Expands the variables in all texts of the `auth` settings.
 * @param expand expands one text; `place` names it in errors
 * @returns the expanded settings, and the same for display
 */
export async function expandAuthSettings(
  auth: AuthSettings,
  expand: (text: string, place: string, isSecretPlace?: boolean) => Promise<ExpandedText>,
): Promise<{ readonly values: AuthSettings; readonly settings: readonly LaunchSetting[] }> {
  const settings: LaunchSetting[] = [];
  return { values: await expandMembers(auth, ''), settings };

  async function expandMembers(record: object, prefix: string): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record)) values[key] = await expandValue(`${prefix}${key}`, value);
    return values;
  }

  async function expandValue(name: string, value: unknown): Promise<unknown> {
    if (isRecord(value)) return expandMembers(value, `${name}.`);
    if (isStringArray(value)) {
      const items: ExpandedText[] = [];
      for (const [index, item] of value.entries()) items.push(await expand(item, `auth.${name}[${index}]`));
      const shown = JSON.stringify(items.map(({ masked }) => masked));
      settings.push({ name, written: JSON.stringify(value), value: shown });
      // A variable may contain several scopes, or none.
      return items.flatMap(({ text }) => text.split(/\s+/)).filter((scope) => scope !== '');
    }
    const isSecret = secretAuthMembers.includes(name);
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    const expanded = typeof value === 'string' ? await expand(value, `auth.${name}`, isSecret) : undefined;
    // A literal secret is masked. A variable reference may be shown.
    const isLiteral = isSecret && expanded?.masked === expanded?.text;
    settings.push({ name, written, value: isLiteral ? secretMask : (expanded?.masked ?? written) });
    return expanded?.text ?? value;
  }
}
