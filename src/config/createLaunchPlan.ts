import { isCancellation, messageOf, PatchbayError } from '../base/errors.ts';
import { secretAuthMembers } from '../base/authSettings.ts';
import type { LaunchPlan, ReplayMode, StdioLaunchPlan } from '../base/launchPlan.ts';
import { addressForms, fitsSocket, hostOf, parseServerAddress } from '../base/serverAddress.ts';
import type { ConfiguredServer } from './configuredServer.ts';
import { parseEnvFile } from './envFile.ts';
import {
  type Expand,
  type ExpandedText,
  expandRecord,
  expandVariables,
  type ResolvedInput,
  type VariableContext,
  type VariableUse,
} from './expandVariables.ts';
import { inputTarget, signInTarget } from './launchTarget.ts';
import type { LaunchView } from './launchView.ts';
import { missingVariables } from './launchWarnings.ts';
import { looksLikeSecretName } from '../secrets/secretNames.ts';
import { isStdio, type RemoteServerDefinition, type StdioServerDefinition } from './serverDefinition.ts';
import { variableSyntax } from './serverSection.ts';
import { findVariables } from './variables.ts';

/** Where an input is defined. `source`: in the file or setting with the server; `user`: in the setting `patchbay.inputs`. */
export type InputOwner = 'source' | 'user';

export interface LaunchContext extends Omit<
  VariableContext,
  'folder' | 'syntax' | 'clientFolder' | 'used' | 'resolveInput'
> {
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
  readonly readTextFile: (path: string) => Promise<string>;
}

export interface ResolvedLaunch {
  readonly plan: LaunchPlan;
  readonly view: LaunchView;
}

type PlannedServer = Pick<ConfiguredServer, 'label' | 'definition' | 'options' | 'isUsersAuth' | 'source'>;

/**
 * Resolves a definition to what is started: expands variables, makes paths absolute, reads the env file.
 * - `cwd` is relative to the folder that defines the server, or to the home folder for user settings; that is the default too.
 * - `env` overrides `envFile`. A leading `~` is the home folder in `command`, `args`, `cwd` and `envFile`.
 * - Each `${input:id}` is resolved once, in the order of the definition.
 *
 * @throws {PatchbayError} `configuration`, naming the server and the member; or a cancellation of an input
 */
export async function createLaunchPlan(server: PlannedServer, context: LaunchContext): Promise<ResolvedLaunch> {
  return new LaunchPlanner(server, context).plan();
}

class LaunchPlanner {
  readonly #server: PlannedServer;
  readonly #context: LaunchContext;
  /** The values of secrets, each with its reference. */
  readonly #secrets = new Map<string, string>();
  readonly #uses = new Map<string, VariableUse>();
  readonly #answers = new Map<string, Promise<ResolvedInput>>();

  constructor(server: PlannedServer, context: LaunchContext) {
    this.#server = server;
    this.#context = context;
  }

  async plan(): Promise<ResolvedLaunch> {
    const { label, definition } = this.#server;
    const { plan, view } = isStdio(definition) ? await this.#stdio(definition) : await this.#remote(definition);
    const secrets = { secrets: [...this.#secrets.keys()], secretNames: [...this.#secrets.values()] };
    const variables = [...this.#uses.values()];
    const warnings = missingVariables(variables);
    return {
      plan: {
        ...plan,
        label,
        ...(this.#secrets.size > 0 && secrets),
        ...(warnings.length > 0 && { warnings }),
      },
      view: { ...view, variables },
    };
  }

  async #stdio(definition: StdioServerDefinition): Promise<ResolvedLaunch> {
    const { userHome } = this.#context;
    const expand = this.#expandFor(inputTarget(definition));
    const { folder, kind } = this.#server.source;
    const base = folder?.path ?? userHome;
    const absolute = (path: string): string => this.#absolute(path, base);
    const home = ({ text, masked }: ExpandedText): ExpandedText => {
      return { text: expandHome(text, userHome), masked: expandHome(masked, userHome) };
    };
    const command = home(await expand(definition.command, 'command'));
    if (definition.replay !== undefined)
      return this.#replay(command.text, absolute(command.text), definition.replay, base);
    const args: ExpandedText[] = [];
    for (const [index, arg] of (definition.args ?? []).entries()) args.push(home(await expand(arg, `args[${index}]`)));
    const cwd = definition.cwd === undefined ? { text: base, masked: base } : await expand(definition.cwd, 'cwd');
    const texts = Object.entries(definition.env ?? {}).map(
      ([name, value]) => [name, value === null ? null : String(value)] as const,
    );
    const env = await expandRecord(Object.fromEntries(texts), 'env', looksLikeSecretName, expand);
    const envFile = definition.envFile === undefined ? undefined : await expand(definition.envFile, 'envFile');
    for (const [place, text] of Object.entries({ command, cwd, envFile })) if (text) this.#checkMissing(text, place);
    const isRead = envFile !== undefined && !this.#isLeft(envFile);
    const envFileValues = isRead ? await this.#readEnvFile(absolute(envFile.text), absolute(envFile.masked)) : {};
    if (command.text.trim() === '') throw this.#failure('"command" is empty once its variables are replaced');
    // The person agrees to the command that is shown, and a secret cannot be shown.
    if (command.text !== command.masked)
      throw this.#failure('"command" comes from a hidden value. Write it out, or use an input that is not a password');
    if ([command, ...args, cwd].some(({ text }) => text.includes('\0')))
      throw this.#failure('its command line holds a NUL character');
    const lineAs = (form: keyof ExpandedText) => {
      return { command: command[form], args: args.map((arg) => arg[form]), cwd: absolute(cwd[form]) };
    };
    const settings = {
      env: env.settings,
      envFile: envFile && absolute(envFile.masked),
      envFileValues,
      ...(definition.sandboxEnabled === true && { asksForSandbox: true as const }),
    };
    return {
      plan: {
        kind: 'stdio',
        ...lineAs('text'),
        env: { ...envFileValues, ...(env.values as StdioLaunchPlan['env']) },
        // As VS Code does it in its own files.
        ...(['vscode', 'devcontainer', 'codeWorkspace'].includes(kind) &&
          texts.some(([name]) => /^path$/i.test(name)) && { addsToPath: true }),
        ...(envFile !== undefined && { envFileValues }),
      },
      view: { kind: 'stdio', ...lineAs('masked'), ...settings, variables: [] },
    };
  }

  #replay(written: string, command: string, replay: ReplayMode, cwd: string): ResolvedLaunch {
    // Windows signs in to another computer to open such a file, and a recording asks nothing before it is opened.
    if (/^[\\/]{2}/.test(written)) throw this.#failure('"session" must not be on another computer');
    // The mode as an argument: it is part of the identity, which no program has.
    const line = { kind: 'stdio', command, args: ['replay', replay], cwd } as const;
    const view = { ...line, env: [], envFile: undefined, envFileValues: {}, variables: [] };
    return { plan: { ...line, env: {}, replay }, view };
  }

  async #remote({ url, type: kind = 'http', headers = {} }: RemoteServerDefinition): Promise<ResolvedLaunch> {
    const { options, isUsersAuth } = this.#server;
    // A variable in the address may determine the host: its input is bound to the address as written.
    const address = await this.#expandFor(url)(url, 'url');
    for (const [reference, use] of this.#uses) this.#uses.set(reference, { ...use, isInAddress: true });
    this.#checkHost(url);
    const parsed = parseServerAddress(address.text);
    // Before the inputs have their values nothing is sent: the address is only shown.
    const target = parsed ?? (this.#isLeft(address) ? { url: new URL('https://input.invalid') } : undefined);
    if (target === undefined) this.#checkMissing(address, 'url');
    if (target === undefined) throw this.#failure(`"url" must be ${addressForms}`);
    const socket =
      target.socketPath === undefined ? {} : { socketPath: await this.#socket(target.socketPath, address) };
    const host = parsed === undefined ? address.text : hostOf(parsed);
    const expanded = await expandRecord(headers, 'headers', looksLikeSecretName, this.#expandFor(host));
    const sent = Object.entries(expanded.values).map(
      ([name, value]) => [name, this.#checkHeader(name, String(value))] as const,
    );
    const { auth } = options;
    // A file of the workspace must not define inputs for the user's secrets.
    const owner = isUsersAuth === true ? 'user' : 'source';
    const expandAuth = this.#expandFor(signInTarget(host, auth), owner);
    const signIn = await expandRecord(auth ?? {}, 'auth', (name) => secretAuthMembers.includes(name), expandAuth);
    return {
      plan: {
        kind,
        url: target.url,
        ...socket,
        headers: Object.fromEntries(sent),
        ...(auth !== undefined && { auth: signIn.values }),
      },
      view: {
        kind,
        url: address.masked,
        host,
        ...socket,
        headers: expanded.settings,
        auth: signIn.settings,
        variables: [],
      },
    };
  }

  /** @param target where the inputs in the text are sent */
  #expandFor(target: string, owner: InputOwner = 'source'): Expand {
    const { folder, kind } = this.#server.source;
    const variables: VariableContext = {
      ...this.#context,
      folder,
      syntax: variableSyntax(owner === 'user' ? 'user' : kind),
      ...(kind === 'mcpJson' && owner === 'source' && { clientFolder: (name) => this.#clientFolder(name) }),
      resolveInput: (id) => {
        const key = `${owner} ${id}`;
        const answer = this.#answers.get(key) ?? this.#context.resolveInput(id, target, owner);
        this.#answers.set(key, answer);
        return answer;
      },
      used: (use, value) => {
        const known = this.#uses.get(use.reference);
        const isSecret = use.isSecret || known?.isSecret === true;
        this.#uses.set(use.reference, { ...known, ...use, isSecret });
        if (isSecret && value !== '' && use.isMissing === undefined) this.#secrets.set(value, use.reference);
      },
    };
    return (text, place, isSecretPlace) =>
      expandVariables(text, `${this.#prefix} "${place}"`, variables, isSecretPlace);
  }

  /** Folders that Claude Code gives to the servers of a project, or of a plugin, which is a folder with a manifest. */
  async #clientFolder(name: string): Promise<string | undefined> {
    const { folder } = this.#server.source;
    if (name === 'CLAUDE_PROJECT_DIR' || folder === undefined) return folder?.path;
    if (name !== 'CLAUDE_PLUGIN_ROOT') return undefined;
    const manifest = this.#absolute('.claude-plugin/plugin.json', folder.path);
    return this.#context.readTextFile(manifest).then(
      () => folder.path,
      () => undefined,
    );
  }

  /** Refuses a text that cannot work with a variable as it is written, such as a command. */
  #checkMissing({ text }: ExpandedText, place: string): void {
    const missing = [...this.#uses.values()].find((use) => use.isMissing === 'kept' && text.includes(use.reference));
    if (missing !== undefined) throw this.#missing(missing, place);
  }

  /** Without a variable of its host, an address would lead to another host, or look one up that cannot be. */
  #checkHost(url: string): void {
    const variables = findVariables(url, variableSyntax(this.#server.source.kind));
    let shape = '';
    for (const { offset, length } of variables) shape += url.slice(shape.length, offset) + 'x'.repeat(length);
    const [authority = ''] = /^[a-z]+:\/\/[^/?#\\]*/i.exec(shape + url.slice(shape.length)) ?? [];
    for (const { offset, length } of variables) {
      const use = this.#uses.get(url.slice(offset, offset + length));
      if (offset >= authority.length || use?.isMissing === undefined) continue;
      // An optional part of the path may follow the host.
      const isBehindHost = /[.:][\w\]]+$/.test(url.slice(0, offset)) && /^(?:[/?#]|$)/.test(url.slice(offset + length));
      if (use.isMissing !== 'empty' || !isBehindHost) throw this.#missing(use, 'url');
    }
  }

  #missing({ name, reference, isMissing }: VariableUse, place: string): PatchbayError {
    const otherwise = isMissing === 'kept' ? `, or write \${${name}:-default}` : '';
    const what = `"${place}" uses ${reference}, but the environment variable ${name} is not set`;
    return this.#failure(`${what}. Set it and restart the editor${otherwise}`);
  }

  get #prefix(): string {
    return `Server "${this.#server.label}" cannot be started:`;
  }

  #failure(what: string, cause?: unknown): PatchbayError {
    return new PatchbayError('configuration', `${this.#prefix} ${what}.`, { cause });
  }

  #isLeft({ text }: ExpandedText): boolean {
    return this.#context.leavesInputs === true && text.includes('${input:');
  }

  /** @returns the path that the person agrees to: a link in the workspace could lead to any socket, and be changed later */
  async #socket(path: string, { masked }: ExpandedText): Promise<string> {
    const { pathSeparator, realPath } = this.#context;
    // The person agrees to the socket that is shown, and a secret cannot be shown.
    if (parseServerAddress(masked)?.socketPath !== path)
      throw this.#failure('the path of the socket in "url" comes from a hidden value. Write it out');
    const unix = 'a Unix socket, as in "unix:///path/of/the.sock"';
    const form = pathSeparator === '/' ? unix : 'a named pipe, as in "pipe:///pipe/name"';
    if (!path.startsWith(pathSeparator))
      throw this.#failure(`"url" is a socket of another platform; here it must be ${form}`);
    const real = await realPath(path);
    if (fitsSocket(real)) return real;
    throw this.#failure('the socket in "url" is a link to a path that is too long for a socket');
  }

  async #readEnvFile(path: string, shownPath: string): Promise<Readonly<Record<string, string>>> {
    try {
      return parseEnvFile(await this.#context.readTextFile(path));
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw this.#failure(`its "envFile" ${shownPath} cannot be read (${messageOf(error)})`, error);
    }
  }

  /** RFC 9110, sections 5.1 and 5.5. The value may be secret, so it is not part of the error. */
  #checkHeader(name: string, value: string): string {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw this.#failure(`"${name}" is not a valid header name`);
    const trimmed = value.trim();
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(trimmed)) return trimmed;
    const what = 'holds a line break or another character that headers cannot carry';
    throw this.#failure(`the value of the header "${name}" ${what}`);
  }

  /** Expands a leading `~`, and resolves against `base`. Does not access the file system; `.` and `..` stay in the path. */
  #absolute(path: string, base: string): string {
    const { userHome, pathSeparator } = this.#context;
    const expanded = expandHome(path, userHome);
    if (pathSeparator !== '/' && /^[A-Za-z]:(?![\\/])/.test(expanded)) {
      const [drive, below] = [expanded.slice(0, 2), expanded.slice(2)];
      throw this.#failure(`"${expanded}" names a drive without a folder. Write "${drive}\\${below}"`);
    }
    if (pathSeparator === '/' ? expanded.startsWith('/') : /^(?:[A-Za-z]:[\\/]|[\\/])/.test(expanded)) return expanded;
    const relative = expanded.replace(/^\.[\\/]+/, '');
    if (relative === '' || relative === '.') return base;
    return /[\\/]$/.test(base) ? base + relative : base + pathSeparator + relative;
  }
}

/** Replaces a leading `~`, alone or before a separator, with the home folder. */
function expandHome(path: string, userHome: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? userHome + path.slice(1) : path;
}
