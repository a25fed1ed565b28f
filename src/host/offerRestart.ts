import { window } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ServerActions } from './commands/serverActions.ts';
import { notificationText } from './notificationText.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

/** Offers to restart servers whose definition changed while they run: once for each change. */
export function offerRestart(registry: ServerRegistry, actions: ServerActions): Disposable {
  const offered = new WeakSet<HostServer['configured']>();
  return registry.onDidChangeAny((host) => {
    if (!host.isStale || offered.has(host.configured)) return;
    offered.add(host.configured);
    void offer(host, actions);
  });
}

async function offer({ label, configured }: HostServer, actions: ServerActions): Promise<void> {
  const restart = 'Restart';
  const message = `The configuration of the server "${label}" changed in ${configured.source.title}.`;
  if ((await window.showInformationMessage(notificationText(message), restart)) === restart)
    await actions.restart(label);
}
