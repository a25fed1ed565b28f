import { workspace } from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ConfigurationProblem } from '../../config/configurationProblem.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import {
  type LoadedSource,
  mergeConfiguration,
  type MergedConfiguration,
  type UserOptions,
} from '../../config/mergeConfiguration.ts';
import {
  keepServersOfBrokenFile,
  parseConfiguration,
  type ParsedConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../config/parseConfiguration.ts';
import { type ConfigurationFile, configurationFiles } from './configurationFiles.ts';
import { readTextFile } from '../platform/readTextFile.ts';

/** The configuration of all sources, in order of precedence. */
export interface LoadedConfiguration extends MergedConfiguration {
  readonly sources: readonly LoadedSource[];
  /** The text of each file that exists, by URI. */
  readonly texts: ReadonlyMap<string, string>;
  /** The problems in `patchbay.serverOptions`. */
  readonly optionProblems: readonly ConfigurationProblem[];
}

/** The settings of the user as a configuration source. */
export const userSource: ConfigurationSource = {
  kind: 'user',
  uri: undefined,
  folder: undefined,
  title: 'User settings',
};

/**
 * Reads every source once. Never throws: a file that cannot be read has a problem that says so.
 * @param previous the sources of the previous reading
 */
export async function loadConfiguration(
  demo: LoadedSource | undefined,
  previous: readonly LoadedSource[],
): Promise<LoadedConfiguration> {
  const texts = new Map<string, string>();
  const files = await Promise.all(configurationFiles().map((file) => loadFile(file, texts, previous)));
  const sources = [
    ...files.flat(),
    { source: userSource, parsed: userServers() },
    ...(demo === undefined ? [] : [demo]),
  ];
  const { globalValue, workspaceValue } = workspace.getConfiguration('patchbay').inspect('serverOptions') ?? {};
  const user = parseServerOptionsSetting(globalValue, 'user');
  const shared = parseServerOptionsSetting(workspaceValue, 'workspace');
  const settings = { user: await withTargets(user.options), workspace: shared.options };
  const merged = mergeConfiguration(sources, settings);
  return { ...merged, sources, texts, optionProblems: [...user.problems, ...shared.problems] };
}

async function withTargets(byLabel: UserOptions['byLabel']): Promise<UserOptions | undefined> {
  if (byLabel.size === 0) return undefined;
  const { definitionTarget, isTargetOf } = await import('../../config/launchTarget.ts');
  return { byLabel, definitionTarget, isTargetOf };
}

async function loadFile(
  { uri, kind, source }: ConfigurationFile,
  texts: Map<string, string>,
  previous: readonly LoadedSource[],
): Promise<LoadedSource[]> {
  try {
    const text = await readTextFile(uri, limits.configuration.bytes);
    if (text === undefined) return [];
    texts.set(uri.toString(), text);
    const known = previous.find((loaded) => loaded.source.uri === source.uri)?.parsed;
    return [{ source, parsed: keepServersOfBrokenFile(parseConfiguration(text, kind), known) }];
  } catch (error) {
    return [{ source, parsed: unreadable(`${source.title} cannot be read: ${messageOf(error)}. None of it is used.`) }];
  }
}

/** Reads the user settings only: a workspace defines servers in files, which need trust. */
function userServers(): ParsedConfiguration {
  const configuration = workspace.getConfiguration('patchbay');
  return parseServersSetting(
    configuration.inspect('servers')?.globalValue,
    configuration.inspect('inputs')?.globalValue,
  );
}

function unreadable(message: string): ParsedConfiguration {
  const range = { offset: 0, length: 0 };
  return { servers: [], labels: [], inputs: [], problems: [{ code: 'unreadable', severity: 'error', message, range }] };
}
