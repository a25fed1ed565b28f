import { describe, expect, it, vi } from 'vitest';
import { createRecentItems } from '../../../../src/host/invocation/contentPicker.ts';
import type { Storage } from '../../../../src/host/platform/storage.ts';

function createStorage(values: Record<string, unknown> = {}): Storage {
  return {
    get: (key) => values[key],
    update: async (key, value) => {
      values[key] = value;
    },
  };
}

describe('recentItems', () => {
  it('puts what was used lately first and leaves the rest in order', () => {
    const recent = createRecentItems(createStorage(), 'key');
    recent.touch('b');
    recent.touch('d');
    recent.touch('b');
    expect(recent.sort(['a', 'b', 'c', 'd'], (item) => item)).toEqual({ recent: ['b', 'd'], others: ['a', 'c'] });
  });

  it('makes the key of each item once, and none while nothing was used', () => {
    const recent = createRecentItems(createStorage(), 'key');
    const keyOf = vi.fn<(item: string) => string>((item) => item);
    recent.sort(['a', 'b', 'c'], keyOf);
    expect(keyOf).not.toHaveBeenCalled();
    recent.touch('b');
    recent.sort(['a', 'b', 'c'], keyOf);
    expect(keyOf).toHaveBeenCalledTimes(3);
  });

  it('remembers so many and no more, and survives nonsense in the storage', () => {
    const storage = createStorage({ key: { not: 'a list' } });
    const recent = createRecentItems(storage, 'key', 2);
    for (const key of ['a', 'b', 'c']) recent.touch(key);
    expect(storage.get('key')).toEqual(['c', 'b']);
  });

  it('does not remember what has a very long name', () => {
    const storage = createStorage();
    const recent = createRecentItems(storage, 'key');
    recent.touch('short');
    recent.touch('x'.repeat(100_000));
    expect(storage.get('key')).toEqual(['short']);
  });
});
