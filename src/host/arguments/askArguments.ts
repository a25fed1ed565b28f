import { env, type TextEditor, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../../client/server/managedServer.ts';
import type { CompletionReference } from '../../protocol/mcp/completion.ts';
import { askArgument } from './argumentInput.ts';
import type { ArgumentField, InsertSource } from './argumentRows.ts';

export interface AskArgumentsOptions {
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  readonly preset?: Readonly<Record<string, string>>;
  /** What the inputs have at first. */
  readonly initial?: Readonly<Record<string, string>>;
  /** Completes values, with those given so far as its context (since 2025-06-18). */
  readonly server?: Pick<Server, 'complete'> | undefined;
  readonly reference: CompletionReference;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks for one argument after the other, with a way back.
 * @returns every value, the preset ones too; arguments left out are absent
 * @throws {CancelledError} on Escape, at whichever argument
 */
export async function askArguments(options: AskArgumentsOptions): Promise<Record<string, string>> {
  const { server, reference, preset = {}, initial = {} } = options;
  // What is at hand right now, before an input opens.
  const editor = window.activeTextEditor;
  const inserts = [...(editor === undefined ? [] : insertsOf(editor)), clipboard];
  const fields = options.fields.filter(({ name }) => !Object.hasOwn(preset, name));
  /** `undefined`: left out on purpose. Fields after the present one keep what was answered before going back. */
  const answers = new Map<string, string | undefined>(Object.entries(initial));
  const settledBefore = (end: number): Record<string, string> => {
    const given = fields.slice(0, end).flatMap(({ name }) => {
      const value = answers.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries([...Object.entries(preset), ...given]);
  };
  let index = 0;
  for (let field = fields[0]; field !== undefined; field = fields[index]) {
    const { name } = field;
    const settled = settledBefore(index);
    const answer = await askArgument({
      ...options,
      field,
      inserts,
      step: index + 1,
      totalSteps: fields.length,
      initial: answers.get(name) ?? '',
      suggest: server && ((value, signal) => server.complete(reference, { name, value }, settled, { signal })),
    });
    if (answer.kind === 'value') answers.set(name, answer.value);
    index = answer.kind === 'value' ? index + 1 : Math.max(0, index - 1);
  }
  return settledBefore(index);
}

const clipboard: InsertSource = {
  label: 'Clipboard',
  icon: 'clippy',
  // Not previewed: it may hold a password, and it is read only when chosen.
  read: async () => env.clipboard.readText(),
};

const pathInsert = { label: 'Path of Current File', icon: 'file-symlink-file' };

function insertsOf({ document, selection }: TextEditor): readonly InsertSource[] {
  const { uri } = document;
  const description = workspace.asRelativePath(uri);
  const selected = document.getText(selection);
  const selectionInsert = { label: 'Selection', icon: 'selection', description: selected, read: async () => selected };
  return [
    ...(selected === '' ? [] : [selectionInsert]),
    { label: 'Text of Current File', icon: 'file', description, read: async () => document.getText() },
    // No program finds a document that is not a file, such as the tab of a tool, by its address.
    ...(uri.scheme === 'file' ? [{ ...pathInsert, description, read: async () => uri.fsPath }] : []),
  ];
}
