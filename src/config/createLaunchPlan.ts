import { isCancellation, messageOf, PatchbayError } from '../base/errors.ts';
import type { LaunchPlan } from '../base/launchPlan.ts';
import { addressForms, fitsSocket, hostOf, parseServerAddress } from '../base/serverAddress.ts';
import type { ConfiguredServer } from './configuredServer.ts';
import { parseEnvFile } from './envFile.ts';
import {
  expandAuthSettings,
  type ExpandedText,
  expandVariables,
  type ResolvedInput,
  type VariableContext,
  type VariableUse,
} from './expandVariables.ts';
import { inputTarget, signInTarget } from './launchTarget.ts';
import type { LaunchSetting, LaunchView, RemoteLaunchView, StdioLaunchView } from './launchView.ts';
import { looksLikeSecretName, secretMask } from '../secrets/secretNames.ts';
import { isStdio, type RemoteServerDefinition, type StdioServerDefinition } from './serverDefinition.ts';
import { usesShellVariables } from './variables.ts';

/** Where an input is defined. `source`: in the file or setting with the server; `user`: in the setting `patchbay.inputs`. */
export type InputOwner = 'source' | 'user';

/** What the host provides for {@link createLaunchPlan}. */
export interface LaunchContext extends Omit<VariableContext, 'folder' | 'isShellStyle' | 'used' | 'resolveInput'> {
  /**
   * Rejects with a PatchbayError for an unknown id, or with a cancellation.
   * @param target where the value is sent; see `inputTarget`
   * @param owner where the input is defined
   */
  readonly resolveInput: (id: string, target: string, owner: InputOwner) => Promise<ResolvedInput>;
  /** `resolveInput` gives references instead of values: what depends on them stays as it is written. */
  readonly leavesInputs?: boolean;
  /** @returns the path of a socket without symbolic links, as far as it exists */
  readonly realPath: (path: string) => Promise<string>;
  /** Reads a file on the machine that the servers run on, by absolute path. */
  readonly readTextFile: (path: string) => Promise<string>;
}

/** A launch plan, and its description for display. */
export interface ResolvedLaunch {
  /** Contains secrets. */
  readonly plan: LaunchPlan;
  /** The same without secrets. */
  readonly view: LaunchView;
}

/** Expands one text of the definition; `place` names it in errors. */
type Expand = (text: string, place: string, isSecretPlace?: boolean) => Promise<ExpandedText>;

/** @param target where the inputs in the text are sent */
type ExpandFor = (target: string, owner?: InputOwner) => Expand;

/**
 * Resolves a definition to what is started: expands variables, makes paths absolute, reads the env file.
 * - `cwd` is relative to the folder that defines the server, or to the home folder for user settings; that is the default too.
 * - `env` overrides `envFile`. A leading `~` is the home folder in `command`, `args`, `cwd` and `envFile`.
 * - Each `${input:id}` is resolved once, in the order of the definition.
 *
 * @throws {PatchbayError} `configuration`, naming the server and the member; or a cancellation of an input
 */
export async function createLaunchPlan(
  server: Pick<ConfiguredServer, 'label' | 'definition' | 'options' | 'isUsersAuth' | 'source'>,
  context: LaunchContext,
): Promise<ResolvedLaunch> {
  const secrets = new Map<string, string>();
  const uses = new Map<string, VariableUse>();
  const answers = new Map<string, Promise<ResolvedInput>>();
  const resolveInput = (id: string, target: string, owner: InputOwner): Promise<ResolvedInput> => {
    const key = `${owner} ${id}`;
    const answer = answers.get(key) ?? context.resolveInput(id, target, owner);
    answers.set(key, answer);
    return answer;
  };
  const prefix = `Server "${server.label}" cannot be started:`;
  const { definition, source } = server;
  const variables: Omit<VariableContext, 'resolveInput' | 'isShellStyle'> = {
    ...context,
    used: (use, value) => {
      const isSecret = use.isSecret || uses.get(use.reference)?.isSecret === true;
      uses.set(use.reference, { ...use, isSecret });
      if (isSecret && value !== '') secrets.set(value, use.reference);
    },
    folder: source.folder,
  };
  const expandFor: ExpandFor =
    (target, owner = 'source') =>
    (text, place, isSecretPlace) => {
      const forTarget = {
        ...variables,
        isShellStyle: usesShellVariables(owner === 'user' ? 'user' : source.kind),
        resolveInput: (id: string) => resolveInput(id, target, owner),
      };
      return expandVariables(text, `${prefix} "${place}"`, forTarget, isSecretPlace);
    };
  const { plan, view } = isStdio(definition)
    ? await planStdio(definition, expandFor, prefix, source.folder?.path ?? context.userHome, context)
    : await planRemote(definition, server, expandFor, prefix, context);
  return {
    plan: {
      ...plan,
      label: server.label,
      ...(secrets.size > 0 && { secrets: [...secrets.keys()], secretNames: [...secrets.values()] }),
    },
    view: { ...view, variables: [...uses.values()] },
  };
}

interface PartialLaunch {
  readonly plan: LaunchPlan;
  readonly view: Omit<StdioLaunchView, 'variables'> | Omit<RemoteLaunchView, 'variables'>;
}

async function planStdio(
  definition: StdioServerDefinition,
  expandFor: ExpandFor,
  prefix: string,
  base: string,
  context: LaunchContext,
): Promise<PartialLaunch> {
  const expand = expandFor(inputTarget(definition));
  const absolute = (path: string, from: string): string =>
    resolvePath(path, from, context.userHome, context.pathSeparator);
  const home = ({ text, masked }: ExpandedText): ExpandedText => ({
    text: expandHome(text, context.userHome),
    masked: expandHome(masked, context.userHome),
  });
  const command = home(await expand(definition.command, 'command'));
  const args: ExpandedText[] = [];
  for (const [index, arg] of (definition.args ?? []).entries()) args.push(home(await expand(arg, `args[${index}]`)));
  const cwd = definition.cwd === undefined ? plainText(base) : await expand(definition.cwd, 'cwd');
  const { values, settings } = await expandRecord(definition.env ?? {}, 'env', expand);
  const envFile = definition.envFile === undefined ? undefined : await expand(definition.envFile, 'envFile');
  const fromFile =
    envFile === undefined || isLeft(envFile, context)
      ? {}
      : await readEnvFile(absolute(envFile.text, base), absolute(envFile.masked, base), prefix, context);
  if (command.text.trim() === '') throw launchFailure(prefix, '"command" is empty once its variables are replaced');
  // The person agrees to the command that is shown, and a secret cannot be shown.
  if (command.text !== command.masked) {
    throw launchFailure(
      prefix,
      '"command" comes from a hidden value. Write it out, or use an input that is not a password',
    );
  }
  rejectNul([command, ...args, cwd], prefix);
  return {
    plan: {
      kind: 'stdio',
      command: command.text,
      args: args.map(({ text }) => text),
      cwd: absolute(cwd.text, base),
      env: { ...fromFile, ...values },
      ...(envFile !== undefined && { envFileValues: fromFile }),
    },
    view: {
      kind: 'stdio',
      command: command.masked,
      args: args.map(({ masked }) => masked),
      cwd: absolute(cwd.masked, base),
      env: settings,
      envFile: envFile === undefined ? undefined : absolute(envFile.masked, base),
      envFileValues: fromFile,
    },
  };
}

async function planRemote(
  definition: RemoteServerDefinition,
  { options: { auth }, isUsersAuth }: Pick<ConfiguredServer, 'options' | 'isUsersAuth'>,
  expandFor: ExpandFor,
  prefix: string,
  context: Pick<LaunchContext, 'pathSeparator' | 'realPath' | 'leavesInputs'>,
): Promise<PartialLaunch> {
  // A variable in the address may determine the host: its input is bound to the address as written.
  const address = await expandFor(definition.url)(definition.url, 'url');
  const parsed = parseServerAddress(address.text);
  // Before the inputs have their values nothing is sent: the address is only shown.
  const target = parsed ?? (isLeft(address, context) ? { url: new URL('https://input.invalid') } : undefined);
  if (target === undefined) throw launchFailure(prefix, `"url" must be ${addressForms}`);
  if (target.socketPath !== undefined) checkSocket(target.socketPath, address, prefix, context.pathSeparator);
  // A link in the workspace could lead to any socket, and be changed later: the person agrees to what it leads to.
  const socketPath = target.socketPath && (await context.realPath(target.socketPath));
  if (socketPath !== undefined && !fitsSocket(socketPath))
    throw launchFailure(prefix, 'the socket in "url" is a link to a path that is too long for a socket');
  const host = parsed === undefined ? address.text : hostOf(parsed);
  const { values, settings } = await expandRecord(definition.headers ?? {}, 'headers', expandFor(host));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) headers[name] = checkHeader(name, value ?? '', prefix);
  const kind = definition.type ?? 'http';
  // A file of the workspace must not define inputs for the user's secrets.
  const owner = isUsersAuth === true ? 'user' : 'source';
  const signIn = await expandAuthSettings(auth ?? {}, expandFor(signInTarget(host, auth), owner));
  return {
    plan: {
      kind,
      url: target.url,
      ...(socketPath !== undefined && { socketPath }),
      headers,
      ...(auth !== undefined && { auth: signIn.values }),
    },
    view: {
      kind,
      url: address.masked,
      host,
      ...(socketPath !== undefined && { socketPath }),
      headers: settings,
      auth: signIn.settings,
    },
  };
}

/** True for a text with an input whose value is not known yet. */
function isLeft({ text }: ExpandedText, { leavesInputs = false }: Pick<LaunchContext, 'leavesInputs'>): boolean {
  return leavesInputs && text.includes('${input:');
}

function checkSocket(path: string, { masked }: ExpandedText, prefix: string, pathSeparator: '/' | '\\'): void {
  // The person agrees to the socket that is shown, and a secret cannot be shown.
  if (parseServerAddress(masked)?.socketPath !== path)
    throw launchFailure(prefix, 'the path of the socket in "url" comes from a hidden value. Write it out');
  if (!path.startsWith(pathSeparator)) {
    const form =
      pathSeparator === '/'
        ? 'a Unix socket, as in "unix:///path/of/the.sock"'
        : 'a named pipe, as in "pipe:///pipe/name"';
    throw launchFailure(prefix, `"url" is a socket of another platform; here it must be ${form}`);
  }
}

async function expandRecord(
  record: Readonly<Record<string, string | number | null>>,
  place: string,
  expand: Expand,
): Promise<{ readonly values: Record<string, string | null>; readonly settings: LaunchSetting[] }> {
  const values: [string, string | null][] = [];
  const settings: LaunchSetting[] = [];
  for (const [name, value] of Object.entries(record)) {
    const written = value === null ? null : String(value);
    const expanded = written === null ? null : await expand(written, `${place}.${name}`, looksLikeSecretName(name));
    values.push([name, expanded?.text ?? null]);
    settings.push({ name, written, value: expanded === null ? null : shownValue(name, expanded) });
  }
  return { values: Object.fromEntries(values), settings };
}

/** Masks a literal secret. A variable reference may be shown. */
function shownValue(name: string, { text, masked }: ExpandedText): string {
  return looksLikeSecretName(name) && text !== '' && text === masked ? secretMask : masked;
}

async function readEnvFile(
  path: string,
  shownPath: string,
  prefix: string,
  context: LaunchContext,
): Promise<Readonly<Record<string, string>>> {
  try {
    return parseEnvFile(await context.readTextFile(path));
  } catch (error) {
    if (isCancellation(error)) throw error;
    throw launchFailure(prefix, `its "envFile" ${shownPath} cannot be read (${messageOf(error)})`, error);
  }
}

/** RFC 9110, sections 5.1 and 5.5. The value may be secret, so it is not part of the error. */
function checkHeader(name: string, value: string, prefix: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw launchFailure(prefix, `"${name}" is no valid name of a header`);
  const trimmed = value.trim();
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(trimmed)) return trimmed;
  throw launchFailure(
    prefix,
    `the value of the header "${name}" holds a line break or another character that headers cannot carry`,
  );
}

function rejectNul(texts: readonly ExpandedText[], prefix: string): void {
  if (texts.some(({ text }) => text.includes('\0')))
    throw launchFailure(prefix, 'its command line holds a NUL character');
}

function plainText(text: string): ExpandedText {
  return { text, masked: text };
}

function launchFailure(prefix: string, what: string, cause?: unknown): PatchbayError {
  return new PatchbayError('configuration', `${prefix} ${what}.`, cause === undefined ? undefined : { cause });
}

/**
 * Resolves `path` against `base` and expands a leading `~`, for POSIX or Windows by `separator`. Does not access the file
 * system; `.` and `..` stay in the path.
 */
function resolvePath(path: string, base: string, userHome: string, separator: '/' | '\\'): string {
  const expanded = expandHome(path, userHome);
  if (isAbsolute(expanded, separator)) return expanded;
  const relative = expanded.replace(/^\.[\\/]+/, '');
  if (relative === '' || relative === '.') return base;
  return /[\\/]$/.test(base) ? base + relative : base + separator + relative;
}

/** Replaces a leading `~`, alone or before a separator, with the home folder. */
function expandHome(path: string, userHome: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? userHome + path.slice(1) : path;
}

function isAbsolute(path: string, separator: '/' | '\\'): boolean {
  return separator === '/' ? path.startsWith('/') : /^(?:[A-Za-z]:[\\/]|[\\/])/.test(path);
}
