import { formatCount } from '../../base/truncate.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import type { Suggestions } from './suggestions.ts';

/** One argument to ask for: a text. */
export interface ArgumentField {
  readonly name: string;
  /** For people; from the server, so not to be trusted with markup. */
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

/** What choosing an item does. */
export type ArgumentChoice =
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
  /** Why nothing was taken. */
  readonly problem: string | undefined;
  /** The server's completions. */
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
