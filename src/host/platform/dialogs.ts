import { window, workspace } from 'vscode';

/** A question in a modal dialog: its texts and its buttons. All texts are plain. */
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

const yes: readonly unknown[] = [true, 'trust', 'approve', 'allow'];
const no: readonly unknown[] = [false, 'deny', 'decline'];

/**
 * The answer a test run gives instead of a person: `patchbay.testing.trust`, `patchbay.testing.consent`, or
 * `patchbay.testing.toolCalls`, which goes before `consent` for calls of tools. Ask only when VS Code runs extension tests.
 * @returns `undefined` if the person must be asked
 */
export function testingAnswer(question: 'trust' | 'consent' | 'toolCalls'): boolean | undefined {
  const value = workspace.getConfiguration('patchbay.testing').get<unknown>(question);
  if (yes.includes(value)) return true;
  return no.includes(value) ? false : undefined;
}
