import { window } from 'vscode';

export interface SafeQuestion<Choice extends string> {
  readonly message: string;
  readonly detail: string;
  /** A button that neither runs, sends, opens in a browser nor forgets anything. VS Code adds *Cancel* by itself. */
  readonly safe: Choice;
  /** What the question is about, the most likely first. */
  readonly actions: readonly Choice[];
}

/**
 * Asks in a modal dialog. VS Code focuses the first button, and the keys of a person who is typing may reach the dialog
 * before its text reaches the person: the first button is therefore always the safe one.
 * @returns the button that was pressed; `undefined` when the dialog was cancelled
 */
export async function askSafely<const Choice extends string>(
  question: SafeQuestion<Choice>,
): Promise<Choice | undefined> {
  const { message, detail, safe, actions } = question;
  return window.showWarningMessage<Choice>(message, { modal: true, detail }, safe, ...actions);
}
