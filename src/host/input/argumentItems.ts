import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/shown.ts';
import { countOf, escapeIcons, singleLine } from '../displayText.ts';
import type { ArgumentField } from './argumentFlow.ts';

/** What choosing an item does. */
export type ArgumentChoice =
  /** Takes what stands in the input. */
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

export interface ArgumentInputState {
  readonly field: ArgumentField;
  /** What stands in the input. */
  readonly typed: string;
  /** Why that will not do, as far as is known. */
  readonly problem: string | undefined;
  /** The server's completions, or the matching choices. */
  readonly suggestions: readonly string[];
  readonly inserts: readonly InsertSource[];
  /** A value of several lines, which no input can hold: answered before, or the field's own. */
  readonly kept: string | undefined;
}

/**
 * The rows for one argument. The first is about what stands in the input, so that Enter never takes something that has
 * only just appeared. What can be inserted is offered while nothing is typed.
 */
export function argumentItems(state: ArgumentInputState): ArgumentItem[] {
  const { field, kept } = state;
  const suggestions = state.suggestions.filter((value) => value !== state.typed || value === '');
  const isPartial = field.choices !== undefined && suggestions.length >= limits.shown.choices;
  const values = isPartial ? `The first ${formatCount(suggestions.length)} values. Type to see others` : 'Values';
  const section = field.choices === undefined ? 'Suggestions' : values;
  return [
    ...(kept === undefined || state.typed !== ''
      ? []
      : [{ label: preview(kept), description: describeLines(kept), choice: { kind: 'value', value: kept } as const }]),
    typedItem(state),
    ...suggestions.map((value) => ({
      label: value === '' ? 'Empty text' : preview(value),
      choice: { kind: 'value', value } as const,
      section,
    })),
    ...(field.choices === undefined && state.typed === '' ? state.inserts : []).map((source) => ({
      label: `$(${source.icon}) ${source.label}`,
      ...(source.description !== undefined && { description: preview(source.description) }),
      choice: { kind: 'insert', source } as const,
      section: 'Insert',
    })),
  ];
}

/** The choices that hold `typed`, whatever the case, in their own order; of a great many the first. */
export function matchChoices(choices: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const matching: string[] = [];
  for (const choice of choices) {
    if (matching.length === limits.shown.choices) break;
    if (choice.toLowerCase().includes(wanted)) matching.push(choice);
  }
  return matching;
}

function typedItem({ field, typed, problem }: ArgumentInputState): ArgumentItem {
  if (typed !== '') {
    const description = problem === undefined ? 'as typed' : `$(warning) ${escapeIcons(problem)}`;
    return { label: preview(typed), description, choice: { kind: 'typed' } };
  }
  if (field.acceptsEmpty === true && field.isRequired) {
    return { label: 'Empty text', description: problem ?? 'or type a value', choice: { kind: 'typed' } };
  }
  if (!field.isRequired)
    return { label: '$(debug-step-over) Leave out', description: 'optional', choice: { kind: 'skip' } };
  const description = problem === undefined ? 'required' : `$(warning) ${escapeIcons(problem)}`;
  return {
    label: field.choices === undefined ? 'Type a value' : 'Choose a value',
    description,
    choice: { kind: 'typed' },
  };
}

function describeLines(text: string): string {
  return countOf(text.split('\n').length, 'line');
}

function preview(text: string): string {
  return escapeIcons(singleLine(text, 120));
}
