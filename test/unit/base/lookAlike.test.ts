import { describe, expect, it } from 'vitest';
import { describeLookAlikes, mixesScripts, skeletonOf } from '../../../src/base/lookAlike.ts';

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
