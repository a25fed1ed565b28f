import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { ServerActions } from './commands/serverActions.ts';
import type { ServerRegistry } from './serverRegistry.ts';

/** Starts the servers marked `autoStart`, each once in a window, and none in an untrusted workspace. */
export function autoStart(registry: ServerRegistry, actions: Pick<ServerActions, 'startUnattended'>): Disposable {
  const store = new DisposableStore();
  const started = new Set<string>();

  function startMarked(): void {
    if (!workspace.isTrusted) return;
    for (const { label, configured } of registry.servers) {
      if (configured.options.autoStart !== true || started.has(label)) continue;
      started.add(label);
      void actions.startUnattended(label);
    }
  }

  startMarked();
  store.add(registry.onDidChangeServers(startMarked));
  store.add(workspace.onDidGrantWorkspaceTrust(startMarked));
  return store;
}
