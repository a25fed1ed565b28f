import { pathToFileURL } from 'node:url';
import { workspace } from 'vscode';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { Root } from '../../protocol/mcp/roots.ts';

/** The workspace folders as roots for a server that may see those of `choice`. Folders without a path here are left out. */
export function workspaceRoots(choice: RootsChoice = 'all'): Root[] {
  if (choice === 'none') return [];
  return (workspace.workspaceFolders ?? [])
    .filter(({ name }) => choice === 'all' || choice.includes(name))
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name }));
}
