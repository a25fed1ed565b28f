import { window, workspace } from 'vscode';
import { type Clock, createSystemClock } from '../../base/clock.ts';

/** A question in a modal dialog: its texts and its buttons. All texts are plain. */
export interface SafeQuestion<Choice extends string> {
  readonly message: string;
  readonly detail: string;
  /** A button that neither runs, sends, opens in a browser nor forgets anything. VS Code adds *Cancel* by itself. */
  readonly safe: Choice;
  readonly actions: readonly Choice[];
  /** The first action comes first and has the focus: only where the person has just asked for it, and it is as usual. */
  readonly isExpected?: boolean;
}

/** Milliseconds that a question must have been shown before an answer other than the safe one counts. */
const readingMs = 1_000;

/** Answers in a row that come too early; then the question is cancelled. */
const maximumQuick = 5;

const tooQuick = 'You answered very quickly. Please check again.';

/**
 * Asks in a modal dialog. VS Code focuses the first button, and the keys of a person who is typing may reach the dialog
 * before its text reaches the person: the first button is therefore the safe one, unless the action is expected. Keys and
 * clicks that come too early decide nothing: an answer other than the safe one within a second is asked again, and is a no
 * after several times.
 * @returns the button that was pressed; `undefined` when the dialog was cancelled
 */
export async function askSafely<const Choice extends string>(
  { message, detail, safe, actions, isExpected = false }: SafeQuestion<Choice>,
  clock: Pick<Clock, 'now'> = createSystemClock(),
): Promise<Choice | undefined> {
  const buttons = isExpected ? [...actions, safe] : [safe, ...actions];
  const ask = (isAgain: boolean): Thenable<Choice | undefined> => {
    const options = { modal: true, detail: isAgain ? `${tooQuick}\n\n${detail}` : detail };
    return window.showWarningMessage<Choice>(message, options, ...buttons);
  };
  // VS Code shows one dialog after the other: asked before that, the second one would have been read behind the first.
  const answer = lastAnswer.then(() => unhurriedAnswer(ask, safe, clock));
  lastAnswer = answer.then(
    () => {},
    () => {},
  );
  return answer;
}

/** Settled when no dialog is open. */
let lastAnswer: Promise<void> = Promise.resolve();

/** Asks again as long as an answer other than the safe one comes within a second; `undefined` after several times. */
export async function unhurriedAnswer<Choice>(
  ask: (isAgain: boolean) => Thenable<Choice | undefined>,
  safe: Choice,
  clock: Pick<Clock, 'now'> = createSystemClock(),
): Promise<Choice | undefined> {
  for (let attempt = 0; attempt < maximumQuick; attempt += 1) {
    const shownAt = clock.now();
    const chosen = await ask(attempt > 0);
    if (chosen === undefined || chosen === safe || clock.now() - shownAt >= readingMs) return chosen;
  }
  return undefined;
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
