import { env, type TextEditor, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import { type ArgumentField, askArgument, type InsertSource } from './argumentInput.ts';

/** @returns what the server offers for `field`, given what is settled already */
export type CompleteArgument = (
  field: ArgumentField,
  value: string,
  settled: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Completion>;

export interface AskArgumentsOptions {
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  readonly preset?: Readonly<Record<string, string>>;
  readonly complete?: CompleteArgument | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks for one argument after the other, with a way back.
 * @returns every value, the preset ones too; arguments left out are absent
 * @throws {CancelledError} on Escape, at whichever argument
 */
export async function askArguments(options: AskArgumentsOptions): Promise<Record<string, string>> {
  const { complete, preset = {} } = options;
  const inserts = editorInserts();
  const fields = options.fields.filter(({ name }) => !Object.hasOwn(preset, name));
  /** `undefined`: left out on purpose. Fields after the present one keep what was answered before going back. */
  const answers = new Map<string, string | undefined>();
  const settledBefore = (end: number): Record<string, string> => {
    const given = fields.slice(0, end).map(({ name }) => [name, answers.get(name)] as const);
    return Object.fromEntries([
      ...Object.entries(preset),
      ...given.filter((entry): entry is [string, string] => entry[1] !== undefined),
    ]);
  };
  let index = 0;
  for (let field = fields[0]; field !== undefined; field = fields[index]) {
    const asked = field;
    const settled = settledBefore(index);
    const answer = await askArgument({
      ...options,
      field,
      inserts,
      step: index + 1,
      totalSteps: fields.length,
      initial: answers.get(field.name) ?? '',
      suggest: complete && ((value, signal) => complete(asked, value, settled, signal)),
    });
    if (answer.kind === 'value') answers.set(field.name, answer.value);
    index = answer.kind === 'value' ? index + 1 : Math.max(0, index - 1);
  }
  return settledBefore(index);
}

/** Characters. More than this is no argument but a mistake. */
const maximumLength = 1_000_000;

/** What is at hand right now. Take it before a quick pick opens. */
function editorInserts(): readonly InsertSource[] {
  const editor = window.activeTextEditor;
  return [...(editor === undefined ? [] : insertsOf(editor)), clipboard].map(withLimit);
}

const clipboard: InsertSource = {
  label: 'Clipboard',
  icon: 'clippy',
  // Not previewed: it may hold a password, and it is read only when chosen.
  read: async () => env.clipboard.readText(),
};

function insertsOf({ document, selection }: TextEditor): InsertSource[] {
  const path = workspace.asRelativePath(document.uri);
  const selected = document.getText(selection);
  return [
    ...(selected === ''
      ? []
      : [{ label: 'Selection', icon: 'selection', description: selected, read: async () => selected }]),
    { label: 'Text of Current File', icon: 'file', description: path, read: async () => document.getText() },
    {
      label: 'Path of Current File',
      icon: 'file-symlink-file',
      description: path,
      read: async () => (document.uri.scheme === 'file' ? document.uri.fsPath : document.uri.toString()),
    },
  ];
}

function withLimit(source: InsertSource): InsertSource {
  return {
    ...source,
    async read() {
      const text = await source.read();
      if (text.length <= maximumLength) return text;
      throw new PatchbayError(
        'invalidArguments',
        `${source.label} is longer than ${maximumLength.toLocaleString('en')} characters.`,
      );
    },
  };
}
