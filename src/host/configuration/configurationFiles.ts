import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, env, FileType, RelativePattern, Uri, workspace, type WorkspaceFolder as EditorFolder } from 'vscode';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { configurationPaths, containerFile, copilotFile } from '../../config/configurationPaths.ts';
import type { ConfigurationProblem } from '../../config/configurationProblem.ts';
import type {
  ConfigurationSource,
  ConfiguredServer,
  TextRange,
  WorkspaceFolder,
} from '../../config/configuredServer.ts';
import { type LoadedSource, mergeConfiguration, type UserOptions } from '../../config/mergeConfiguration.ts';
import {
  keepServersOfBrokenFile,
  type ParsedConfiguration,
  parseConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../config/parseConfiguration.ts';
import { type FileKind, isAboutMore, limitsOf, mayHaveServers } from '../../config/serverSection.ts';
import { absoluteOr } from '../../config/variables.ts';
import { showPersonsFile } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { folderSetting, personalSetting } from '../platform/settings.ts';

export interface ConfigurationFile {
  readonly uri: Uri;
  readonly kind: FileKind;
  readonly source: ConfigurationSource;
}

/** A glob pattern for the files of a folder, and for their own folders, because deleting one deletes its file. */
export const watchedPattern = `{${configurationPaths.map(({ path }) => path).join()},.vscode,.cursor,.github,.devcontainer,.devcontainer/*}`;

export const documentSelector = [
  { pattern: `**/{${configurationPaths.map(({ path }) => path).join()},*.code-workspace,${copilotFile}}` },
];

/**
 * The files in order of precedence: those of each folder, that of the workspace, that of the person.
 * @param containers the names of containers that may have a file in a folder of their own
 */
export function configurationFiles(containers: readonly string[] = []): ConfigurationFile[] {
  const folders = workspace.workspaceFolders ?? [];
  const files = folders.flatMap((folder) =>
    configurationPaths.flatMap(({ kind, path: pattern }) => {
      const found = pattern.includes('*') ? containers.map((name) => pattern.replace('*', () => name)) : [pattern];
      return found.map((path): ConfigurationFile => {
        const uri = Uri.joinPath(folder.uri, path);
        const title = folders.length > 1 ? `${path} (${folder.name})` : path;
        return { uri, kind, source: { kind, uri: uri.toString(), folder: toFolder(folder), title } };
      });
    }),
  );
  return [...files, ...workspaceFile(folders[0]), copilotConfiguration()];
}

/** The same with the files of containers that have a folder of their own. */
export async function findConfigurationFiles(): Promise<ConfigurationFile[]> {
  const patterns = (workspace.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, containerFile));
  const found = await Promise.all(patterns.map(filesMatching));
  return configurationFiles([...new Set(found.flat().map(folderName))]);
}

/**
 * @param uri its last name with a `*` stands for any name with that before and after it
 * @returns the files that there may be, by name
 */
export async function filesMatching(uri: Uri): Promise<readonly Uri[]> {
  const parts = uri.path.split('/');
  // The folders before it are those of the person, whose names may have one too.
  const index = parts.findLastIndex((part) => part.includes('*'));
  const [start = '', end = ''] = parts[index]?.split('*') ?? [];
  const rest = parts.slice(index + 1);
  const folder = Uri.joinPath(uri, ...rest.map(() => '..'), '..');
  const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
  const names = entries
    .filter(([, type]) => rest.length === 0 || (type & FileType.Directory) !== 0)
    .map(([name]) => name)
    .filter((name) => name.startsWith(start) && name.endsWith(end));
  return names
    .toSorted()
    .slice(0, limits.configuration.matching)
    .map((name) => Uri.joinPath(folder, name, ...rest));
}

function folderName({ path }: Uri): string {
  return path.split('/').at(-2) ?? '';
}

/** A workspace that was never saved has no file that can be read. */
function workspaceFile(folder: EditorFolder | undefined): ConfigurationFile[] {
  const uri = workspace.workspaceFile;
  if (uri === undefined || uri.scheme === 'untitled') return [];
  const kind = 'codeWorkspace';
  const title = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return [{ uri, kind, source: { kind, uri: uri.toString(), folder: folder && toFolder(folder), title } }];
}

/** Copilot CLI has it in its folder, and VS Code adds servers for all workspaces there. */
function copilotConfiguration(): ConfigurationFile {
  const usual = join(homedir(), '.copilot');
  const folder = absoluteOr(process.env['COPILOT_HOME'], usual);
  const uri = Uri.joinPath(Uri.file(folder), copilotFile);
  const title = folder === usual ? `~/.copilot/${copilotFile}` : join(folder, copilotFile);
  return { uri, kind: 'copilot', source: { kind: 'copilot', uri: uri.toString(), folder: undefined, title } };
}

/** What to watch for all configuration files, each pattern with its base. */
export function watchedPlaces(): RelativePattern[] {
  const outside = configurationFiles().filter(({ kind }) => kind === 'codeWorkspace' || kind === 'copilot');
  return [
    ...(workspace.workspaceFolders ?? []).map((folder) => new RelativePattern(folder, watchedPattern)),
    ...outside.flatMap(({ kind, uri }) => {
      const folder = Uri.joinPath(uri, '..');
      // The name of a workspace file may have characters of patterns.
      if (kind === 'codeWorkspace') return [new RelativePattern(folder, '*.code-workspace')];
      // Where the folder is made later, with the file in it, VS Code tells of the folder alone.
      const name = folderName(uri).replaceAll(/[^\w.-]/g, '?');
      return [new RelativePattern(folder, copilotFile), new RelativePattern(Uri.joinPath(folder, '..'), name)];
    }),
  ];
}

/** The configuration file with that URI; `undefined` for files with the same name in other folders. */
export function configurationFileAt(uri: Uri): ConfigurationFile | undefined {
  const wanted = uri.toString();
  return configurationFiles([folderName(uri)]).find((file) => file.source.uri === wanted);
}

const fileStart: TextRange = { offset: 0, length: 0 };

export function openFolders(): WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).map(toFolder);
}

function toFolder({ name, uri }: EditorFolder): WorkspaceFolder {
  return { name, uri: uri.toString(), path: uri.fsPath };
}

export function openConfiguration({ source, range }: ConfiguredServer): Promise<void> {
  return openSource(source, range);
}

export async function openSource({ kind, uri }: ConfigurationSource, range = fileStart): Promise<void> {
  if (kind === 'demo') {
    await commands.executeCommand('workbench.action.openSettings', 'patchbay.demoServer');
    return;
  }
  if (uri === undefined) {
    await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.servers' } });
    return;
  }
  await showPersonsFile(Uri.parse(uri), () => range);
}

interface FileProblems {
  /** The text as it was read, which the offsets of the problems refer to. */
  readonly text: string;
  readonly problems: readonly ConfigurationProblem[];
}

export interface ConfigurationSnapshot {
  readonly servers: readonly ConfiguredServer[];
  /** By URI. Contains every file that exists and may have servers. */
  readonly files: ReadonlyMap<string, FileProblems>;
  /** Problems in the settings of Patchbay. They are logged: the Problems view shows files only. */
  readonly settingProblems: readonly ConfigurationProblem[];
  /** The number of errors and warnings: in files, as the Problems view shows them, and in settings. */
  readonly problemCount: Readonly<Record<'files' | 'settings', number>>;
}

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
): Promise<{ readonly sources: readonly LoadedSource[]; readonly snapshot: ConfigurationSnapshot }> {
  const found = await Promise.all((await findConfigurationFiles()).map((file) => loadFile(file, previous)));
  // Of the settings only those of the user: a workspace defines servers in files, which need trust.
  const user = parseServersSetting(personalSetting('servers'), personalSetting('inputs'));
  const sources = [...found, { source: userSource, parsed: user }, demo].filter((source) => source !== undefined);
  const own = parseServerOptionsSetting(personalSetting('serverOptions'), 'user');
  const shared = parseServerOptionsSetting(folderSetting('serverOptions'), 'workspace');
  const settings = { user: await withTargets(own.options), workspace: shared.options };
  const { servers, problems } = mergeConfiguration(sources, settings);
  const files = new Map<string, FileProblems>();
  const settingProblems = [...own.problems, ...shared.problems];
  for (const [index, { source, text = '' }] of sources.entries()) {
    if (source.uri === undefined) settingProblems.push(...(problems[index] ?? []));
    else files.set(source.uri, { text, problems: problems[index] ?? [] });
  }
  const inFiles = [...files.values()].flatMap((file) => file.problems);
  const count = (list: readonly ConfigurationProblem[]): number =>
    list.filter(({ severity }) => severity !== 'information').length;
  const problemCount = { files: count(inFiles), settings: count(settingProblems) };
  return { sources, snapshot: { servers, files, settingProblems, problemCount } };
}

async function withTargets(byLabel: UserOptions['byLabel']): Promise<UserOptions | undefined> {
  if (byLabel.size === 0) return undefined;
  const { definitionTarget, isTargetOf } = await import('../../config/launchTarget.ts');
  return { byLabel, definitionTarget, isTargetOf };
}

async function loadFile(
  { uri, kind, source }: ConfigurationFile,
  previous: readonly LoadedSource[],
): Promise<LoadedSource | undefined> {
  try {
    const text = await readTextFile(uri, limitsOf(kind).bytes);
    if (text === undefined || !mayHaveServers(text, kind)) return undefined;
    const known = previous.find((loaded) => loaded.source.uri === source.uri)?.parsed;
    return {
      source,
      text,
      parsed: withPlaceNote(kind, keepServersOfBrokenFile(parseConfiguration(text, kind), known)),
    };
  } catch (error) {
    // Whether it has servers is not known.
    if (isAboutMore(kind) && error instanceof PatchbayError && error.code === 'messageTooLarge') return undefined;
    const message = `${source.title} cannot be read: ${messageOf(error)}. None of it is used.`;
    const problem = { code: 'unreadable', severity: 'error', message, range: fileStart } as const;
    return { source, parsed: { servers: [], labels: [], inputs: [], problems: [problem] } };
  }
}

function withPlaceNote(kind: FileKind, parsed: ParsedConfiguration): ParsedConfiguration {
  const [first] = parsed.servers;
  if (kind !== 'devcontainer' || first === undefined || env.remoteName !== undefined) return parsed;
  const message =
    'VS Code starts these servers in the dev container only. Patchbay starts them where this window runs, which is not in a container.';
  const note = { code: 'outsideContainer', severity: 'information', message, range: first.range } as const;
  return { ...parsed, problems: [...parsed.problems, note] };
}
