import { type QuickPick, type QuickPickItem, QuickPickItemKind, QuickInputButtons, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { singleLine, countOf, escapeIcons } from '../platform/displayText.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import { Completer, noSuggestions, SuggestionList, type Suggestions } from './suggestions.ts';
import { formatCount } from '../../base/truncate.ts';

/** What a person did in one input: gave a value, or went back to the argument before. */
export type ArgumentAnswer =
  /** `undefined` leaves the argument out. */
  { readonly kind: 'value'; readonly value: string | undefined } | { readonly kind: 'back' };

export interface ArgumentInputOptions {
  readonly title: string;
  readonly field: ArgumentField;
  readonly step: number;
  readonly totalSteps: number;
  readonly initial: string;
  readonly inserts: readonly InsertSource[];
  readonly suggest: ((value: string, signal: AbortSignal) => Promise<Completion>) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asks for one argument.
 * @throws {CancelledError} when the input is dismissed
 */
export function askArgument(options: ArgumentInputOptions): Promise<ArgumentAnswer> {
  return new Promise((resolve, reject) => {
    const input = new ArgumentInput(options, resolve, () => reject(new CancelledError()));
    input.show();
  });
}

type Row = QuickPickItem & { readonly choice?: ArgumentChoice };

class ArgumentInput {
  readonly #options: ArgumentInputOptions;
  readonly #disposables = new DisposableStore();
  readonly #pick: QuickPick<Row>;
  readonly #settle: (answer: ArgumentAnswer) => void;
  readonly #completer: Completer;
  readonly #kept: string | undefined;
  readonly #offered = new SuggestionList();
  #suggestions: Suggestions = noSuggestions;
  #problem: string | undefined;

  constructor(options: ArgumentInputOptions, onAnswer: (answer: ArgumentAnswer) => void, onCancel: () => void) {
    const { field, initial, logger } = options;
    this.#options = options;
    this.#pick = this.#disposables.add(window.createQuickPick<Row>());
    this.#kept = initial.includes('\n') ? initial : undefined;
    this.#settle = (answer) => {
      onAnswer(answer);
      this.#disposables.dispose();
    };
    this.#completer = this.#disposables.add(
      new Completer({
        clock: options.clock,
        fetch: async (value, signal) => options.suggest?.(value, signal) ?? { values: [] },
        onBusy: (isBusy) => (this.#pick.busy = isBusy),
        onResult: (value, completion) => this.#onDidComplete(value, completion),
        onError: (error) => logger.debug(() => `Completion of "${field.name}" failed: ${messageOf(error)}`),
      }),
    );
    this.#disposables.add(this.#pick.onDidChangeValue((value) => this.#onDidType(value)));
    this.#disposables.add(this.#pick.onDidAccept(() => void this.#accept()));
    this.#disposables.add(this.#pick.onDidTriggerButton(() => this.#settle({ kind: 'back' })));
    // Settling comes first where there is an answer; only the first settlement counts.
    this.#disposables.add(
      this.#pick.onDidHide(() => {
        onCancel();
        this.#disposables.dispose();
      }),
    );
  }

  show(): void {
    const { title, field, step, totalSteps, initial } = this.#options;
    const pick = this.#pick;
    pick.title = `${singleLine(title, 80)}: ${singleLine(field.label, 60)}${field.isRequired ? ' (required)' : ' (optional)'}`;
    pick.placeholder = singleLine(field.description ?? '', 200) || 'Type a value';
    pick.step = step;
    pick.totalSteps = totalSteps;
    pick.ignoreFocusOut = true;
    pick.buttons = step > 1 ? [QuickInputButtons.Back] : [];
    pick.value = this.#kept === undefined ? initial : '';
    this.#suggest(pick.value, 0);
    this.#draw();
    const before = pick.items.find(({ choice }) => choice?.kind === 'value' && choice.value === initial);
    if (before !== undefined) pick.activeItems = [before];
    pick.show();
  }

  #onDidType(value: string): void {
    this.#problem = undefined;
    this.#suggest(value);
    this.#draw('first');
  }

  #suggest(value: string, delayMs?: number): void {
    if (this.#options.suggest === undefined) return;
    // Mostly this is what the server is about to say: then no row moves away under the pointer.
    this.#suggestions = this.#offered.match(value);
    this.#completer.request(value, delayMs);
  }

  #onDidComplete(value: string, completion: Completion): void {
    const before = JSON.stringify(this.#suggestions);
    this.#suggestions = this.#offered.take(value, completion);
    if (JSON.stringify(this.#suggestions) !== before) this.#draw();
  }

  /** @param chosen which row is the chosen one afterwards; VS Code moves to its own best match while one types */
  #draw(chosen: 'first' | 'same' = 'same'): void {
    const pick = this.#pick;
    const active = pick.activeItems[0];
    const { field, inserts } = this.#options;
    const items = argumentItems({
      field,
      typed: pick.value,
      problem: this.#problem,
      suggestions: this.#suggestions,
      inserts,
      kept: this.#kept,
    });
    pick.items = toRows(items);
    const rows = pick.items.filter(({ choice }) => choice !== undefined);
    const same = rows.find((row) => row.label === active?.label && row.choice?.kind === active?.choice?.kind);
    const [first] = rows;
    if (first !== undefined) pick.activeItems = [chosen === 'same' ? (same ?? first) : first];
  }

  async #accept(): Promise<void> {
    // VS Code knows rows by their number: one that was replaced before the choice got here is no choice any more.
    const choice = this.#pick.selectedItems[0]?.choice;
    // Typed so quickly that the rows are not up to date: what is typed counts.
    const typed = this.#pick.value;
    switch (choice?.kind) {
      case undefined:
        return;
      case 'skip':
        return typed === '' ? this.#settle({ kind: 'value', value: undefined }) : this.#take(typed);
      case 'typed':
        return this.#take(typed);
      case 'value':
        return this.#take(choice.value);
      case 'insert':
        return this.#insert(choice.source);
    }
  }

  async #insert(source: InsertSource): Promise<void> {
    try {
      const text = await source.read();
      if (text !== '') return this.#take(text);
      this.#refuse(`${source.label} is empty.`);
    } catch (error) {
      this.#refuse(messageOf(error));
    }
  }

  /** An empty text is the lack of a value. */
  #take(value: string): void {
    const { field } = this.#options;
    if (value === '' && field.isRequired) return this.#refuse(`${field.label} is required.`);
    this.#settle({ kind: 'value', value: value === '' ? undefined : value });
  }

  #refuse(problem: string): void {
    this.#problem = problem;
    this.#draw();
  }
}

/** All rows are shown for every text: the server or Patchbay has matched them already. */
function toRows(items: readonly ArgumentItem[]): Row[] {
  return items.flatMap(({ label, description, choice, section }, index) => {
    const row: Row = { label, choice, alwaysShow: true, ...(description !== undefined && { description }) };
    const isFirst = section !== undefined && section !== items[index - 1]?.section;
    return isFirst ? [{ label: section, kind: QuickPickItemKind.Separator }, row] : [row];
  });
}

export interface ArgumentField {
  readonly name: string;
  /** For people; from the server, so not to be trusted with markup. */
  readonly label: string;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

type ArgumentChoice =
  /** Takes the text in the input. */
  | { readonly kind: 'typed' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'insert'; readonly source: InsertSource };

/** Something at hand that is too long, or too dull, to type. */
export interface InsertSource {
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
  /** Read when chosen, not before. */
  read(): Promise<string>;
}

/** A row of the quick pick; `label` and the rest have no icons but our own. */
interface ArgumentItem {
  readonly label: string;
  readonly description?: string;
  readonly choice: ArgumentChoice;
  readonly section?: string;
}

export interface ArgumentInputState {
  readonly field: ArgumentField;
  readonly typed: string;
  /** Why nothing was taken. */
  readonly problem: string | undefined;
  readonly suggestions: Suggestions;
  readonly inserts: readonly InsertSource[];
  /** A value of several lines that was answered before: no input can hold it. */
  readonly kept: string | undefined;
}

/**
 * The rows for one argument. The first is what Enter takes: the text in the input, never something that has only just appeared.
 * What can be inserted is offered while nothing is typed.
 */
export function argumentItems({
  field,
  typed,
  problem,
  suggestions,
  inserts,
  kept,
}: ArgumentInputState): ArgumentItem[] {
  const warning = problem === undefined ? undefined : `$(warning) ${escapeIcons(problem)}`;
  const values = suggestions.values.filter((value) => value !== typed || value === '');
  const section = sectionOf(suggestions);
  const suggested = values.map((value): ArgumentItem => {
    const label = value === '' ? 'Empty text' : preview(value);
    return { label, choice: { kind: 'value', value }, section };
  });
  if (typed !== '')
    return [{ label: preview(typed), description: warning ?? 'as typed', choice: { kind: 'typed' } }, ...suggested];
  const keptRow = (text: string): ArgumentItem => ({
    label: preview(text),
    description: countOf(text.split('\n').length, 'line'),
    choice: { kind: 'value', value: text },
  });
  return [
    ...(kept === undefined ? [] : [keptRow(kept)]),
    field.isRequired
      ? { label: 'Type a value', description: warning ?? 'required', choice: { kind: 'typed' } }
      : { label: '$(debug-step-over) Leave out', description: warning ?? 'optional', choice: { kind: 'skip' } },
    ...suggested,
    ...inserts.map((source): ArgumentItem => ({
      label: `$(${source.icon}) ${source.label}`,
      ...(source.description !== undefined && { description: preview(source.description) }),
      choice: { kind: 'insert', source },
      section: 'Insert',
    })),
  ];
}

/** Says how much of it is not to be seen. */
function sectionOf({ values: { length }, total, hasMore }: Suggestions): string {
  if (!hasMore) return 'Suggestions';
  const more = total === undefined ? 'There are more' : `There are ${formatCount(total)}`;
  return `The first ${countOf(length, 'suggestion')}. ${more}: type to see others`;
}

function preview(text: string): string {
  return escapeIcons(singleLine(text, 120));
}
