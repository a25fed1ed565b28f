import { env, type TextEditor, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import { askArgument } from './argumentInput.ts';
import type { ArgumentField, InsertSource } from './argumentItems.ts';

/** @returns what the server offers for `field`, given what is settled already */
export type CompleteArgument = (
  field: ArgumentField,
  value: string,
  settled: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Completion>;

/** The arguments to ask for, in this order, and the server's completion if it has one. */
export interface AskArgumentsOptions {
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  /** Values that are not asked for. */
  readonly preset?: Readonly<Record<string, string>>;
  readonly complete?: CompleteArgument;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks for one argument after the other, with a way back.
 * @returns every value, the preset ones too; arguments left out are absent
 * @throws {CancelledError} on Escape, at whichever argument
 */
export async function askArguments(options: AskArgumentsOptions): Promise<Record<string, string>> {
  const { complete } = options;
  const inserts = editorInserts();
  let flow = startFlow(options.fields, options.preset);
  for (let field = currentField(flow); field !== undefined; field = currentField(flow)) {
    const settled = settledValues(flow);
    const asked = field;
    const answer = await askArgument({
      ...options,
      field,
      inserts,
      step: flow.index + 1,
      totalSteps: flow.fields.length,
      initial: initialValue(flow),
      suggest: complete && ((value, signal) => complete(asked, value, settled, signal)),
    });
    flow = answer.kind === 'back' ? goBack(flow) : answerField(flow, answer.value);
  }
  return settledValues(flow);
}

/** Arguments asked one after the other. A new state each time, the old one untouched. */
export interface ArgumentFlow {
  /** Values given beforehand, never asked for. */
  readonly preset: ReadonlyMap<string, string>;
  readonly fields: readonly ArgumentField[];
  /** The field to ask for now; `fields.length` when all are answered. */
  readonly index: number;
  /** `undefined`: left out on purpose. Fields after `index` keep what was answered before going back. */
  readonly answers: ReadonlyMap<string, string | undefined>;
}

/** The flow at its first field. Fields with a value in `preset` are not asked for. */
export function startFlow(
  fields: readonly ArgumentField[],
  preset: Readonly<Record<string, string>> = {},
): ArgumentFlow {
  const given = new Map(Object.entries(preset));
  return { preset: given, fields: fields.filter(({ name }) => !given.has(name)), index: 0, answers: new Map() };
}

/** The field to ask for now, or `undefined` when the flow is over. */
export function currentField(flow: ArgumentFlow): ArgumentField | undefined {
  return flow.fields[flow.index];
}

/** Settles the current field and goes on. @param value `undefined` leaves the argument out */
export function answerField(flow: ArgumentFlow, value: string | undefined): ArgumentFlow {
  const field = currentField(flow);
  if (field === undefined) return flow;
  return { ...flow, index: flow.index + 1, answers: new Map(flow.answers).set(field.name, value) };
}

/** The flow at the field before; at the first field, the flow itself. */
export function goBack(flow: ArgumentFlow): ArgumentFlow {
  return { ...flow, index: Math.max(0, flow.index - 1) };
}

/** The first text of the input: after going back, the earlier answer. */
export function initialValue(flow: ArgumentFlow): string {
  return flow.answers.get(currentField(flow)?.name ?? '') ?? '';
}

/** Values settled before the current field. When the flow is over, all of them. */
export function settledValues(flow: ArgumentFlow): Record<string, string> {
  const settled = new Map(flow.preset);
  for (const { name } of flow.fields.slice(0, flow.index)) {
    const value = flow.answers.get(name);
    if (value !== undefined) settled.set(name, value);
  }
  return Object.fromEntries(settled);
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
