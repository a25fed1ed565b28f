import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ServerActions } from '../commands/serverActions.ts';
import { countOf } from '../displayText.ts';
import { notificationText } from '../notificationText.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';

/**
 * Offers to start servers that may still be at work on what an earlier window asked of them: once for each, and none in an
 * untrusted workspace. What starts by itself takes its tasks up without asking.
 */
export function offerResume(registry: ServerRegistry, actions: ServerActions): Disposable {
  const store = new DisposableStore();
  const seen = new Set<string>();

  function offerAll(): void {
    if (!workspace.isTrusted) return;
    for (const host of registry.servers) {
      if (seen.has(host.label)) continue;
      seen.add(host.label);
      const { server, configured } = host;
      const isStopped = server.state.kind === 'stopped' && configured.options.autoStart !== true;
      if (isStopped && server.tasks.length > 0) void offer(host, actions);
    }
  }

  offerAll();
  store.add(registry.onDidChangeServers(offerAll));
  store.add(workspace.onDidGrantWorkspaceTrust(offerAll));
  return store;
}

async function offer({ label, server }: HostServer, actions: ServerActions): Promise<void> {
  const [resume, dismiss] = ['Resume', 'Dismiss'];
  const tasks = server.tasks.map(({ id }) => id);
  const message = `${countOf(tasks.length, 'task')} of the server "${label}" may still run. Start it to take up what is left?`;
  const chosen = await window.showInformationMessage(notificationText(message), resume, dismiss);
  if (chosen === resume) await actions.start(label);
  if (chosen === dismiss) for (const id of tasks) server.forgetTask(id);
}
