import { commands, window } from 'vscode';
import { isPatchbayError } from '../../base/errors.ts';
import { JsonRpcError, type JsonRpcErrorBody } from '../../protocol/jsonRpc.ts';
import { CommandIds } from '../commandIds.ts';
import { describeError } from './describeError.ts';
import { notificationText } from './displayText.ts';

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
  const details = errorDetails(error);
  const title = 'Show Details';
  const argument = { title: `Error ${details?.code}`, value: details };
  const offered = details === undefined ? buttons : [{ title, command: CommandIds.openWhole, argument }, ...buttons];
  const shown = notificationText(text ?? describeError(error).message, 1_000);
  void window.showErrorMessage(shown, ...offered).then((chosen) => {
    if (chosen !== undefined) void commands.executeCommand(chosen.command, chosen.argument);
  });
}

/** The server's own error, if it has more than a message; one of Patchbay's errors may have it as its cause. */
function errorDetails(error: unknown): JsonRpcErrorBody | undefined {
  const cause = isPatchbayError(error) ? error.cause : undefined;
  const body = [error, cause].find((candidate) => candidate instanceof JsonRpcError);
  if (body?.data === undefined || body.data === null) return undefined;
  return { code: body.code, message: body.message, data: body.data };
}
