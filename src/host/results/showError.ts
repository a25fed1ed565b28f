import { window } from 'vscode';
import { describeError } from '../describeError.ts';
import { notificationText } from '../notificationText.ts';

/** Shows anything thrown, but for cancellations, in a notification of its own. */
export function showError(error: unknown): void {
  void window.showErrorMessage(notificationText(describeError(error).message, 1_000));
}
