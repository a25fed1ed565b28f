import { CancellationTokenSource, commands, extensions, window } from 'vscode';
import { abortWith } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { memoize } from '../../base/memoize.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { ConfigurationSource } from '../../config/configuredServer.ts';
import type { CommandInput, PickInput, PromptInput } from '../../config/inputs.ts';
import { keepEnds, shortTarget } from '../../config/launchTarget.ts';
import { askSafely } from '../platform/dialogs.ts';
import { escapeIcons, notificationText, singleLine } from '../platform/displayText.ts';
import { createTextDocuments, tabName } from '../platform/textDocuments.ts';
import { openSource } from './configurationFiles.ts';

/** The server and the target that get the value of an input. Another server or target asks for it again. */
export interface InputConsumer {
  readonly label: string;
  /** The command or URL that gets the value; see `inputTarget`. */
  readonly target: string;
}

/** Asks for a text. @throws {CancelledError} when the person closes the question; the other function too */
export function askText(input: PromptInput, user: InputConsumer, signal: AbortSignal): Promise<string> {
  const options = {
    title: titleOf(user),
    // The box draws icons.
    prompt: escapeIcons(notificationText(purpose(input, user))),
    ignoreFocusOut: true,
    password: input.password,
    ...(input.default !== undefined && { value: input.default }),
  };
  return answerOf(signal, (token) => window.showInputBox(options, token));
}

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
  return `Sent to ${shortTarget(target)}: ${visibleText(description || id)}`;
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

const documentOptions = {
  scheme: 'patchbay-input',
  missingText: 'Start the server to see the arguments again.\n',
  keepsClosed: true,
};
const maximumLine = 2 * limits.trustQuestion.columns;
/** What can run, send or address something. */
const telling =
  /[|;&$`<>\n\r]|\w:[\\/]|\.\w+\(|^(?:\.{0,2}|~)[\\/]|\b(?:curl|wget|sudo|rm|eval|exec|sh|bash|cmd|powershell|command|script)\b/i;

export class CommandInputs implements Disposable {
  readonly #store = new DisposableStore();
  readonly #documents = memoize(() => this.#store.add(createTextDocuments(documentOptions)));
  /** Calls that the person has confirmed, and those whose arguments were opened as a document. */
  readonly #approved = new Set<string>();
  readonly #opened = new Set<string>();

  /**
   * Runs a command for its result. A command can do anything, and its name comes from a file: the person confirms each one
   * once in a session.
   * @throws {CancelledError} when the person does not run it; a PatchbayError when it gives no text
   */
  async run(source: ConfigurationSource, input: CommandInput, user: InputConsumer): Promise<string> {
    const call = JSON.stringify([source.uri, input.command, input.args, user.label, user.target]);
    if (!this.#approved.has(call)) await this.#confirm(call, source, input, user);
    const result: unknown = await commands.executeCommand(input.command, input.args);
    if (isString(result)) return result;
    // A command returns nothing if the person closes its question.
    if (result === undefined || result === null) throw new CancelledError();
    const message = `The command "${input.command}" of the input "${input.id}" returned no text.`;
    throw new PatchbayError('configuration', message);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #confirm(call: string, source: ConfigurationSource, input: CommandInput, user: InputConsumer): Promise<void> {
    const label = singleLine(visibleText(user.label), 80);
    const message = `${source.title} wants to run an editor command for the MCP server “${label}”.`;
    const { detail, isWhole } = commandQuestion(input, user);
    const safe = isWhole ? 'Show Configuration' : 'Show All Arguments';
    const actions = isWhole || this.#opened.has(call) ? (['Run Command'] as const) : [];
    const answer = await askSafely({ message, detail, safe, actions });
    if (answer === 'Run Command') {
      this.#approved.add(call);
      return;
    }
    if (answer === 'Show Configuration') await openSource(source);
    if (answer === 'Show All Arguments') {
      const text = `${message}\nTo run it, start the server again.\n\n${commandText(input, user)}\n`;
      const documents = this.#documents();
      await documents.show(documents.set(`Arguments of ${tabName(input.command)}.txt`, call, text), { preview: true });
      this.#opened.add(call);
    }
    throw new CancelledError();
  }
}

/**
 * What the question says: the command, where its result goes, then its arguments, one line each: first those that can run,
 * send or address something. What does not fit is counted.
 */
function commandQuestion(input: CommandInput, user: InputConsumer): { detail: string; isWhole: boolean } {
  const { inputArguments } = limits.trustQuestion;
  const values = leavesOf(input.args);
  const sorted = [...values.filter(isTelling), ...values.filter((value) => !isTelling(value))];
  const all = sorted.map(lineOf);
  const shown = all.slice(0, inputArguments).map((line) => keepEnds(line, maximumLine));
  const isWhole = values.length < limits.configuration.members && all.every((line, index) => shown[index] === line);
  const missing = all.length - shown.length;
  const rest = [
    ...(missing > 0 ? [`    and ${missing} more`] : []),
    ...(isWhole ? [] : ['', 'Not everything fits here. Show all arguments before you run this command.']),
  ];
  const list = shown.length === 0 ? ['Arguments: none'] : ['Arguments:', ...shown.map((line) => `    ${line}`)];
  return { detail: [...headOf(input, user), ...list, ...rest].join('\n'), isWhole };
}

function commandText(input: CommandInput, user: InputConsumer): string {
  return [
    ...headOf(input, user),
    'Arguments:',
    visibleText(JSON.stringify(input.args, undefined, 2)).replaceAll('⟨U+000A⟩', '\n'),
  ].join('\n');
}

function headOf({ command }: CommandInput, { target }: InputConsumer): readonly string[] {
  return [
    `Command: ${keepEnds(visibleText(command), maximumLine)}`,
    `Of: ${ownerOf(command)}`,
    `Its result goes to ${shortTarget(target)}`,
  ];
}

function ownerOf(command: string): string {
  const owner = extensions.all.find(({ packageJSON }) => declares(packageJSON, command));
  if (owner === undefined) return 'an extension that does not declare it, or VS Code';
  const { displayName } = owner.packageJSON as { readonly displayName?: unknown };
  const name = isString(displayName) && !displayName.startsWith('%') ? `${displayName} (${owner.id})` : owner.id;
  return keepEnds(visibleText(name), maximumLine);
}

function declares(manifest: unknown, command: string): boolean {
  if (!isRecord(manifest) || !isRecord(manifest['contributes'])) return false;
  const declared: unknown = manifest['contributes']['commands'];
  return Array.isArray(declared) && declared.some((entry) => isRecord(entry) && entry['command'] === command);
}

/** A text, number or other plain value within the arguments, with its place. */
interface Leaf {
  readonly place: string;
  readonly text: string;
}

function leavesOf(value: unknown, place = ''): readonly Leaf[] {
  if (value === undefined) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : undefined;
  if (entries === undefined || entries.length === 0)
    return [{ place, text: isString(value) ? value : JSON.stringify(value) }];
  return entries.flatMap(([key, member]) => leavesOf(member, place === '' ? String(key) : `${place}.${key}`));
}

function isTelling({ text }: Leaf): boolean {
  return telling.test(text.slice(0, 10_000));
}

function lineOf({ place, text }: Leaf): string {
  return place === '' ? visibleText(text) : `${keepEnds(visibleText(place), 30)}: ${visibleText(text)}`;
}
