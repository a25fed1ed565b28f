import { describe, expect, it } from 'vitest';
import { jsonLength, toJsonText } from '../../../src/base/json.ts';

describe('toJsonText', () => {
  it('writes what fits whole', () => {
    const value = { a: [1, 'two', null, true], b: { c: {} } };
    expect(toJsonText(value, 1_000)).toBe(JSON.stringify(value));
  });

  it.each([
    ['a long text', 'x'.repeat(1_000_000)],
    ['a long list', Array.from({ length: 100_000 }, () => 'entry')],
    ['many members', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`member ${index}`, 1]))],
    ['a long name', { ['n'.repeat(1_000_000)]: 1 }],
    ['many levels', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown],
  ])('writes no more than about the maximum of %s, and says that more is missing', (_, value) => {
    const text = toJsonText(value, 1_000);
    expect(text.length).toBeLessThan(1_300);
    expect(text).toContain('…');
  });
});

describe('jsonLength', () => {
  it.each([['text'], [''], [12.5], [true], [null], [[]], [{}], [[1, [2, 'x']]], [{ a: 1, bc: [{ d: 'e' }, {}] }]])(
    'is the length of %j as JSON',
    (value) => expect(jsonLength(value)).toBe(JSON.stringify(value).length),
  );
});
