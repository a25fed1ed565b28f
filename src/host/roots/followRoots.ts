import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ClientManager } from '../../client/clientManager.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { workspaceRoots } from './workspaceRoots.ts';

/** Tells running servers when the roots lent to them change: a folder comes or goes, or the user's choice does. */
export function followRoots(registry: ServerRegistry, manager: ClientManager): Disposable {
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
      if (before.has(label) && before.get(label) !== roots) manager.get(label)?.notifyRootsChanged();
    }
  }

  check();
  store.add(workspace.onDidChangeWorkspaceFolders(check));
  store.add(registry.onDidChangeServers(check));
  return store;
}
