import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { PinRecords } from '../../../../src/client/definitions/pinRecords.ts';

const snapshot = (digest: string, text = `[${digest}]`) => ({ digest, text });

describe('the book of pins', () => {
  it('can be written down and read again, with whatever else stands there passed over', () => {
    const book = new PinRecords();
    book.approve('tools', 'a', snapshot('1'));
    book.approve('tools', 'a', snapshot('2'));
    book.approve('prompts', 'a', snapshot('3'));
    const again = new PinRecords();
    again.load([null, { kind: 'skills', key: 'a', digest: '1' }, { kind: 'tools', key: 1 }, ...book.entries()]);
    expect(again.pins).toEqual(book.pins);
    expect(again.get('tools', 'a')).toEqual({ kind: 'tools', key: 'a', approved: ['1', '2'], text: '[2]' });
  });

  it('keeps the digest of a definition whose text is too long', () => {
    const book = new PinRecords();
    book.approve('tools', 'a', snapshot('1', 'x'.repeat(limits.definition.keptCharacters + 1)));
    expect(book.get('tools', 'a')).toEqual({ kind: 'tools', key: 'a', approved: ['1'], text: undefined });
  });

  it('lets texts go before pins when there are too many of them', () => {
    const book = new PinRecords();
    const text = 'x'.repeat(limits.definition.keptCharacters);
    const count = Math.ceil(limits.pins.keptCharacters / text.length) + 5;
    for (let index = 0; index < count; index += 1) book.approve('tools', `t${index}`, snapshot('1', text));
    expect(book.pins).toHaveLength(count);
    expect(book.pins.reduce((sum, pin) => sum + (pin.text?.length ?? 0), 0)).toBeLessThanOrEqual(
      limits.pins.keptCharacters,
    );
    expect(book.get('tools', 't0')).toMatchObject({ approved: ['1'], text: undefined });
    expect(book.isIncomplete).toBe(false);
  });

  it('knows that it has forgotten pins, the oldest first', () => {
    const book = new PinRecords();
    book.load(
      Array.from({ length: limits.pins.definitions + 1 }, (_, index) => ({
        kind: 'tools',
        key: `t${index}`,
        digest: '1',
      })),
    );
    expect(book.pins).toHaveLength(limits.pins.definitions);
    expect(book.get('tools', 't0')).toBeUndefined();
    const again = new PinRecords();
    again.load(book.entries());
    expect([book.isIncomplete, again.isIncomplete]).toEqual([true, true]);
  });

  it('keeps a bounded number of versions', () => {
    const book = new PinRecords();
    for (let index = 0; index < 100; index += 1) book.approve('tools', 'a', snapshot(String(index)));
    expect(book.get('tools', 'a')?.approved).toHaveLength(limits.pins.versions);
    expect(book.get('tools', 'a')?.approved.at(-1)).toBe('99');
  });
});
