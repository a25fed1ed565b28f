import { describe, expect, it } from 'vitest';
import {
  type ArgumentField,
  argumentItems,
  type ArgumentInputState,
  matchChoices,
} from '../../../../src/host/arguments/argumentItems.ts';
import type { Suggestions } from '../../../../src/host/arguments/suggestions.ts';

const required: ArgumentField = { name: 'city', label: 'City', isRequired: true };
const optional: ArgumentField = { ...required, isRequired: false };

type State = Omit<Partial<ArgumentInputState>, 'suggestions'> & { readonly suggestions?: readonly string[] };

function items({ suggestions = [], ...state }: State, more: Partial<Suggestions> = {}) {
  return argumentItems({
    field: required,
    typed: '',
    problem: undefined,
    suggestions: { values: suggestions, hasMore: false, ...more },
    inserts: [],
    kept: undefined,
    entries: undefined,
    ...state,
  });
}

describe('argumentItems', () => {
  it('puts what is typed first, so that Enter takes nothing that has only just appeared', () => {
    const rows = items({ typed: 'Par', suggestions: ['Paris', 'Parma'] });
    expect(rows.map(({ label, choice }) => [label, choice.kind])).toEqual([
      ['Par', 'typed'],
      ['Paris', 'value'],
      ['Parma', 'value'],
    ]);
  });

  it('offers to leave out what is optional, and only that', () => {
    expect(items({ field: optional })[0]?.choice).toEqual({ kind: 'skip' });
    expect(items({ field: required })[0]).toMatchObject({ label: 'Type a value', choice: { kind: 'typed' } });
    expect(items({ field: optional, typed: 'x' }).some(({ choice }) => choice.kind === 'skip')).toBe(false);
    expect(items({ field: { ...required, acceptsEmpty: true } })[0]?.label).toBe('Empty text');
  });

  it('tells the problem beside what is typed', () => {
    expect(items({ typed: '7', problem: 'must be at most 5' })[0]?.description).toBe('$(warning) must be at most 5');
  });

  it('draws no icon a server asks for, and breaks no line', () => {
    const [typed, suggestion] = items({ typed: '$(bug)', problem: '$(bug)', suggestions: ['$(flame)\nx'] });
    expect(typed?.label).toBe('\\$(bug)');
    expect(typed?.description).toBe('$(warning) \\$(bug)');
    expect(suggestion?.label).toBe('\\$(flame) x');
    expect(suggestion?.choice).toEqual({ kind: 'value', value: '$(flame)\nx' });
  });

  it('keeps a value of several lines at hand until something is typed', () => {
    expect(items({ kept: 'a\nb', typed: 'x' })).toHaveLength(1);
    expect(items({ kept: 'a\nb' })[0]).toEqual({
      label: 'a b',
      description: '2 lines',
      choice: { kind: 'value', value: 'a\nb' },
    });
  });

  it('offers to insert something while nothing is typed, and where there are not only choices', () => {
    const inserts = [{ label: 'Clipboard', icon: 'clippy', read: async () => 'x' }];
    expect(items({ inserts }).at(-1)).toMatchObject({ label: '$(clippy) Clipboard', section: 'Insert' });
    expect(items({ inserts, typed: 'x' })).toHaveLength(1);
    expect(
      items({ inserts, field: { ...required, choices: ['a'] }, suggestions: ['a'] }).map(({ section }) => section),
    ).toEqual(['Values']);
  });

  it('says how much more the server has [completion-more]', () => {
    const sectionOf = (more: Partial<Suggestions>): string | undefined =>
      items({ suggestions: ['a', 'b'] }, more).at(-1)?.section;
    expect(sectionOf({})).toBe('Suggestions');
    expect(sectionOf({ hasMore: true })).toBe('The first 2 suggestions. There are more: type to see others');
    expect(sectionOf({ hasMore: true, total: 4_200 })).toBe(
      'The first 2 suggestions. There are 4,200: type to see others',
    );
  });
});

describe('fixed values', () => {
  const field: ArgumentField = { ...required, choices: ['metric', 'imperial'] };
  const labels = (state: State): (readonly [string, string])[] =>
    items(state).map(({ label, choice }) => [label, choice.kind] as const);

  it('are a plain pick: what matches best is what Enter takes', () => {
    expect(labels({ field, suggestions: ['metric', 'imperial'] })).toEqual([
      ['metric', 'value'],
      ['imperial', 'value'],
    ]);
    expect(labels({ field, typed: 'imp', suggestions: ['imperial'] })).toEqual([['imperial', 'value']]);
    expect(labels({ field, typed: 'x' })).toEqual([['None of the values matches', 'nothing']]);
  });

  it('that are optional are left out unless one is chosen', () => {
    const leftOut = { ...field, isRequired: false, leftOut: 'the default is metric' };
    const [first] = items({ field: leftOut, suggestions: ['metric', 'imperial'] });
    expect(first).toMatchObject({ choice: { kind: 'skip' }, description: 'optional, the default is metric' });
    expect(labels({ field: leftOut, typed: 'm', suggestions: ['metric', 'imperial'] })[0]).toEqual(['metric', 'value']);
  });
});

describe('a list', () => {
  const field: ArgumentField = { ...optional, checkEntry: () => undefined };
  const kinds = (state: State): string[] => items({ field, ...state }).map(({ choice }) => choice.kind);

  it('grows by what is typed, and is taken or left out while nothing is', () => {
    expect(kinds({ entries: [] })).toEqual(['skip']);
    expect(kinds({ entries: [], typed: 'a' })).toEqual(['typed']);
    expect(kinds({ entries: ['a', 'b'] })).toEqual(['done', 'remove', 'remove']);
    expect(kinds({ entries: [], field: { ...field, isRequired: true } })).toEqual(['done']);
    expect(items({ field, entries: ['a', 'b'] })[0]?.description).toBe('2 entries');
    expect(items({ field, entries: ['a', ''] }).at(-1)).toMatchObject({
      label: '$(close) Empty text',
      choice: { kind: 'remove', index: 1 },
    });
  });

  it('of fixed values offers those', () => {
    const fixed = { ...field, choices: ['a', 'b'] };
    expect(kinds({ field: fixed, entries: ['a'], suggestions: ['b'] })).toEqual(['done', 'value', 'remove']);
  });
});

describe('matchChoices', () => {
  it('finds a text anywhere, whatever its case, the best match first', () => {
    expect(matchChoices(['metric', 'Imperial'], 'IM').values).toEqual(['Imperial']);
    expect(matchChoices(['a', 'b'], '').values).toEqual(['a', 'b']);
    expect(matchChoices(['undone', 'doing', 'DO', 'do'], 'do').values).toEqual(['do', 'DO', 'doing', 'undone']);
  });

  it('offers the first of a hundred thousand, says so, and finds the others', () => {
    const choices = Array.from({ length: 100_000 }, (_, index) => `value ${index}`);
    const { values, ...more } = matchChoices(choices, '');
    const rows = items({ field: { ...required, choices }, suggestions: values }, more);
    expect(rows.length).toBeLessThan(1_010);
    expect(rows.at(-1)?.section).toBe('The first 1,000 values. There are 100,000: type to see others');
    expect(matchChoices(choices, '99999').values).toEqual(['value 99999']);
  });
});
