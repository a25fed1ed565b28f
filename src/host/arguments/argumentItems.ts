import { isStringArray } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { matching, type Suggestions } from './suggestions.ts';

/** One argument to ask for. Values are texts here, and are converted later. */
export interface ArgumentField {
  readonly name: string;
  /** For people; from the server, so not to be trusted with markup. */
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** An empty text is a value of its own, not the lack of one. */
  readonly acceptsEmpty?: boolean;
  /** The only values there are, or that a list may have. */
  readonly choices?: readonly string[];
  /** What leaving it out means, in a few words, where that is more than nothing: "null is sent". */
  readonly leftOut?: string;
  /**
   * Present where the value is a list of texts, written as JSON. Tells of one text why it cannot be in the list; the list as a
   * whole is for `check`.
   */
  readonly checkEntry?: (text: string) => string | undefined | Promise<string | undefined>;
  /** Filled in before anything is typed. */
  readonly initial?: string;
  /** @returns a sentence that says why `value` will not do */
  readonly check?: (value: string) => string | undefined | Promise<string | undefined>;
}

/** What choosing an item does. */
export type ArgumentChoice =
  /** Takes the text in the input. */
  | { readonly kind: 'typed' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'skip' }
  /** Takes the list as it is. */
  | { readonly kind: 'done' }
  /** Takes an entry out of the list, by its place. */
  | { readonly kind: 'remove'; readonly index: number }
  | { readonly kind: 'nothing' }
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
export interface ArgumentItem {
  readonly label: string;
  readonly description?: string;
  readonly choice: ArgumentChoice;
  /** The heading it belongs under. */
  readonly section?: string;
}

/** What the rows below an input are computed from. */
export interface ArgumentInputState {
  readonly field: ArgumentField;
  /** The text in the input. */
  readonly typed: string;
  /** Why the text is invalid, if that is known. */
  readonly problem: string | undefined;
  /** The server's completions, or the matching choices. */
  readonly suggestions: Suggestions;
  readonly inserts: readonly InsertSource[];
  /** A value of several lines, which no input can hold: answered before, or the field's own. */
  readonly kept: string | undefined;
  /** What is in the list so far; `undefined` where the value is none. */
  readonly entries: readonly string[] | undefined;
}

/**
 * The rows for one argument. The first is what Enter takes. If any text is allowed, that is the text in the input, never
 * something that has only just appeared; where the values are fixed, it is the best match. What can be inserted is offered
 * while nothing is typed.
 */
export function argumentItems(state: ArgumentInputState): ArgumentItem[] {
  const { field, typed, kept, entries, inserts } = state;
  if (field.choices !== undefined) return [...leadingRows(state), ...valueRows(state), ...entryRows(entries)];
  const keptRow = { label: preview(kept ?? ''), description: describeLines(kept ?? '') };
  return [
    ...(kept === undefined || typed !== '' ? [] : [{ ...keptRow, choice: { kind: 'value', value: kept } as const }]),
    ...leadingRows(state),
    ...valueRows(state),
    ...(typed === '' ? inserts : []).map((source) => ({
      label: `$(${source.icon}) ${source.label}`,
      ...(source.description !== undefined && { description: preview(source.description) }),
      choice: { kind: 'insert', source } as const,
      section: 'Insert',
    })),
    ...(typed === '' ? entryRows(entries) : []),
  ];
}

/** The choices that contain `typed`, ignoring case, the best match first; at most a fixed number of them. */
export function matchChoices(choices: readonly string[], typed: string): Suggestions {
  const folded = typed.toLowerCase();
  const rankOf = (choice: string): number =>
    choice === typed ? 0 : choice.toLowerCase() === folded ? 1 : choice.toLowerCase().startsWith(folded) ? 2 : 3;
  const found = matching(choices, typed);
  const ranked = typed === '' ? found : found.toSorted((one, other) => rankOf(one) - rankOf(other));
  const values = ranked.slice(0, limits.shown.choices);
  const hasMore = values.length < found.length;
  return { values, hasMore, ...(hasMore && { total: found.length }) };
}

/** About the text in the input, or what Enter does while it is empty. */
function leadingRows(state: ArgumentInputState): ArgumentItem[] {
  const { field, typed, problem, suggestions, entries } = state;
  const isFixed = field.choices !== undefined;
  const warning = problem === undefined ? undefined : `$(warning) ${escapeIcons(problem)}`;
  if (typed !== '') {
    const isChosen = isFixed && problem === undefined;
    if (isChosen && suggestions.values.length > 0) return [];
    if (isChosen)
      return [{ label: 'None of the values matches', description: preview(typed), choice: { kind: 'nothing' } }];
    return [{ label: preview(typed), description: warning ?? typedDescription(state), choice: { kind: 'typed' } }];
  }
  if (entries !== undefined && (entries.length > 0 || field.isRequired)) {
    const count = entries.length === 0 ? 'an empty list' : countOf(entries.length, 'entry', 'entries');
    return [{ label: '$(check) Done', description: warning ?? count, choice: { kind: 'done' } }];
  }
  if (!field.isRequired) {
    const description = field.leftOut === undefined ? 'optional' : `optional, ${preview(field.leftOut)}`;
    return [{ label: '$(debug-step-over) Leave out', description, choice: { kind: 'skip' } }];
  }
  if (isFixed) return [];
  return field.acceptsEmpty === true
    ? [{ label: 'Empty text', description: warning ?? 'or type a value', choice: { kind: 'typed' } }]
    : [{ label: 'Type a value', description: warning ?? 'required', choice: { kind: 'typed' } }];
}

function typedDescription({ entries }: ArgumentInputState): string {
  return entries === undefined ? 'as typed' : 'add to the list';
}

function valueRows(state: ArgumentInputState): ArgumentItem[] {
  const { field, typed, suggestions } = state;
  const isFixed = field.choices !== undefined;
  // What is typed has a row of its own.
  const values = suggestions.values.filter((value) => isFixed || value !== typed || value === '');
  const section = sectionOf(isFixed ? 'value' : 'suggestion', suggestions);
  return values.map((value) => ({
    label: value === '' ? 'Empty text' : preview(value),
    choice: { kind: 'value', value },
    section,
  }));
}

/** Says how much of it is not to be seen. */
function sectionOf(noun: string, { values: { length }, total, hasMore }: Suggestions): string {
  if (!hasMore) return noun === 'value' ? 'Values' : 'Suggestions';
  const more = total === undefined ? 'There are more' : `There are ${formatCount(total)}`;
  return `The first ${countOf(length, noun)}. ${more}: type to see others`;
}

function entryRows(entries: readonly string[] = []): ArgumentItem[] {
  return entries.map((entry, index) => ({
    label: `$(close) ${entry === '' ? 'Empty text' : preview(entry)}`,
    description: 'remove',
    choice: { kind: 'remove', index },
    section: 'In the List',
  }));
}

function describeLines(text: string): string {
  return countOf(text.split('\n').length, 'line');
}

function preview(text: string): string {
  return escapeIcons(singleLine(text, 120));
}

/** Why `value` cannot be the answer, or `undefined` if it can. An empty text is left out or not allowed, so never checked. */
export async function checkAnswer(field: ArgumentField, value: string): Promise<string | undefined> {
  if (value === '' && field.acceptsEmpty !== true) return field.isRequired ? `${field.label} is required.` : undefined;
  const isOneOf = field.choices !== undefined && field.checkEntry === undefined;
  if (isOneOf && !field.choices.includes(value)) return 'Choose one of the values below.';
  return field.check?.(value);
}

/** The texts of a list, from the text that stands for it; `undefined` for anything else. */
export function readEntries(text: string): readonly string[] | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    return isStringArray(entries) ? entries : undefined;
  } catch {
    // No JSON.
    return undefined;
  }
}
