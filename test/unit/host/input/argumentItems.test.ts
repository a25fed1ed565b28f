import { describe, expect, it } from 'vitest';
import type { ArgumentField } from '../../../../src/host/input/argumentFlow.ts';
import { argumentItems, type ArgumentInputState, matchChoices } from '../../../../src/host/input/argumentItems.ts';

const required: ArgumentField = { name: 'city', label: 'City', isRequired: true };
const optional: ArgumentField = { ...required, isRequired: false };

function items(state: Partial<ArgumentInputState>) {
  return argumentItems({
    field: required,
    typed: '',
    problem: undefined,
    suggestions: [],
    inserts: [],
    kept: undefined,
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
    ).toEqual([undefined, 'Values']);
  });
});

describe('matchChoices', () => {
  it('finds a text anywhere, whatever its case', () => {
    expect(matchChoices(['metric', 'Imperial'], 'IM')).toEqual(['Imperial']);
    expect(matchChoices(['a', 'b'], '')).toEqual(['a', 'b']);
  });

  it('offers the first of a hundred thousand, says so, and finds the others', () => {
    const choices = Array.from({ length: 100_000 }, (_, index) => `value ${index}`);
    const rows = items({ field: { ...required, choices }, suggestions: matchChoices(choices, '') });
    expect(rows.length).toBeLessThan(1_010);
    expect(rows.at(-1)?.section).toBe('The first 1,000 values. Type to see others');
    expect(matchChoices(choices, '99999')).toEqual(['value 99999']);
  });
});
