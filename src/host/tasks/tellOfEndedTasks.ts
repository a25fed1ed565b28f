import { commands, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isOver, type ServerTask } from '../../client/tasks/serverTask.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { notificationText } from '../notificationText.ts';
import type { HostServer, ServerRegistry } from '../serverRegistry.ts';

/** Tells, once, of each task that has ended while no call waited for it. */
export function tellOfEndedTasks(registry: Pick<ServerRegistry, 'onDidChangeAny'>): Disposable {
  const told = new WeakSet<ServerTask>();
  return registry.onDidChangeAny((host) => {
    for (const task of host.server.tasks) {
      if (!isOver(task.state) || task.isAwaited || told.has(task)) continue;
      told.add(task);
      void tell(host, task);
    }
  });
}

async function tell({ label }: HostServer, { id, tool, state, message, hasResult }: ServerTask): Promise<void> {
  if (hasResult) {
    const showResult = 'Show Result';
    const text = `The tool "${tool}" of "${label}" is done${state === 'failed' ? ', and reports an error' : ''}.`;
    const chosen = await window.showInformationMessage(notificationText(text), showResult);
    if (chosen === showResult) await commands.executeCommand(CommandIds.showTaskResult, { server: label, task: id });
    return;
  }
  await window.showWarningMessage(notificationText(`${label}: ${message ?? `the tool "${tool}" was not done.`}`, 500));
}
