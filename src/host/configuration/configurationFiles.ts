import { commands, Range, Uri, window, workspace, type WorkspaceFolder as EditorFolder } from 'vscode';
import type {
  ConfigurationSource,
  ConfiguredServer,
  TextRange,
  WorkspaceFolder,
} from '../../config/configuredServer.ts';
import type { FileKind } from '../../config/parseConfiguration.ts';

/** A path in a workspace folder where servers can be configured; the file need not exist. */
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

/** Selects the configuration files among the documents in editors. */
export const documentSelector = [{ pattern: '**/{.mcp.json,.vscode/mcp.json,.cursor/mcp.json,.github/mcp.json}' }];

/** The configuration files of all open folders, in order of precedence. */
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

/** The open workspace folders. */
export function openFolders(): WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).map(toFolder);
}

function toFolder({ name, uri }: EditorFolder): WorkspaceFolder {
  return { name, uri: uri.toString(), path: uri.fsPath };
}

/** Opens the definition of a server: its entry in a file, or the setting. */
export function openConfiguration({ source, range }: ConfiguredServer): Promise<void> {
  return openSource(source, range);
}

/** Opens a source of servers: a file, with `range` selected, or the setting. */
export async function openSource(
  { kind, uri }: ConfigurationSource,
  range: TextRange = { offset: 0, length: 0 },
): Promise<void> {
  if (kind === 'demo') {
    await commands.executeCommand('workbench.action.openSettings', 'patchbay.demoServer');
    return;
  }
  if (uri === undefined) {
    await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.servers' } });
    return;
  }
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const { offset, length } = range;
  const selection = new Range(document.positionAt(offset), document.positionAt(offset + length));
  await window.showTextDocument(document, { selection });
}
