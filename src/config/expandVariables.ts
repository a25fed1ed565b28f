import { type AuthSettings, secretAuthMembers } from '../base/authSettings.ts';
import { PatchbayError } from '../base/errors.ts';
import { isRecord, isStringArray } from '../base/json.ts';
import type { WorkspaceFolder } from './configuredServer.ts';
import type { LaunchSetting } from './launchView.ts';
import { looksLikeSecretName, looksLikeSecretValue, secretMask } from '../secrets/secretNames.ts';
import { findVariables, variableMeaning, type VariableMeaning } from './variables.ts';

/** The value of an input. */
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

/** The values that variables can have. */
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

/** A text with expanded variables. */
export interface ExpandedText {
  readonly text: string;
  /** The same with references instead of secret values: may be shown, stored and logged. */
  readonly masked: string;
}

/** The value of a reference, and a description of it for the trust question. */
interface Replacement {
  readonly value: string;
  readonly use?: VariableUse;
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

async function valueOf(name: string, raw: string, place: string, context: VariableContext): Promise<Replacement> {
  const meaning = variableMeaning(name, context.isShellStyle);
  switch (meaning.kind) {
    case 'workspaceFolder':
      return { value: folderOf(meaning.folder, raw, place, context).path };
    case 'workspaceFolderBasename':
      return { value: baseName(folderOf(meaning.folder, raw, place, context).path) };
    case 'userHome':
      return { value: context.userHome };
    case 'pathSeparator':
      return { value: context.pathSeparator };
    case 'environment':
      return environmentValue(meaning, raw, place, context);
    case 'input':
      return inputValue(meaning.id, raw, context);
    case 'unsupported':
      throw failure(
        `uses the variable ${raw}, which Patchbay does not have. Write the value, or use \${env:NAME} or \${input:id}`,
        place,
      );
    case 'foreign':
      return { value: raw };
  }
}

async function inputValue(id: string, reference: string, context: VariableContext): Promise<Replacement> {
  const { value, ...found } = await context.resolveInput(id);
  return { value, use: { kind: 'input', name: id, reference, ...found } };
}

function environmentValue(
  variable: VariableMeaning & { kind: 'environment' },
  reference: string,
  place: string,
  context: VariableContext,
): Replacement {
  const { name, fallback, isRequired } = variable;
  const found = lookUp(name, context);
  const isEmpty = found === undefined || (found === '' && fallback !== undefined);
  if (isEmpty && isRequired) {
    throw failure(
      `uses ${reference}, but the environment variable ${name} is not set. Set it and restart the editor, or write \${${name}:-default}`,
      place,
    );
  }
  const value = isEmpty ? (fallback ?? '') : found;
  // By its name even if it is not set: the trust record must not depend on the current environment.
  const isSecret = looksLikeSecretName(name) || looksLikeSecretValue(value);
  return { value, use: { kind: 'environment', name, reference, isSecret, isSaved: false } };
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
  if (name === undefined) {
    const folder = context.folder ?? context.folders[0];
    if (folder !== undefined) return folder;
    throw failure(`uses ${raw}, but no folder is open. Open a folder, or write the path`, place);
  }
  const folder = context.folders.find((candidate) => candidate.name === name);
  if (folder !== undefined) return folder;
  throw failure(`uses ${raw}, but the workspace has no folder named "${name}"`, place);
}

function baseName(path: string): string {
  return path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '');
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
  settings: AuthSettings,
  expand: (text: string, place: string, isSecretPlace?: boolean) => Promise<ExpandedText>,
): Promise<{ readonly values: AuthSettings; readonly settings: readonly LaunchSetting[] }> {
  const shown: LaunchSetting[] = [];
  const expandRecord = async (record: object, prefix: string): Promise<Record<string, unknown>> => {
    const values: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record) as [string, unknown][]) {
      const name = `${prefix}${key}`;
      if (isRecord(value)) {
        values[key] = await expandRecord(value, `${name}.`);
        continue;
      }
      if (isStringArray(value)) {
        const items: ExpandedText[] = [];
        for (const [index, item] of value.entries()) items.push(await expand(item, `auth.${name}[${index}]`));
        // A variable may contain several scopes, or none.
        values[key] = items.flatMap(({ text }) => text.split(/\s+/)).filter((scope) => scope !== '');
        shown.push({ name, written: JSON.stringify(value), value: JSON.stringify(items.map(({ masked }) => masked)) });
        continue;
      }
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      const isSecret = secretAuthMembers.includes(name);
      const expanded = typeof value === 'string' ? await expand(value, `auth.${name}`, isSecret) : undefined;
      values[key] = expanded?.text ?? value;
      // A literal secret is masked. A variable reference may be shown.
      const isWrittenOut = isSecret && expanded?.masked === expanded?.text;
      shown.push({ name, written, value: isWrittenOut ? secretMask : (expanded?.masked ?? written) });
    }
    return values;
  };
  return { values: await expandRecord(settings, ''), settings: shown };
}
