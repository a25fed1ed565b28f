import { describe, expect, it, vi } from 'vitest';
import { RecentItems } from '../../../../src/host/invocation/contentPicker.ts';
import { sampleState } from '../sampleState.ts';

describe('recentItems', () => {
  it('puts what was used lately first and leaves the rest in order', () => {
    const recent = new RecentItems(sampleState(), 'key');
    recent.touch('b');
    recent.touch('d');
    recent.touch('b');
    expect(recent.sort(['a', 'b', 'c', 'd'], (item) => item)).toEqual({ recent: ['b', 'd'], others: ['a', 'c'] });
  });

  it('makes the key of each item once, and none while nothing was used', () => {
    const recent = new RecentItems(sampleState(), 'key');
    const keyOf = vi.fn<(item: string) => string>((item) => item);
    recent.sort(['a', 'b', 'c'], keyOf);
    expect(keyOf).not.toHaveBeenCalled();
    recent.touch('b');
    recent.sort(['a', 'b', 'c'], keyOf);
    expect(keyOf).toHaveBeenCalledTimes(3);
  });

  it('remembers so many and no more, and survives nonsense in the storage', () => {
    const storage = sampleState({ key: { not: 'a list' } });
    const recent = new RecentItems(storage, 'key', 2);
    for (const key of ['a', 'b', 'c']) recent.touch(key);
    expect(storage.get('key')).toEqual(['c', 'b']);
  });

  it('does not remember what has a very long name', () => {
    const storage = sampleState();
    const recent = new RecentItems(storage, 'key');
    recent.touch('short');
    recent.touch('x'.repeat(100_000));
    expect(storage.get('key')).toEqual(['short']);
  });
});
