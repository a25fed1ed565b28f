import { PatchbayError } from '../base/errors.ts';
import { isRecord, isString, isStringArray } from '../base/json.ts';
import type { WorkspaceFolder } from './configuredServer.ts';
import { schemeOf } from '../secrets/argumentSecret.ts';
import { looksLikeSecretName, looksLikeSecretValue, secretMask } from '../secrets/secretNames.ts';
import { partsOf, unsupportedAdvice, type VariableMeaning, type VariableSyntax } from './variables.ts';

export interface ResolvedInput {
  readonly value: string;
  readonly isSecret: boolean;
  /** Stored at an earlier start; otherwise the person enters it for this one. */
  readonly isSaved: boolean;
  /** The result of an editor command, which the person may not have seen. */
  readonly isResult?: true;
}

/** An environment variable or an input that a text uses. */
export interface VariableUse extends Omit<ResolvedInput, 'value'> {
  readonly kind: 'environment' | 'input';
  readonly name: string;
  /** As written, such as `${env:GITHUB_TOKEN}`. Shown instead of a secret value. */
  readonly reference: string;
  /** It is not set: the reference is passed on as it is written (`kept`), or replaced by nothing (`empty`). */
  readonly isMissing?: 'kept' | 'empty';
  /** It is not set, and the default of the file is used. */
  readonly isDefault?: true;
  /** It is in the address of a remote server. */
  readonly isInAddress?: true;
}

export interface VariableContext {
  readonly folder: WorkspaceFolder | undefined;
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly pathSeparator: '/' | '\\';
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly syntax: VariableSyntax;
  /** Folders that Claude Code gives its servers as variables, by name; `undefined` where the server has none. */
  readonly clientFolder?: (name: string) => Promise<string | undefined>;
  /** Rejects with a PatchbayError for an unknown id, or with a cancellation. */
  readonly resolveInput: (id: string) => Promise<ResolvedInput>;
  readonly used?: (use: VariableUse, value: string) => void;
}

export interface LaunchSetting {
  readonly name: string;
  /** Masked; `null` removes the variable from the environment. */
  readonly value: string | null;
  /** As written in the file, without expansion. May be a literal secret: never shown, only hashed. */
  readonly written: string | null;
}

export interface ExpandedText {
  readonly text: string;
  /** The same with references instead of secret values: may be shown, stored and logged. */
  readonly masked: string;
}

interface ExpandedValue extends ExpandedText {
  /** It has more than references, and than the scheme of a header before one. */
  readonly isLiteral: boolean;
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
): Promise<ExpandedValue> {
  const expanded = { text: '', masked: '' };
  let literal = '';
  for (const { text: raw, meaning } of partsOf(text, context.syntax)) {
    // Sequentially: an input may open a dialog, and only one can be open.
    const { value, use: found } = await valueOf(meaning, raw, place, context);
    const use = found === undefined || !isSecretPlace ? found : { ...found, isSecret: true };
    if (use !== undefined) context.used?.(use, value);
    // `$ecret` may as well be a password.
    const isDoubtful = use?.isMissing === 'kept' && !/^\$(?:\{|[A-Z_][A-Z\d_]*$)/.test(raw);
    if (use === undefined || isDoubtful) literal += raw;
    expanded.text += value;
    expanded.masked += use?.isSecret === true ? raw : value;
  }
  return { ...expanded, isLiteral: schemeOf(literal)[1].trim() !== '' };
}

/** @returns the value of a reference, and a description of it for the trust question; of any other text itself */
async function valueOf(
  meaning: VariableMeaning | undefined,
  reference: string,
  place: string,
  context: VariableContext,
): Promise<{ readonly value: string; readonly use?: VariableUse }> {
  switch (meaning?.kind) {
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
      const { name, fallback, isKept } = meaning;
      const folder = fallback === undefined && isKept ? await context.clientFolder?.(name) : undefined;
      if (folder !== undefined) return { value: folder };
      const set = environmentValue(name, context);
      const found = set ?? fallback;
      if (found === undefined && pluginFolders.includes(name)) throw notInPlugin(reference, place);
      const value = found ?? (isKept ? reference : '');
      // By its name even if it is not set: the trust record must not depend on the current environment. But a default is in the
      // file, so it is no secret: what it names is shown and covered, as any other text is.
      const isDefault = set === undefined && fallback !== undefined;
      const isSecret = !isDefault && (looksLikeSecretName(name) || looksLikeSecretValue(value));
      const use = { kind: 'environment', name, reference, isSecret, isSaved: false } as const;
      if (found === undefined) return { value, use: { ...use, isMissing: isKept ? 'kept' : 'empty' } };
      return { value, use: isDefault ? { ...use, isDefault } : use };
    }
    case 'input': {
      const { value, ...found } = await context.resolveInput(meaning.id);
      return { value, use: { kind: 'input', name: meaning.id, reference, ...found } };
    }
    case 'unsupported':
      throw new PatchbayError(
        'configuration',
        `${place} uses the variable ${reference}. ${unsupportedAdvice(reference, context.syntax)}`,
      );
    case 'foreign':
    case undefined:
      return { value: reference };
  }
}

function environmentValue(name: string, { environment, pathSeparator }: VariableContext): string | undefined {
  const isWindows = pathSeparator === '\\';
  // On Windows names of environment variables are case-insensitive.
  const isSame = (candidate: string): boolean => candidate.toLowerCase() === name.toLowerCase();
  const other = isWindows && !Object.hasOwn(environment, name) ? Object.keys(environment).find(isSame) : undefined;
  const key = other ?? name;
  return Object.hasOwn(environment, key) ? environment[key] : undefined;
}

/** Claude Code sets them for the servers of a plugin, and for no others. */
const pluginFolders: readonly string[] = ['CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA'];

function notInPlugin(reference: string, place: string): PatchbayError {
  const reason = 'which only a plugin of Claude Code has. No plugin here gives it a value';
  return failure(`uses ${reference}, ${reason}. Write the path, as in \${workspaceFolder}/server.js`, place);
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

export type Expand = (text: string, place: string, isSecretPlace?: boolean) => Promise<ExpandedValue>;

/**
 * Expands the variables in all texts of `env`, `headers` or `auth`.
 * @param place the name of the record, for errors
 * @param isSecretName tells the members whose values are secret; a literal one is masked, a reference may be shown
 * @returns the expanded values, and the same for display
 */
export async function expandRecord(
  record: object,
  place: string,
  isSecretName: (name: string) => boolean,
  expand: Expand,
): Promise<{ readonly values: Record<string, unknown>; readonly settings: readonly LaunchSetting[] }> {
  const settings: LaunchSetting[] = [];
  return { values: await expandMembers(record, ''), settings };

  async function expandMembers(members: object, prefix: string): Promise<Record<string, unknown>> {
    const values: [string, unknown][] = [];
    for (const [key, value] of Object.entries(members)) values.push([key, await expandValue(`${prefix}${key}`, value)]);
    return Object.fromEntries(values);
  }

  async function expandValue(name: string, value: unknown): Promise<unknown> {
    if (isRecord(value)) return expandMembers(value, `${name}.`);
    if (isStringArray(value)) {
      const items: ExpandedText[] = [];
      for (const [index, item] of value.entries()) items.push(await expand(item, `${place}.${name}[${index}]`));
      const shown = JSON.stringify(items.map(({ masked }) => masked));
      settings.push({ name, written: JSON.stringify(value), value: shown });
      // A variable may contain several scopes, or none.
      return items.flatMap(({ text }) => text.match(/\S+/g) ?? []);
    }
    if (!isString(value)) {
      const written = value === null ? null : JSON.stringify(value);
      settings.push({ name, written, value: written });
      return value;
    }
    const isSecret = isSecretName(name);
    const { text, masked, isLiteral } = await expand(value, `${place}.${name}`, isSecret);
    const isHidden = isSecret && isLiteral && text === masked;
    settings.push({ name, written: value, value: isHidden ? secretMask : masked });
    return text;
  }
}
