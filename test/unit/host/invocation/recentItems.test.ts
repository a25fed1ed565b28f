import { describe, expect, it } from 'vitest';
import { createRecentItems } from '../../../../src/host/invocation/contentPicker.ts';
import { sampleState } from '../sampleState.ts';

describe('recentItems', () => {
  it('puts what was used lately first and leaves the rest in order', () => {
    const recent = createRecentItems(sampleState(), 'key');
    recent.touch('b');
    recent.touch('d');
    recent.touch('b');
    expect(recent.sort(['a', 'b', 'c', 'd'], (item) => item)).toEqual({ recent: ['b', 'd'], others: ['a', 'c'] });
  });

  it('remembers so many and no more, and survives nonsense in the storage', () => {
    const storage = sampleState({ key: { not: 'a list' } });
    const recent = createRecentItems(storage, 'key');
    for (let key = 0; key < 60; key += 1) recent.touch(`${key}`);
    expect(storage.get('key')).toMatchObject({ 0: '59', 49: '10', length: 50 });
  });

  it('does not remember what has a very long name', () => {
    const storage = sampleState();
    const recent = createRecentItems(storage, 'key');
    recent.touch('short');
    recent.touch('x'.repeat(100_000));
    expect(storage.get('key')).toEqual(['short']);
  });
});
