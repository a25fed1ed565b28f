import type { AuthSettings } from '../base/authSettings.ts';
import { limits, type ServerLimits } from '../base/limits.ts';
import { type ConfigurationProblem, createProblemList } from './configurationProblem.ts';
import type { ConfigurationSource, ConfiguredServer, WithheldOptions } from './configuredServer.ts';
import type { definitionTarget, isTargetOf } from './launchTarget.ts';
import type { OptionsEntry, ParsedConfiguration, ParsedEntry } from './parseConfiguration.ts';
import type { ServerOptions } from './serverDefinition.ts';

/** A source and what was read from it. */
export interface LoadedSource {
  readonly source: ConfigurationSource;
  readonly parsed: ParsedConfiguration;
}

export interface MergedConfiguration {
  /** One for each label, in the order of the sources. */
  readonly servers: readonly ConfiguredServer[];
  /** The problems of each source, in the order of `sources`, with a note at each entry that is shadowed or goes without options. */
  readonly problems: readonly (readonly ConfigurationProblem[])[];
}

/**
 * Puts all sources together. Of several servers with one label the one of the first source counts; it names the others.
 * @param sources in order of precedence
 */
export function mergeConfiguration(sources: readonly LoadedSource[], settings: OptionSettings): MergedConfiguration {
  const servers = new Map<string, ConfiguredServer>();
  const problems = sources.map(({ source, parsed }) => {
    const found = createProblemList();
    for (const entry of parsed.servers) {
      const { label, definition, range } = entry;
      const first = servers.get(label);
      if (first === undefined) {
        const { withheld, ...effective } = effectiveOptions(entry, source, settings);
        servers.set(label, { label, definition, ...effective, withheld, source, range, shadows: [] });
        if (withheld !== undefined) {
          const message = `Server "${label}": ${describeWithheld(withheld)}`;
          found.report({ code: 'optionsWithheld', severity: 'warning', message, range });
        }
      } else {
        servers.set(label, { ...first, shadows: [...first.shadows, source] });
        const message = `Server "${label}": this entry is not used, because ${first.source.title} defines the same name and comes first.`;
        found.report({ code: 'shadowed', severity: 'information', message, range });
      }
    }
    return [...parsed.problems, ...found.problems];
  });
  return { servers: [...servers.values()], problems };
}

/** The limits of a server that nothing is said of. */
const defaultLimits: ServerLimits = {
  messageBytes: limits.message.bytes,
  members: limits.message.members,
  depth: limits.message.keptDepth,
  listCharacters: limits.list.characters,
  items: limits.list.items,
};

/** What the setting `patchbay.serverOptions` says. */
export interface OptionSettings {
  /** `undefined` where the user has none. */
  readonly user: UserOptions | undefined;
  /** By label. What cannot widen anything. */
  readonly workspace: ReadonlyMap<string, OptionsEntry>;
}

export interface UserOptions extends DefinitionTargets {
  readonly byLabel: ReadonlyMap<string, OptionsEntry>;
}

/** Comes with the options: reading command lines takes more code than all else about them, and few people have any. */
interface DefinitionTargets {
  readonly definitionTarget: typeof definitionTarget;
  readonly isTargetOf: typeof isTargetOf;
}

export interface EffectiveOptions {
  readonly options: ServerOptions;
  readonly withheld: WithheldOptions | undefined;
  /** See {@link ConfiguredServer.isUsersAuth}. */
  readonly isUsersAuth?: true;
}

/**
 * The options of a server: those of its entry, then of the workspace's settings, then of the user's, key by key.
 *
 * A workspace chooses its servers' labels. What the user's settings hold for a label therefore reaches a server of a
 * workspace only as far as it cannot widen anything, or where the setting says that it is for this very definition.
 */
export function effectiveOptions(
  { label, definition, options: entry }: Pick<ParsedEntry, 'label' | 'definition' | 'options'>,
  source: ConfigurationSource,
  settings: OptionSettings,
): EffectiveOptions {
  const user = settings.user?.byLabel.get(label);
  const effective = (options: ServerOptions, withheld?: WithheldOptions): EffectiveOptions => {
    const isUsersAuth = options.auth !== undefined && options.auth === user?.options.auth;
    return { options, withheld, ...(isUsersAuth && { isUsersAuth }) };
  };
  if (source.uri === undefined) return effective(mergeOptions(entry, user?.options));
  const shared = mergeOptions(entry, settings.workspace.get(label)?.options);
  const names = user === undefined ? [] : wideningOptions(user.options);
  if (settings.user === undefined || user === undefined || names.length === 0)
    return effective(mergeOptions(shared, user?.options));
  if (user.target !== undefined && settings.user.isTargetOf(user.target, definition))
    return effective(mergeOptions(shared, user.options));
  const withheld = { names, target: settings.user.definitionTarget(definition), writtenFor: user.target };
  return effective(mergeOptions(shared, withoutWidening(user.options)), withheld);
}

function mergeOptions(options: ServerOptions, stronger: ServerOptions | undefined): ServerOptions {
  if (stronger === undefined) return options;
  const merged = { ...options, ...stronger };
  return options.timeouts === undefined && stronger.timeouts === undefined
    ? merged
    : { ...merged, timeouts: { ...options.timeouts, ...stronger.timeouts } };
}

function withoutWidening({ autoStart, roots, limits: own, auth, ...rest }: ServerOptions): ServerOptions {
  return {
    ...rest,
    ...(autoStart === false && { autoStart }),
    // Without a choice a server is told of all folders: not to use the choice must not tell it more.
    ...(roots !== undefined && { roots: 'none' }),
    ...(own !== undefined && { limits: withoutLargerLimits(own) }),
    ...(auth !== undefined && !isSensitive(auth) && { auth }),
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

function isSensitive({ clientSecret, privateKey, assertion, idp, allowInsecure }: AuthSettings): boolean {
  return allowInsecure === true || [clientSecret, privateKey, assertion, idp].some((member) => member !== undefined);
}

/** Why options are not used, and what to do: full sentences. */
export function describeWithheld({ names, target, writtenFor }: WithheldOptions): string {
  const reason = writtenFor === undefined ? 'they do not say for which server they are' : `they are for ${writtenFor}`;
  return `your options ${names.join(', ')} are not used, because ${reason}. If they are meant for ${target}, choose “Allow Options for This Server…”.`;
}
