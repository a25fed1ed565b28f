import { window } from 'vscode';
import { notificationText } from './displayText.ts';
import { showError } from './showError.ts';

/** Says what was done, with a button that takes it back. Nothing waits for the notification. */
export function offerUndo(done: string, undo: () => Promise<void>): void {
  const button = 'Undo';
  const ask = async (): Promise<void> => {
    if ((await window.showInformationMessage(notificationText(done), button)) === button) await undo();
  };
  void ask().catch((error: unknown) => showError(error));
}
