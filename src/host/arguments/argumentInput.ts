import { type QuickPick, type QuickPickItem, QuickPickItemKind, QuickInputButtons, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount } from '../../base/truncate.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { createCompleter, SuggestionList, type Suggestions } from './suggestions.ts';

/** What a person did in one input: gave a value, or went back to the argument before. */
export type ArgumentAnswer =
  /** `undefined` leaves the argument out. */
  { readonly kind: 'value'; readonly value: string | undefined } | { readonly kind: 'back' };

export interface ArgumentField {
  readonly name: string;
  /** For people; from the server, so not to be trusted with markup. */
  readonly label: string;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

/** Something at hand that is too long, or too dull, to type. */
export interface InsertSource {
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
  /** Read when chosen, not before. */
  readonly read: () => Promise<string>;
}

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

/** Characters that can be inserted. More than this is no argument but a mistake. */
const maximumInserted = 1_000_000;

/**
 * Asks for one argument.
 * @throws {CancelledError} when the input is dismissed
 */
export function askArgument(options: ArgumentInputOptions): Promise<ArgumentAnswer> {
  return new Promise((resolve, reject) => new ArgumentInput(options, resolve, reject));
}

/** A row of the quick pick; a separator has no choice. */
type Row = QuickPickItem & {
  readonly choice?:
    /** Takes the text in the input; an empty one leaves the argument out. */
    | { readonly kind: 'typed' }
    | { readonly kind: 'value'; readonly value: string }
    | { readonly kind: 'insert'; readonly source: InsertSource };
};

class ArgumentInput {
  readonly #options: ArgumentInputOptions;
  readonly #disposables = new DisposableStore();
  readonly #pick: QuickPick<Row> = this.#disposables.add(window.createQuickPick<Row>());
  readonly #onAnswer: (answer: ArgumentAnswer) => void;
  readonly #completer;
  readonly #kept: string | undefined;
  readonly #offered = new SuggestionList();
  #suggestions: Suggestions = { values: [], hasMore: false };
  #problem: string | undefined;

  constructor(
    options: ArgumentInputOptions,
    onAnswer: (answer: ArgumentAnswer) => void,
    onCancel: (reason: CancelledError) => void,
  ) {
    const { title, field, step, totalSteps, initial, logger, clock, suggest } = options;
    const pick = this.#pick;
    this.#options = options;
    this.#onAnswer = onAnswer;
    this.#kept = initial.includes('\n') ? initial : undefined;
    this.#completer = this.#disposables.add(
      createCompleter(clock, {
        fetch: async (value, signal) => suggest?.(value, signal) ?? { values: [] },
        onBusy: (isBusy) => (pick.busy = isBusy),
        onResult: (value, completion) => this.#onDidComplete(value, completion),
        onError: (error) => logger.debug(() => `Completion of "${field.name}" failed: ${messageOf(error)}`),
      }),
    );
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
    this.#disposables.add(pick.onDidChangeValue((value) => this.#onDidType(value)));
    this.#disposables.add(pick.onDidAccept(() => void this.#accept()));
    this.#disposables.add(pick.onDidTriggerButton(() => this.#settle({ kind: 'back' })));
    // Settling comes first where there is an answer; only the first settlement counts.
    this.#disposables.add(
      pick.onDidHide(() => {
        onCancel(new CancelledError());
        this.#disposables.dispose();
      }),
    );
    pick.show();
  }

  #settle(answer: ArgumentAnswer): void {
    this.#onAnswer(answer);
    this.#disposables.dispose();
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
    const shown = { field, inserts, typed: pick.value, kept: this.#kept };
    pick.items = argumentRows({ ...shown, problem: this.#problem, suggestions: this.#suggestions });
    const rows = pick.items.filter(({ choice }) => choice !== undefined);
    const same = rows.find((row) => row.label === active?.label && row.choice?.kind === active?.choice?.kind);
    const [first] = rows;
    if (first !== undefined) pick.activeItems = [chosen === 'same' ? (same ?? first) : first];
  }

  async #accept(): Promise<void> {
    // VS Code knows rows by their number: one that was replaced before the choice got here is no choice any more.
    const choice = this.#pick.selectedItems[0]?.choice;
    if (choice?.kind === 'insert') return this.#insert(choice.source);
    // Typed so quickly that the rows are not up to date: what is typed counts.
    if (choice !== undefined) this.#take(choice.kind === 'value' ? choice.value : this.#pick.value);
  }

  async #insert({ label, read }: InsertSource): Promise<void> {
    try {
      const text = await read();
      if (text === '') this.#refuse(`${label} is empty.`);
      else if (text.length <= maximumInserted) this.#take(text);
      else this.#refuse(`${label} is longer than ${formatCount(maximumInserted)} characters.`);
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

export interface ArgumentInputState extends Pick<ArgumentInputOptions, 'field' | 'inserts'> {
  readonly typed: string;
  /** Why nothing was taken. */
  readonly problem: string | undefined;
  readonly suggestions: Suggestions;
  /** A value of several lines that was answered before: no input can hold it. */
  readonly kept: string | undefined;
}

/**
 * The rows for one argument. The first is what Enter takes: the text in the input, never something that has only just appeared.
 * What can be inserted is offered while nothing is typed.
 */
export function argumentRows({ field, typed, problem, suggestions, inserts, kept }: ArgumentInputState): Row[] {
  const warning = problem === undefined ? undefined : `$(warning) ${escapeIcons(problem)}`;
  const values = suggestions.values.filter((value) => value !== typed || value === '');
  const suggested = values.map((value) => valueRow(value));
  const section = suggested.length === 0 ? [] : [separator(sectionOf(suggestions)), ...suggested];
  if (typed !== '') return [typedRow(preview(typed), warning ?? 'as typed'), ...section];
  const insertRows = inserts.map((source): Row => ({
    ...rowOf(`$(${source.icon}) ${source.label}`, source.description && preview(source.description)),
    choice: { kind: 'insert', source },
  }));
  return [
    ...(kept === undefined ? [] : [valueRow(kept, countOf(kept.split('\n').length, 'line'))]),
    field.isRequired
      ? typedRow('Type a value', warning ?? 'required')
      : typedRow('$(debug-step-over) Leave out', warning ?? 'optional'),
    ...section,
    ...(inserts.length === 0 ? [] : [separator('Insert'), ...insertRows]),
  ];
}

/** Shown for every text: the server or Patchbay has matched it already. */
function rowOf(label: string, description: string | undefined): Row {
  return { label, alwaysShow: true, ...(description !== undefined && { description }) };
}

function typedRow(label: string, description: string): Row {
  return { ...rowOf(label, description), choice: { kind: 'typed' } };
}

function valueRow(value: string, description?: string): Row {
  return { ...rowOf(value === '' ? 'Empty text' : preview(value), description), choice: { kind: 'value', value } };
}

function separator(label: string): Row {
  return { label, kind: QuickPickItemKind.Separator };
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
