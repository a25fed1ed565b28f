import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { SignInBoard } from './auth/signInBoard.ts';
import type { ServerActions } from './commands/serverActions.ts';
import type { ServerRegistry } from './serverRegistry.ts';

/** Starts the servers marked `autoStart`, each once in a window, and none in an untrusted workspace. */
export function autoStart(
  registry: ServerRegistry,
  actions: ServerActions,
  signIns: Pick<SignInBoard, 'mark'>,
): Disposable {
  const store = new DisposableStore();
  const started = new Set<string>();

  function startMarked(): void {
    if (!workspace.isTrusted) return;
    for (const { label, configured } of registry.servers) {
      if (configured.options.autoStart !== true || started.has(label)) continue;
      started.add(label);
      // Nobody has asked for it: a sign-in is not to jump out at them.
      const mark = signIns.mark(label, 'unattended');
      void actions.start(label).then(() => mark.dispose());
    }
  }

  startMarked();
  store.add(registry.onDidChangeServers(startMarked));
  store.add(workspace.onDidGrantWorkspaceTrust(startMarked));
  return store;
}
