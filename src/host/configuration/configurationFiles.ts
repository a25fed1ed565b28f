import { commands, Uri, workspace, type WorkspaceFolder as EditorFolder } from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
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
  parseConfiguration,
  parseServerOptionsSetting,
  parseServersSetting,
} from '../../config/parseConfiguration.ts';
import type { FileKind } from '../../config/serverSection.ts';
import { showPersonsFile } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { folderSetting, personalSetting } from '../platform/settings.ts';

export interface ConfigurationFile {
  readonly uri: Uri;
  readonly kind: FileKind;
  readonly source: ConfigurationSource;
}

const paths: readonly { readonly kind: FileKind; readonly path: string }[] = [
  { kind: 'vscode', path: '.vscode/mcp.json' },
  { kind: 'mcpJson', path: '.mcp.json' },
  { kind: 'cursor', path: '.cursor/mcp.json' },
  { kind: 'github', path: '.github/mcp.json' },
];

/** A glob pattern for the files, and for their folders, because deleting a folder deletes its file. */
export const watchedPattern = '{.mcp.json,.vscode,.vscode/mcp.json,.cursor,.cursor/mcp.json,.github,.github/mcp.json}';

export const documentSelector = [{ pattern: '**/{.mcp.json,.vscode/mcp.json,.cursor/mcp.json,.github/mcp.json}' }];

export function configurationFiles(): ConfigurationFile[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.flatMap((folder) =>
    paths.map(({ kind, path }): ConfigurationFile => {
      const uri = Uri.joinPath(folder.uri, path);
      const title = folders.length > 1 ? `${path} (${folder.name})` : path;
      return { uri, kind, source: { kind, uri: uri.toString(), folder: toFolder(folder), title } };
    }),
  );
}

/** The configuration file with that URI; `undefined` for files with the same name in other folders. */
export function configurationFileAt(uri: Uri): ConfigurationFile | undefined {
  const wanted = uri.toString();
  return configurationFiles().find((file) => file.source.uri === wanted);
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
  /** By URI. Contains every file that exists. */
  readonly files: ReadonlyMap<string, FileProblems>;
  /** Problems in the settings of Patchbay. They are logged: the Problems view shows files only. */
  readonly settingProblems: readonly ConfigurationProblem[];
  /** The number of errors and warnings in files, as the Problems view shows them. */
  readonly problemCount: number;
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
  const found = await Promise.all(configurationFiles().map((file) => loadFile(file, previous)));
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
  const problemCount = inFiles.filter(({ severity }) => severity !== 'information').length;
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
    const text = await readTextFile(uri, limits.configuration.bytes);
    if (text === undefined) return undefined;
    const known = previous.find((loaded) => loaded.source.uri === source.uri)?.parsed;
    return { source, text, parsed: keepServersOfBrokenFile(parseConfiguration(text, kind), known) };
  } catch (error) {
    const message = `${source.title} cannot be read: ${messageOf(error)}. None of it is used.`;
    const problem = { code: 'unreadable', severity: 'error', message, range: fileStart } as const;
    return { source, parsed: { servers: [], labels: [], inputs: [], problems: [problem] } };
  }
}
