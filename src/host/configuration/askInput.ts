import { CancellationTokenSource, window } from 'vscode';
import { abortWith } from '../../base/abort.ts';
import { CancelledError } from '../../base/errors.ts';
import type { PickInput, PromptInput } from '../../config/inputs.ts';
import { shortTarget } from '../../config/launchTarget.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { InputConsumer } from './inputStore.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';

export { CommandInputs } from './askCommand.ts';

/** Asks for a text. @throws {CancelledError} when the person closes the question; the other function too */
export function askText(input: PromptInput, user: InputConsumer, signal: AbortSignal): Promise<string> {
  const options = {
    title: titleOf(user),
    prompt: notificationText(purpose(input, user)),
    ignoreFocusOut: true,
    password: input.password,
    ...(input.default !== undefined && { value: input.default }),
  };
  return answerOf(signal, (token) => window.showInputBox(options, token));
}

/** Asks for one of the options of an input, the default one first. */
export async function askPick(input: PickInput, user: InputConsumer, signal: AbortSignal): Promise<string> {
  const items = input.options.map((option) => ({
    label: escapeIcons(singleLine(option.label)),
    description: option.value === option.label ? '' : escapeIcons(singleLine(option.value)),
    value: option.value,
  }));
  const isFirst = ({ value }: { readonly value: string }): boolean => value === input.default;
  const sorted = [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
  const options = { title: titleOf(user), placeHolder: purpose(input, user), ignoreFocusOut: true };
  return (await answerOf(signal, (token) => window.showQuickPick(sorted, options, token))).value;
}

function titleOf({ label }: InputConsumer): string {
  return `Input for the MCP server ${singleLine(visibleText(label), 80)}`;
}

/** The target of the value comes first: the description is a text of the file, which may claim anything. */
function purpose({ id, description }: PromptInput | PickInput, { target }: InputConsumer): string {
  return `Goes to ${shortTarget(target)}. ${visibleText(id)}: ${visibleText(description)}`;
}

async function answerOf<T>(
  signal: AbortSignal,
  ask: (token: CancellationTokenSource['token']) => Thenable<T | undefined>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const link = abortWith({ abort: () => source.cancel() }, signal);
  try {
    const answer = await ask(source.token);
    if (answer === undefined) throw new CancelledError();
    return answer;
  } finally {
    link.dispose();
    source.dispose();
  }
}
