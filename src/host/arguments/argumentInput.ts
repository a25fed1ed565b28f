import { type QuickPick, QuickInputButtons, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { formatCount } from '../../base/truncate.ts';
import type { Completion } from '../../protocol/mcp/completion.ts';
import { guardMs } from '../invocation/contentPicker.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';
import { type ArgumentField, type ArgumentRow, argumentRows, type InsertSource } from './argumentRows.ts';
import { createCompleter, rankOf, SuggestionList, type Suggestions } from './suggestions.ts';

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

/** Characters that can be inserted. More than this is no argument but a mistake. */
const maximumInserted = 1_000_000;

/** Milliseconds that Enter waits for suggestions on their way. Then it takes what is typed. */
const maximumWaitMs = 2_000;

/**
 * Asks for one argument.
 * @throws {CancelledError} when the input is dismissed
 */
export function askArgument(options: ArgumentInputOptions): Promise<ArgumentAnswer> {
  return new Promise((resolve, reject) => new ArgumentInput(options, resolve, reject));
}

class ArgumentInput {
  readonly #options: ArgumentInputOptions;
  readonly #disposables = new DisposableStore();
  readonly #pick: QuickPick<ArgumentRow> = this.#disposables.add(window.createQuickPick<ArgumentRow>());
  readonly #onAnswer: (answer: ArgumentAnswer) => void;
  readonly #completer;
  readonly #kept: string | undefined;
  readonly #offered = new SuggestionList();
  #suggestions: Suggestions = { values: [], hasMore: false };
  #problem: string | undefined;
  /** Enter was pressed before the suggestions for the text were there. */
  #wait: Disposable | undefined;
  /** The row that was the chosen one until an answer of the server put another in its place, and until when a choice may be meant for it. */
  #replaced: { readonly row: ArgumentRow | undefined; readonly until: number } | undefined;

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
    keepOrder(pick);
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
    this.#stopWaiting();
    this.#onAnswer(answer);
    this.#disposables.dispose();
  }

  #onDidType(value: string): void {
    this.#problem = undefined;
    this.#replaced = undefined;
    this.#stopWaiting();
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
    const [before] = this.#pick.activeItems;
    const wasWaiting = this.#stopWaiting();
    const suggestions = this.#offered.take(value, completion);
    const isNew = JSON.stringify(suggestions) !== JSON.stringify(this.#suggestions);
    this.#suggestions = suggestions;
    if (isNew || wasWaiting) this.#draw();
    if (!isSame(before, this.#pick.activeItems[0]))
      this.#replaced = { row: before, until: this.#options.clock.now() + guardMs };
    // Unless there is something to choose from now, the text is what was meant.
    if (wasWaiting && !this.#takeOnlyMatch() && this.#isTypedFirst) this.#take(value);
  }

  /** @param chosen which row is the chosen one afterwards; VS Code moves to its own best match while one types */
  #draw(chosen: 'first' | 'same' = 'same'): void {
    const pick = this.#pick;
    const [active] = pick.activeItems;
    // The text that nothing matched yet gives way to what matches it.
    const isKept = chosen === 'same' && !(this.#isTypedFirst && active?.choice?.kind === 'typed');
    const { field, inserts } = this.#options;
    const waits = this.#wait === undefined ? undefined : 'Waiting for suggestions…';
    const note = this.#problem === undefined ? waits : `$(warning) ${escapeIcons(this.#problem)}`;
    const shown = { field, inserts, typed: pick.value, kept: this.#kept };
    pick.items = argumentRows({ ...shown, note, suggestions: this.#suggestions });
    const rows = pick.items.filter(({ choice }) => choice !== undefined);
    const [first] = rows;
    const next = isKept ? (rows.find((row) => isSame(row, active)) ?? first) : first;
    if (next !== undefined) pick.activeItems = [next];
  }

  /** Nothing that is shown matches the text. */
  get #isTypedFirst(): boolean {
    return this.#pick.items.find(({ choice }) => choice !== undefined)?.choice?.kind === 'typed';
  }

  async #accept(): Promise<void> {
    // VS Code knows rows by their number: one that was replaced before the choice got here may be another one by now.
    const [row] = this.#pick.selectedItems;
    const choice = row?.choice;
    if (choice === undefined) return;
    if (this.#replaced !== undefined && this.#options.clock.now() < this.#replaced.until) {
      if (!isSame(row, this.#replaced.row)) return void this.#takeOnlyMatch();
    }
    if (choice.kind === 'insert') return this.#insert(choice.source);
    if (choice.kind === 'value') return this.#take(choice.value);
    // Typed so quickly that the rows are not up to date: what is typed counts.
    const { value } = this.#pick;
    const isLeftOut = value === '' && !this.#options.field.isRequired;
    if (this.#completer.isBusy && this.#isTypedFirst && !isLeftOut) this.#waitForSuggestions();
    else this.#take(value);
  }

  /** What is typed may be the beginning of a suggestion that is not there yet. */
  #waitForSuggestions(): void {
    if (this.#wait !== undefined) return;
    const { value } = this.#pick;
    this.#wait = this.#options.clock.after(maximumWaitMs, () => {
      this.#stopWaiting();
      this.#take(value);
    });
    this.#completer.request(value, 0);
    this.#draw();
  }

  #stopWaiting(): boolean {
    const wasWaiting = this.#wait !== undefined;
    this.#wait?.dispose();
    this.#wait = undefined;
    return wasWaiting;
  }

  /** For an Enter that came before the suggestions could be read: takes what the text can only mean. */
  #takeOnlyMatch(): boolean {
    const { value: typed } = this.#pick;
    const { values, hasMore } = this.#suggestions;
    const matches = values.filter((value) => rankOf(value, typed) < 3);
    const [only = ''] = matches;
    const isOnly = matches.length === 1 && !hasMore && rankOf(only, typed) < 2;
    if (typed === '' || !(isOnly || only === typed)) return false;
    this.#take(only);
    return true;
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
    if (value === '' && field.isRequired) return this.#refuse(`“${singleLine(field.label, 60)}” is required.`);
    this.#settle({ kind: 'value', value: value === '' ? undefined : value });
  }

  #refuse(problem: string): void {
    this.#problem = problem;
    this.#draw();
  }
}

/**
 * VS Code sorts rows by its own matches, and drops the sections, unless `sortByLabel` is false, which it has but does not document. Where
 * that is missing or refused, the order is VS Code's, and the best match is still the active row.
 */
function keepOrder(pick: { sortByLabel?: boolean } & object): void {
  if (!('sortByLabel' in pick)) return;
  try {
    pick.sortByLabel = false;
  } catch {
    // A proposed member throws.
  }
}

function isSame(row: ArgumentRow | undefined, other: ArgumentRow | undefined): boolean {
  return row?.label === other?.label && row?.choice?.kind === other?.choice?.kind;
}
