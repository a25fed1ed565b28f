import { window } from 'vscode';
import { errorLineOf, tellingLines } from '../../base/errorLine.ts';
import { isCancellation, isPatchbayError } from '../../base/errors.ts';
import { JsonRpcError, type JsonRpcErrorBody } from '../../protocol/jsonRpc.ts';
import { CommandIds } from '../commandIds.ts';
import { describeError } from './describeError.ts';
import { notificationText } from './displayText.ts';
import { failedUseOf } from './failedUses.ts';
import { runForPerson } from './personArguments.ts';

export interface ErrorButton {
  readonly title: string;
  readonly command: string;
  /** The label of a server, or what the command takes. */
  readonly argument?: string | object;
}

/** Characters of a notification: about six lines of it. */
const maximumText = 500;

/**
 * Shows anything thrown, but for cancellations, in a short notification that names the server if a start failed, and begins with the
 * sentence of `rememberFailedUse`. What a server sent along with its error opens from there as a document.
 */
export function showError(error: unknown, buttons: readonly ErrorButton[] = []): void {
  const details = errorDetails(error);
  const title = 'Show Details';
  const argument = { title: `Error ${details?.code}`, value: details };
  const { use, server } = failedUseOf(error);
  const offered = [
    ...(use?.remedy === undefined ? [] : [use.remedy]),
    ...(details === undefined ? [] : [{ title, command: CommandIds.openWhole, argument }]),
    ...buttons,
  ];
  const message = named(shortened(describeError(error).message), server);
  const shown = notificationText(use === undefined ? message : `${use.sentence} ${message}`, maximumText);
  void window.showErrorMessage(shown, ...offered).then(async (chosen) => {
    if (chosen === undefined) return;
    if ('command' in chosen) return runForPerson(chosen.command, chosen.argument);
    try {
      await chosen.run();
    } catch (failed) {
      if (!isCancellation(failed)) showError(failed, buttons);
    }
  });
}

/** Patchbay's own sentences start with the server they are about. A name further on may be a path or the server's text. */
function named(message: string, label: string | undefined): string {
  const isNamed = ['The server', 'Server'].some((start) => message.startsWith(`${start} "${label}"`));
  if (label === undefined || isNamed) return message;
  const [, rest] = /^The server( (?!").*)$/s.exec(message) ?? [];
  return rest === undefined ? `${label}: ${message}` : `“${label}”${rest}`;
}

/** Of a text with many lines, such as a stack trace, the first line and the last one that names an error. */
export function shortened(text: string): string {
  const lines = tellingLines(text);
  const [first = '', ...rest] = lines;
  if (rest.length <= 2) return lines.join(' ');
  return `${first}${first.endsWith(':') ? '' : ' …'} ${errorLineOf(rest)}`;
}

/** The server's own error, if it has more than a message; one of Patchbay's errors may have it as its cause. */
function errorDetails(error: unknown): JsonRpcErrorBody | undefined {
  const cause = isPatchbayError(error) ? error.cause : undefined;
  const body = [error, cause].find((candidate) => candidate instanceof JsonRpcError);
  if (body?.data === undefined || body.data === null) return undefined;
  return { code: body.code, message: body.message, data: body.data };
}
