import { describe, expect, it } from 'vitest';
import { SuggestionList } from '../../../../src/host/arguments/suggestions.ts';

const cities = ['Paris', 'Parma', 'London'];

describe('a complete list', () => {
  it('is filtered here, whatever the case, where the server sends all it has [completion-filter]', () => {
    const list = new SuggestionList();
    expect(list.take('', { values: cities, hasMore: false }).values).toEqual(cities);
    expect(list.match('PAR').values).toEqual(['Paris', 'Parma']);
    expect(list.take('PAR', { values: cities, hasMore: false }).values).toEqual(['Paris', 'Parma']);
    expect(list.take('PARX', { values: cities, hasMore: false }).values).toEqual([]);
    expect(new SuggestionList().take('par', { values: cities, total: 3 }).values).toEqual(['Paris', 'Parma']);
  });

  it('still has what a server that matches letter by letter does not find [completion-filter]', () => {
    const list = new SuggestionList();
    list.take('', { values: cities, total: 3 });
    expect(list.take('par', { values: [], hasMore: false })).toEqual({ values: ['Paris', 'Parma'], hasMore: false });
  });

  it('gives way to what the server finds in its own way', () => {
    const list = new SuggestionList();
    list.take('', { values: ['src/', 'test/'], hasMore: false });
    expect(list.take('src/', { values: ['src/a', 'src/b'], hasMore: false }).values).toEqual([
      'src/',
      'src/a',
      'src/b',
    ]);
    expect(list.take('sb', { values: ['src/b'], hasMore: false }).values).toEqual(['src/b']);
    const late = new SuggestionList();
    late.take('', { values: [], hasMore: false });
    late.take('p', { values: ['Paris'], hasMore: false });
    expect(late.match('PA').values).toEqual(['Paris']);
  });
});

describe('a list with more behind it', () => {
  it('is for the server to match, and says how much there is', () => {
    const list = new SuggestionList();
    expect(list.take('x', { values: cities, hasMore: true })).toEqual({ values: cities, hasMore: true });
    expect(list.take('x', { values: cities, total: 12 })).toEqual({ values: cities, hasMore: true, total: 12 });
    expect(list.take('x', { values: cities })).toEqual({ values: cities, hasMore: false });
    expect(list.match('par')).toEqual({ values: ['Paris', 'Parma'], hasMore: false });
  });

  it('of more than can be chosen from is cut, and says so', () => {
    const values = Array.from({ length: 300 }, (_, index) => `v${index}`);
    const taken = new SuggestionList().take('', { values, hasMore: false });
    expect(taken).toEqual({ values: values.slice(0, 100), hasMore: true, total: 300 });
  });

  it('has the best matches first: the text itself, what begins with it, what contains it', () => {
    const list = new SuggestionList();
    const values = ['South Japan', 'Japan', 'Jap', 'JAP', 'none'];
    expect(list.take('Jap', { values, hasMore: true }).values).toEqual(['Jap', 'JAP', 'Japan', 'South Japan', 'none']);
  });
});
