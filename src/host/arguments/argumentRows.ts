import { type QuickPickItem, QuickPickItemKind } from 'vscode';
import { formatCount } from '../../base/truncate.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { rankOf, type Suggestions } from './suggestions.ts';

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

/** A row of the quick pick; a separator has no choice. */
export type ArgumentRow = QuickPickItem & {
  readonly choice?:
    /** Takes the text in the input; an empty one leaves the argument out. */
    | { readonly kind: 'typed' }
    | { readonly kind: 'value'; readonly value: string }
    | { readonly kind: 'insert'; readonly source: InsertSource };
};

export interface ArgumentRowsState {
  readonly field: ArgumentField;
  readonly inserts: readonly InsertSource[];
  readonly typed: string;
  /** Why nothing was taken, or that it will be. */
  readonly note: string | undefined;
  readonly suggestions: Suggestions;
  /** A value of several lines that was answered before: no input can hold it. */
  readonly kept: string | undefined;
}

/**
 * The rows for one argument. The first is what Enter takes: the best match of what is typed. What is typed comes last then, and first
 * where no suggestion contains it. What can be inserted is offered while nothing is typed.
 */
export function argumentRows(state: ArgumentRowsState): ArgumentRow[] {
  const { typed, note, suggestions } = state;
  const { values } = suggestions;
  const suggested = values.map((value) => valueRow(value));
  const section = suggested.length === 0 ? [] : [separator(sectionOf(suggestions)), ...suggested];
  if (typed === '') return emptyRows(state, section);
  const typedRows = values.includes(typed) ? [] : [typedRow(`Use “${preview(typed)}” as typed`, note)];
  const [best] = values;
  if (best === undefined || rankOf(best, typed) === 3) return [...typedRows, ...section];
  return [...section, ...(typedRows.length === 0 ? [] : [separator(''), ...typedRows])];
}

function emptyRows({ field, note, inserts, kept }: ArgumentRowsState, section: readonly ArgumentRow[]): ArgumentRow[] {
  const insertRows = inserts.map((source): ArgumentRow => ({
    ...rowOf(`$(${source.icon}) ${source.label}`, source.description && preview(source.description)),
    choice: { kind: 'insert', source },
  }));
  // Where there is something to choose from, that can be done at once.
  const hasChoice = section.length > 0 || kept !== undefined;
  const required = hasChoice && note === undefined ? [] : [typedRow('Type a value', note ?? 'required')];
  return [
    ...(kept === undefined ? [] : [valueRow(kept, countOf(kept.split('\n').length, 'line'))]),
    ...(field.isRequired ? required : [typedRow('$(debug-step-over) Leave out', note ?? 'optional')]),
    ...section,
    ...(inserts.length === 0 ? [] : [separator('Insert'), ...insertRows]),
  ];
}

/** Shown for every text: the server or Patchbay has matched it already. */
function rowOf(label: string, description: string | undefined): ArgumentRow {
  return { label, alwaysShow: true, ...(description !== undefined && { description }) };
}

function typedRow(label: string, description: string | undefined): ArgumentRow {
  return { ...rowOf(label, description), choice: { kind: 'typed' } };
}

function valueRow(value: string, description?: string): ArgumentRow {
  return { ...rowOf(value === '' ? 'Empty text' : preview(value), description), choice: { kind: 'value', value } };
}

function separator(label: string): ArgumentRow {
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
