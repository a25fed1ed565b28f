import { describe, expect, it, vi } from 'vitest';
import { areDistinct, describeLookAlikes, mixesScripts, skeletonOf } from '../../../src/base/lookAlike.ts';

describe('skeletonOf', () => {
  it.each([
    ['github', 'gіthub'],
    ['github', 'ｇｉｔｈｕｂ'],
    ['github', '𝐠𝐢𝐭𝐡𝐮𝐛'],
    ['github', 'git\u200Bhub'],
    ['github', 'GitHub'],
    ['google', 'g00gle'],
    ['paypal', 'paypaI'],
    ['paypal', 'раураl'],
    ['modern', 'modem'],
    ['ACE', 'АСЕ'],
    ['notes-app', 'notes‐app'],
    ['scope', 'ѕсоре'],
  ])('is the same for %s and %s', (one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)));

  it.each([
    ['github', 'gitlab'],
    ['notes', 'notes2'],
    ['поиск', 'понск'],
    ['cafe', 'café'],
  ])('differs for %s and %s', (one, other) => expect(skeletonOf(one)).not.toBe(skeletonOf(other)));
});

describe('areDistinct', () => {
  it.each([
    ['github', 'GitHub'],
    ['google', 'g00gle'],
    ['paypal', 'paypaI'],
    ['a|b', 'a1b'],
    ['modern', 'modem'],
    ['MODERN', 'modem'],
    ['vvorld', 'world'],
    ['vvv', 'wv'],
    [' notes', 'notes '],
    ['add', 'add'],
  ])('is false of %s and %s, whose skeletons are equal', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
    expect(areDistinct(['first', one, 'second', other])).toBe(false);
  });

  it.each(['поиск', 'gіthub', 'git\u200Bhub', 'two\nlines', 'café', '\u007f'])(
    'is false where %j is among the names, which is not printable ASCII',
    (name) => expect(areDistinct(['github', name])).toBe(false),
  );

  it('is true of the names of a long list, and makes no text for any of them', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `Tool ${index}`);
    expect(areDistinct(['makes the table of letters'])).toBe(true);
    const replaceAll = vi.spyOn(String.prototype, 'replaceAll');
    const toLowerCase = vi.spyOn(String.prototype, 'toLowerCase');
    try {
      expect(areDistinct(names)).toBe(true);
      expect(describeLookAlikes(names).size).toBe(0);
      expect(replaceAll.mock.calls.length + toLowerCase.mock.calls.length).toBe(0);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is true of no names, of one, and of names that differ', () => {
    for (const names of [[], ['add'], ['add', 'subtract', 'add_2', 'madd']]) expect(areDistinct(names)).toBe(true);
  });
});

describe('mixesScripts', () => {
  it.each(['gіthub', 'pаypal', 'αdd', 'Ꭰata'])('is true of %s', (word) => expect(mixesScripts(word)).toBe(true));
  it.each(['github', 'поиск', '日本語', '東京tool', 'カナかな漢字', 'größe', 'עברית', '', '123'])(
    'is false of %s',
    (word) => expect(mixesScripts(word)).toBe(false),
  );
});

describe('describeLookAlikes', () => {
  const notes = (...names: string[]) => Object.fromEntries(describeLookAlikes(names));

  it('says nothing of ordinary names', () => {
    expect(notes('github', 'gitlab', 'поиск', 'notes', 'Поиск GitHub', '日本語 tools')).toEqual({});
  });

  it('marks the one that imitates, not the one that is imitated', () => {
    expect(notes('github', 'gіthub')).toEqual({ gіthub: 'looks like “github”, has Cyrillic letters' });
    expect(notes('ｇithub', 'github')).toEqual({ ｇithub: 'looks like “github”' });
  });

  it('marks both where either may imitate the other', () => {
    expect(notes('paypal', 'paypaI')).toEqual({ paypal: 'looks like “paypaI”', paypaI: 'looks like “paypal”' });
  });

  it('marks mixed letters by themselves', () => {
    expect(notes('gіthub')).toEqual({ gіthub: 'has Cyrillic letters' });
  });

  it('takes names as keys of nothing', () => {
    expect(notes('__proto__', 'constructor', '__prоto__')).toEqual({
      __prоto__: expect.stringContaining('__proto__') as unknown,
    });
  });
});
