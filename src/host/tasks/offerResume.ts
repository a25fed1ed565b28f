import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ServerActions } from '../commands/serverActions.ts';
import { countOf } from '../displayText.ts';
import { notificationText } from '../notificationText.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';

export interface ResumeOptions {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  /** Shows a server in the tree, with what is below it. */
  readonly reveal: (label: string) => Promise<void>;
}

/**
 * Offers to start servers that may still be at work on what an earlier window asked of them: once for each, and none in an
 * untrusted workspace. What starts by itself takes its tasks up without asking.
 */
export function offerResume({ registry, actions, reveal }: ResumeOptions): Disposable {
  const store = new DisposableStore();
  const seen = new Set<string>();

  function offerAll(): void {
    if (!workspace.isTrusted) return;
    for (const host of registry.servers) {
      if (seen.has(host.label)) continue;
      seen.add(host.label);
      const { server, configured } = host;
      const isStopped = server.state.kind === 'stopped' && configured.options.autoStart !== true;
      if (isStopped && server.tasks.length > 0) void offer(host);
    }
  }

  async function offer({ label, server }: HostServer): Promise<void> {
    const [resume, dismiss] = ['Resume', 'Dismiss'];
    const tasks = server.tasks.map(({ id }) => id);
    const message = `${countOf(tasks.length, 'task')} of the server "${label}" may still run. Start it to take up what is left?`;
    const chosen = await window.showInformationMessage(notificationText(message), resume, dismiss);
    if (chosen === dismiss) for (const id of tasks) server.forgetTask(id);
    if (chosen !== resume) return;
    await actions.start(label);
    await reveal(label);
  }

  offerAll();
  store.add(registry.onDidChangeServers(offerAll));
  store.add(workspace.onDidGrantWorkspaceTrust(offerAll));
  return store;
}
