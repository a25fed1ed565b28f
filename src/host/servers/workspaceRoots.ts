import { pathToFileURL } from 'node:url';
import { workspace, type WorkspaceFolder } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { Root } from '../../protocol/mcp/roots.ts';
import type { ServerRegistry } from './serverRegistry.ts';

/** The workspace folders as roots for a server that may see those of `choice`. Folders without a path here are left out. */
export function workspaceRoots(choice?: RootsChoice): Root[] {
  return sharedFolders(choice).map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name }));
}

/** The workspace folders that a server with this choice may know about now; without a choice, all of them. */
export function sharedFolders(choice: RootsChoice = 'all'): readonly WorkspaceFolder[] {
  if (choice === 'none') return [];
  return (workspace.workspaceFolders ?? [])
    .filter(({ name }) => choice === 'all' || choice.includes(name))
    .filter(({ uri }) => uri.scheme === 'file');
}

/**
 * Sends `roots/list_changed` to running servers whose roots changed: a folder was added or removed, or the user's
 * choice changed.
 */
export function followRoots(registry: ServerRegistry): Disposable {
  const store = new DisposableStore();
  let lent = new Map<string, string>();

  function check(): void {
    const before = lent;
    lent = new Map(
      registry.servers.map(({ label, configured }) => [
        label,
        JSON.stringify(workspaceRoots(configured.options.roots)),
      ]),
    );
    for (const [label, roots] of lent) {
      if (before.has(label) && before.get(label) !== roots) registry.get(label)?.server.notifyRootsChanged();
    }
  }

  check();
  store.add(workspace.onDidChangeWorkspaceFolders(check));
  store.add(registry.onDidChangeServers(check));
  return store;
}
