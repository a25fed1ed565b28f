import { pathToFileURL } from 'node:url';
import { workspace, type WorkspaceFolder } from 'vscode';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { Root } from '../../protocol/mcp/roots.ts';

/** The workspace folders as roots for a server that may see those of `choice`. Folders without a path here are left out. */
export function workspaceRoots(choice?: RootsChoice): Root[] {
  return toldFolders(choice).map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name }));
}

/** The workspace folders that a server with this choice is told of, now; without a choice that is all of them. */
export function toldFolders(choice: RootsChoice = 'all'): readonly WorkspaceFolder[] {
  if (choice === 'none') return [];
  return (workspace.workspaceFolders ?? [])
    .filter(({ name }) => choice === 'all' || choice.includes(name))
    .filter(({ uri }) => uri.scheme === 'file');
}
