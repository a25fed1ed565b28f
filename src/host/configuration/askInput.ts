import { CancellationTokenSource, commands, window } from 'vscode';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isString } from '../../base/json.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import type { CommandInput, PickInput, PromptInput } from '../../config/inputs.ts';
import { shortTarget } from '../../config/launchTarget.ts';
import { visibleText } from '../../base/visibleText.ts';
import { askSafely } from '../platform/dialogs.ts';
import { openSource } from './configurationFiles.ts';
import type { InputConsumer } from './inputStore.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';

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

/**
 * Runs a command for its result. A command can do anything, and its name comes from a file: the person confirms each one
 * once in a session.
 * @param approved the confirmed calls
 */
export async function askCommand(
  source: ConfigurationSource,
  input: CommandInput,
  { label, target }: InputConsumer,
  approved: Set<string>,
): Promise<string> {
  const call = JSON.stringify([source.uri, input.command, input.args, label, target]);
  if (!approved.has(call)) {
    const detail = [
      `Command: ${visibleText(input.command)}`,
      `Arguments: ${visibleText(JSON.stringify(input.args) ?? 'none')}`,
      `Its result goes to ${shortTarget(target)}`,
    ].join('\n');
    const message = `${source.title} asks to run an editor command for the MCP server “${singleLine(label, 80)}”.`;
    const answer = await askSafely({ message, detail, safe: 'Show Configuration', actions: ['Run Command'] });
    if (answer === 'Show Configuration') await openSource(source);
    if (answer !== 'Run Command') throw new CancelledError();
    approved.add(call);
  }
  const result: unknown = await commands.executeCommand(input.command, input.args);
  if (isString(result)) return result;
  // A command returns nothing if the person closes its question.
  if (result === undefined || result === null) throw new CancelledError();
  throw new PatchbayError('configuration', `The command "${input.command}" of the input "${input.id}" gave no text.`);
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
