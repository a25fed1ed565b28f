import { describe, expect, it } from 'vitest';
import {
  type ArgumentField,
  argumentRows,
  type ArgumentInputState,
} from '../../../../src/host/arguments/argumentInput.ts';
import type { Suggestions } from '../../../../src/host/arguments/suggestions.ts';

const required: ArgumentField = { name: 'city', label: 'City', isRequired: true };
const optional: ArgumentField = { ...required, isRequired: false };

type State = Omit<Partial<ArgumentInputState>, 'suggestions'> & { readonly suggestions?: readonly string[] };

function rowsOf({ suggestions = [], ...state }: State, more: Partial<Suggestions> = {}) {
  return argumentRows({
    field: required,
    typed: '',
    problem: undefined,
    suggestions: { values: suggestions, hasMore: false, ...more },
    inserts: [],
    kept: undefined,
    ...state,
  });
}

describe('the rows for an argument', () => {
  it('puts what is typed first, so that Enter takes nothing that has only just appeared', () => {
    const rows = rowsOf({ typed: 'Par', suggestions: ['Paris', 'Parma'] });
    expect(rows.map(({ label, choice }) => [label, choice?.kind])).toEqual([
      ['Par', 'typed'],
      ['Suggestions', undefined],
      ['Paris', 'value'],
      ['Parma', 'value'],
    ]);
  });

  it('offers to leave out what is optional, and only that', () => {
    expect(rowsOf({ field: optional })[0]?.label).toBe('$(debug-step-over) Leave out');
    expect(rowsOf({ field: required })[0]).toMatchObject({ label: 'Type a value', choice: { kind: 'typed' } });
    expect(rowsOf({ field: optional, typed: 'x' }).map(({ label }) => label)).toEqual(['x']);
  });

  it('tells a problem in the first row', () => {
    expect(rowsOf({ problem: 'Clipboard is empty.' })[0]?.description).toBe('$(warning) Clipboard is empty.');
  });

  it('draws no icon a server asks for, and breaks no line', () => {
    const [typed, , suggestion] = rowsOf({ typed: '$(bug)', problem: '$(bug)', suggestions: ['$(flame)\nx'] });
    expect(typed?.label).toBe('\\$(bug)');
    expect(typed?.description).toBe('$(warning) \\$(bug)');
    expect(suggestion?.label).toBe('\\$(flame) x');
    expect(suggestion?.choice).toEqual({ kind: 'value', value: '$(flame)\nx' });
  });

  it('keeps a value of several lines at hand until something is typed', () => {
    expect(rowsOf({ kept: 'a\nb', typed: 'x' })).toHaveLength(1);
    expect(rowsOf({ kept: 'a\nb' })[0]).toEqual({
      label: 'a b',
      alwaysShow: true,
      description: '2 lines',
      choice: { kind: 'value', value: 'a\nb' },
    });
  });

  it('offers to insert something while nothing is typed', () => {
    const inserts = [{ label: 'Clipboard', icon: 'clippy', read: async () => 'x' }];
    expect(rowsOf({ inserts }).map(({ label }) => label)).toEqual(['Type a value', 'Insert', '$(clippy) Clipboard']);
    expect(rowsOf({ inserts, typed: 'x' })).toHaveLength(1);
  });

  it('says how much more the server has [completion-more]', () => {
    const sectionOf = (more: Partial<Suggestions>): string | undefined =>
      rowsOf({ suggestions: ['a', 'b'] }, more).at(-3)?.label;
    expect(sectionOf({})).toBe('Suggestions');
    expect(sectionOf({ hasMore: true })).toBe('The first 2 suggestions. There are more: type to see others');
    expect(sectionOf({ hasMore: true, total: 4_200 })).toBe(
      'The first 2 suggestions. There are 4,200: type to see others',
    );
  });
});
