import { commands, FileSystemError, type Tab, window } from 'vscode';
import { askUntil } from './patchbay.ts';

/** Resolves as soon as the active tab passes `accept`. */
export async function untilActiveTab(accept: (tab: Tab) => boolean): Promise<void> {
  await askUntil(
    () => Promise.resolve(window.tabGroups.activeTabGroup.activeTab),
    (tab) => tab !== undefined && accept(tab),
  );
}

/** The labels of the tabs with this text in them. */
export function openTabs(text: string): string[] {
  const labels = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
  return labels.filter((label) => label.includes(text));
}

/** Closes every tab, unsaved documents too. */
export async function closeEditors(): Promise<void> {
  while (window.tabGroups.activeTabGroup.activeTab !== undefined) {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/** Repeats a command of the quick pick that is about to open, until `run` has ended: the API does not tell when it is open. */
export async function drivingQuickPick<T>(command: 'accept' | 'close', run: Thenable<T>): Promise<T> {
  const id = command === 'accept' ? 'workbench.action.acceptSelectedQuickOpenItem' : 'workbench.action.closeQuickOpen';
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  run.then(end, end);
  await askUntil(
    () => Promise.resolve(commands.executeCommand(id)),
    () => isOver,
  );
  return run;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof FileSystemError && error.code === 'FileNotFound';
}
