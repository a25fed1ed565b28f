import { CancellationTokenSource, window } from 'vscode';
import { CancelledError } from '../../base/errors.ts';
import type { PickInput, PromptInput } from '../../config/inputs.ts';
import { shortTarget } from '../../config/launchTarget.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { InputConsumer } from './inputStore.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';

export { createCommandInputs } from './askCommand.ts';

/** Asks for a text. @throws {CancelledError} when the person closes the question; the other functions too */
export async function askText(input: PromptInput, user: InputConsumer, signal: AbortSignal): Promise<string> {
  const answer = await withToken(signal, (token) =>
    window.showInputBox(
      {
        title: titleOf(user),
        prompt: notificationText(purpose(input, user)),
        ignoreFocusOut: true,
        password: input.password,
        ...(input.default !== undefined && { value: input.default }),
      },
      token,
    ),
  );
  return answered(answer);
}

/** Asks for one of the options of an input, the default one first. */
export async function askPick(input: PickInput, user: InputConsumer, signal: AbortSignal): Promise<string> {
  const items = input.options.map((option) => ({
    label: escapeIcons(singleLine(option.label)),
    description: option.value === option.label ? '' : escapeIcons(singleLine(option.value)),
    value: option.value,
  }));
  const first = items.filter(({ value }) => value === input.default);
  const picked = await withToken(signal, (token) =>
    window.showQuickPick(
      [...first, ...items.filter((item) => !first.includes(item))],
      {
        title: titleOf(user),
        placeHolder: purpose(input, user),
        ignoreFocusOut: true,
      },
      token,
    ),
  );
  return answered(picked?.value);
}

function titleOf({ label }: InputConsumer): string {
  return `Input for the MCP server ${singleLine(visibleText(label), 80)}`;
}

/** The target of the value comes first: the description is a text of the file, which may claim anything. */
function purpose({ id, description }: PromptInput | PickInput, { target }: InputConsumer): string {
  return `Goes to ${shortTarget(target)}. ${visibleText(id)}: ${visibleText(description)}`;
}

function answered<T>(answer: T | undefined): T {
  if (answer === undefined) throw new CancelledError();
  return answer;
}

async function withToken<T>(
  signal: AbortSignal,
  run: (token: CancellationTokenSource['token']) => Thenable<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await run(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
