import { commands, window } from 'vscode';
import { CommandIds } from '../commands/commandIds.ts';
import { describeError } from '../describeError.ts';
import { notificationText } from '../notificationText.ts';

/** A button of the notification, which runs a command. */
export interface ErrorButton {
  readonly title: string;
  readonly command: string;
  readonly argument?: unknown;
}

/**
 * Shows anything thrown, but for cancellations, in a notification of its own. What a server sent along with its error opens
 * from there as a document.
 * @param text in place of the error's own
 */
export function showError(error: unknown, buttons: readonly ErrorButton[] = [], text?: string): void {
  const { message, details } = describeError(error);
  const title = 'Show Details';
  const argument = { title: `Error ${details?.code}`, value: details };
  const offered = details === undefined ? buttons : [{ title, command: CommandIds.openWhole, argument }, ...buttons];
  void window.showErrorMessage(notificationText(text ?? message, 1_000), ...offered).then((chosen) => {
    if (chosen !== undefined) void commands.executeCommand(chosen.command, chosen.argument);
  });
}
