import { type AuthSettings, credentialsOf } from '../base/authSettings.ts';
import { limits, type ServerLimits } from '../base/limits.ts';
import { type ConfigurationProblem, ProblemList } from './configurationProblem.ts';
import {
  type ConfigurationSource,
  type ConfiguredServer,
  isPersonal,
  type WithheldOptions,
} from './configuredServer.ts';
import type { definitionTarget, isTargetOf } from './launchTarget.ts';
import type { ParsedConfiguration, ParsedEntry } from './parseConfiguration.ts';
import { type OptionsEntry, userOnly } from './readServerOptions.ts';
import type { ServerOptions } from './serverDefinition.ts';
import { hasVariables } from './variables.ts';

export interface LoadedSource {
  readonly source: ConfigurationSource;
  readonly parsed: ParsedConfiguration;
  /** Of a file. */
  readonly text?: string;
}

/**
 * Merges all sources. If several define the same label, the first one is used, and lists the others as `shadows`.
 * @param sources in order of precedence
 * @returns the servers in the order of the sources; for each source its problems, with those about shadowed entries and
 *   withheld options
 */
export function mergeConfiguration(sources: readonly LoadedSource[], settings: OptionSettings) {
  const servers = new Map<string, ConfiguredServer>();
  const problems = sources.map(({ source, parsed }): readonly ConfigurationProblem[] => {
    const found = new ProblemList();
    for (const entry of parsed.servers) {
      const { label, definition, range } = entry;
      const first = servers.get(label);
      if (first === undefined) {
        const effective = effectiveOptions(entry, source, settings);
        servers.set(label, { label, definition, ...effective, source, range, shadows: [] });
        const { withheld } = effective;
        if (withheld !== undefined)
          found.report('optionsWithheld', 'warning', `Server "${label}": ${describeWithheld(withheld)}`, range);
      } else {
        servers.set(label, { ...first, shadows: [...first.shadows, source] });
        const reason = `${first.source.title} defines the same name and comes first`;
        found.report('shadowed', 'information', `Server "${label}": this entry is not used, because ${reason}.`, range);
      }
    }
    return [...parsed.problems, ...found.problems];
  });
  const inOrder: readonly ConfiguredServer[] = [...servers.values()];
  return { servers: inOrder, problems };
}

const defaultLimits: ServerLimits = { messageBytes: limits.message.bytes, members: limits.message.members };

/** Options of the user's settings. The functions come with them, as their analysis of command lines is loaded only then. */
export interface UserOptions {
  readonly byLabel: ReadonlyMap<string, OptionsEntry>;
  readonly definitionTarget: typeof definitionTarget;
  readonly isTargetOf: typeof isTargetOf;
}

/** The content of the setting `patchbay.serverOptions`. */
interface OptionSettings {
  /** `undefined` if the user has none. */
  readonly user: UserOptions | undefined;
  /** By label. Without options that extend permissions, which a workspace cannot set. */
  readonly workspace: ReadonlyMap<string, OptionsEntry>;
}

type EffectiveOptions = Pick<ConfiguredServer, 'options' | 'withheld' | 'isUsersAuth'>;

/**
 * Merges the options of a server key by key: those of its entry, of the workspace's settings, of the user's settings.
 *
 * A workspace chooses the labels of its servers. The user's options for a label are therefore applied to a server of a
 * workspace only if they do not extend its permissions, or if they are bound to this definition with `for`. Those that are
 * bound to another one are not applied to a server of the person's own files either.
 */
export function effectiveOptions(
  { label, definition, options: entry }: Pick<ParsedEntry, 'label' | 'definition' | 'options'>,
  source: ConfigurationSource,
  settings: OptionSettings,
): EffectiveOptions {
  const isUsers = isPersonal(source);
  const shared = isUsers ? entry : mergeOptions(entry, settings.workspace.get(label)?.options);
  const user = settings.user?.byLabel.get(label);
  if (settings.user === undefined || user === undefined) return { options: shared, withheld: undefined };
  // In the user settings the options stand beside the server. Another file of the person may define another one.
  const isMeant =
    user.target === undefined
      ? isUsers
      : (isUsers && source.uri === undefined) || settings.user.isTargetOf(user.target, definition);
  const names = isMeant ? [] : wideningOptions(user.options);
  const isWithheld = names.length > 0;
  const given = isWithheld ? withoutWidening(user.options, names) : user.options;
  const isUsersAuth = given.auth !== undefined;
  const auth = given.auth && { ...publicClient(shared.auth, given.auth), ...given.auth };
  const options = { ...mergeOptions(shared, given), ...(auth && { auth }) };
  const target = isWithheld ? settings.user.definitionTarget(definition) : '';
  const withheld = isWithheld ? { names, target, writtenFor: user.target } : undefined;
  return { options, withheld, ...(isUsersAuth && { isUsersAuth }) };
}

/**
 * What a file says about its registered client stays beside the user's settings for signing in, such as `metadataUrl`. Not
 * beside credentials, which are for the client that the user names; and no variables, as the inputs would be the user's.
 */
function publicClient(shared: AuthSettings = {}, own: AuthSettings): AuthSettings {
  const { clientId, scopes, redirectPort, redirectUri } = shared;
  if (own.clientId !== undefined || credentialsOf(own).size > 0) return {};
  const members = Object.entries({ clientId, scopes, redirectPort, redirectUri });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && !hasVariables(JSON.stringify(value))));
}

function mergeOptions(options: ServerOptions, stronger: ServerOptions = {}): ServerOptions {
  const timeouts = (options.timeouts ?? stronger.timeouts) && { ...options.timeouts, ...stronger.timeouts };
  const dev = (options.dev ?? stronger.dev) && { ...options.dev, ...stronger.dev };
  return { ...options, ...stronger, ...(timeouts && { timeouts }), ...(dev && { dev }) };
}

function withoutWidening(options: ServerOptions, names: readonly string[]): ServerOptions {
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
  return {
    ...kept,
    // The default is all folders: ignoring the user's choice must not expose more folders than it would.
    ...(names.includes('roots') && { roots: 'none' }),
    ...(names.includes('limits') && { limits: withoutLargerLimits(options.limits ?? {}) }),
  };
}

function withoutLargerLimits(own: Partial<ServerLimits>): Partial<ServerLimits> {
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value <= defaultLimits[name as keyof ServerLimits]),
  );
}

function wideningOptions({ autoStart, roots, limits: own, auth }: ServerOptions): string[] {
  return [
    ...(autoStart === true ? ['autoStart'] : []),
    ...(roots === undefined || roots === 'none' ? [] : ['roots']),
    ...(own !== undefined && Object.keys(withoutLargerLimits(own)).length < Object.keys(own).length ? ['limits'] : []),
    ...(auth !== undefined && isSensitive(auth) ? ['auth'] : []),
  ];
}

function isSensitive(auth: AuthSettings): boolean {
  const members = Object.entries(auth).filter(([name]) => userOnly.has(`auth.${name}`));
  return members.some(([name, value]) => (name === 'allowInsecure' ? value === true : value !== undefined));
}

/** @returns full sentences on why options are not used, and what to do */
export function describeWithheld({ names, target, writtenFor }: WithheldOptions): string {
  const reason = writtenFor === undefined ? 'they do not say for which server they are' : `they are for ${writtenFor}`;
  return `your options ${names.join(', ')} are not used, because ${reason}. If they are meant for ${target}, choose “Allow Options for This Server…”.`;
}
