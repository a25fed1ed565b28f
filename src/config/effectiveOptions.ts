import type { AuthSettings } from '../base/authSettings.ts';
import { limits, type ServerLimits } from '../base/limits.ts';
import type { ConfigurationSource, WithheldOptions } from './configuredServer.ts';
import type { definitionTarget, isTargetOf } from './definitionTarget.ts';
import type { OptionsEntry, ParsedEntry } from './parseConfiguration.ts';
import type { ServerOptions } from './serverDefinition.ts';

/** The limits of a server that nothing is said of. */
const usual: ServerLimits = {
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
  if (source.uri === undefined) return effective(merge(entry, user?.options));
  const shared = merge(entry, settings.workspace.get(label)?.options);
  const names = user === undefined ? [] : wideningOptions(user.options);
  if (settings.user === undefined || user === undefined || names.length === 0)
    return effective(merge(shared, user?.options));
  if (user.target !== undefined && settings.user.isTargetOf(user.target, definition))
    return effective(merge(shared, user.options));
  const withheld = { names, target: settings.user.definitionTarget(definition), writtenFor: user.target };
  return effective(merge(shared, withoutWidening(user.options)), withheld);
}

function merge(options: ServerOptions, stronger: ServerOptions | undefined): ServerOptions {
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
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => value <= usual[name as keyof ServerLimits]));
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
