import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { hasTaskEnded, type ServerTask } from '../../client/tasks/serverTask.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { onceTrusted } from '../servers/startOffers.ts';
import { runForPerson } from '../platform/personArguments.ts';

/**
 * Offers to start servers that may still be at work on what an earlier window asked of them: once for each, and none in an
 * untrusted workspace. What starts by itself takes its tasks up without asking.
 * @param reveal shows a server in the tree, with what is below it
 */
export function offerResume(
  registry: ServerRegistry,
  actions: ServerActions,
  reveal: (label: string) => Promise<void>,
): Disposable {
  async function offer({ label, server }: HostServer): Promise<void> {
    const [resume, dismiss] = ['Resume', 'Dismiss'];
    const tasks = server.tasks.map(({ id }) => id);
    const message = `${countOf(tasks.length, 'task')} of the server "${label}" may still be running. Start it to resume them?`;
    const chosen = await window.showInformationMessage(notificationText(message), resume, dismiss);
    if (chosen === dismiss) for (const id of tasks) server.forgetTask(id);
    if (chosen !== resume) return;
    await actions.start(label);
    await reveal(label);
  }

  return onceTrusted(registry, (host) => {
    const { server, configured } = host;
    const isStopped = server.state.kind === 'stopped' && configured.options.autoStart !== true;
    if (isStopped && server.tasks.length > 0) void offer(host);
    return true;
  });
}

/** Tells, once, of each task that has ended while no call waited for it. */
export function notifyEndedTasks(registry: Pick<ServerRegistry, 'onDidChangeAny'>): Disposable {
  const told = new WeakSet<ServerTask>();
  return registry.onDidChangeAny((host) => {
    for (const task of host.server.tasks) {
      if (!hasTaskEnded(task.state) || task.isAwaited || told.has(task)) continue;
      told.add(task);
      void notify(host, task);
    }
  });
}

async function notify({ label }: HostServer, { id, tool, state, message, hasResult }: ServerTask): Promise<void> {
  if (hasResult) {
    const showResult = 'Show Result';
    const text = `The tool "${tool}" of "${label}" has finished${state === 'failed' ? ' and reported an error' : ''}.`;
    const chosen = await window.showInformationMessage(notificationText(text), showResult);
    if (chosen === showResult) await runForPerson(CommandIds.showTaskResult, { server: label, task: id });
    return;
  }
  await window.showWarningMessage(
    notificationText(`${label}: ${message ?? `the tool "${tool}" did not finish.`}`, 500),
  );
}
