import { describe, expect, it } from 'vitest';
import {
  type ArgumentField,
  argumentRows,
  type ArgumentRowsState,
} from '../../../../src/host/arguments/argumentRows.ts';
import type { Suggestions } from '../../../../src/host/arguments/suggestions.ts';

const required: ArgumentField = { name: 'city', label: 'City', isRequired: true };
const optional: ArgumentField = { ...required, isRequired: false };

type State = Omit<Partial<ArgumentRowsState>, 'suggestions'> & { readonly suggestions?: readonly string[] };

function rowsOf({ suggestions = [], ...state }: State, more: Partial<Suggestions> = {}) {
  return argumentRows({
    field: required,
    typed: '',
    note: undefined,
    suggestions: { values: suggestions, hasMore: false, ...more },
    inserts: [],
    kept: undefined,
    ...state,
  });
}

describe('the rows for an argument', () => {
  it('puts the best match first, and what is typed last', () => {
    const rows = rowsOf({ typed: 'Par', suggestions: ['Paris', 'Parma'] });
    expect(rows.map(({ label, choice }) => [label, choice?.kind])).toEqual([
      ['Suggestions', undefined],
      ['Paris', 'value'],
      ['Parma', 'value'],
      ['', undefined],
      ['Use “Par” as typed', 'typed'],
    ]);
  });

  it('puts what is typed first where no suggestion contains it', () => {
    const rows = rowsOf({ typed: 'Pariss', suggestions: ['Paris'] });
    expect(rows.map(({ label }) => label)).toEqual(['Use “Pariss” as typed', 'Suggestions', 'Paris']);
    expect(rowsOf({ typed: 'Par' }).map(({ label }) => label)).toEqual(['Use “Par” as typed']);
  });

  it('shows what is typed once where it is a suggestion', () => {
    const rows = rowsOf({ typed: 'Paris', suggestions: ['Paris', 'Paris Nord'] });
    expect(rows.map(({ label }) => label)).toEqual(['Suggestions', 'Paris', 'Paris Nord']);
  });

  it('offers to leave out what is optional, and only that', () => {
    expect(rowsOf({ field: optional, suggestions: ['a'] })[0]?.label).toBe('$(debug-step-over) Leave out');
    expect(rowsOf({ field: required })[0]).toMatchObject({ label: 'Type a value', choice: { kind: 'typed' } });
    expect(rowsOf({ field: optional, typed: 'x' }).map(({ label }) => label)).toEqual(['Use “x” as typed']);
  });

  it('asks for no text where a required argument can be chosen', () => {
    expect(rowsOf({ suggestions: ['a'] }).map(({ label }) => label)).toEqual(['Suggestions', 'a']);
  });

  it('tells a problem in the first row', () => {
    expect(rowsOf({ note: '$(warning) Clipboard is empty.' })[0]?.description).toBe('$(warning) Clipboard is empty.');
  });

  it('draws no icon a server asks for, and breaks no line', () => {
    const [typed, , suggestion] = rowsOf({ typed: '$(bug)', suggestions: ['$(flame)\nx'] });
    expect(typed?.label).toBe('Use “\\$(bug)” as typed');
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
