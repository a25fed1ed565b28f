import { describe, expect, it } from 'vitest';
import { EventDecoder } from '../../../../src/transport/http/eventStream.ts';
import { limits } from '../../../../src/base/limits.ts';
import { MessageTooLarge } from '../../../../src/transport/messageLimits.ts';
import { countWork, lengthOfResult } from '../../../fixtures/countWork.ts';

function decode(chunks: Iterable<Uint8Array>, maximumBytes = 1_000_000, structure = { members: 500_000, depth: 512 }) {
  const events: { readonly id?: string | undefined; readonly event?: string | undefined; readonly data: string }[] = [];
  const decoder = new EventDecoder((event) => events.push(event), { ...structure, bytes: maximumBytes });
  for (const chunk of chunks) decoder.write(chunk);
  return { decoder, events };
}

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('EventDecoder', () => {
  it.each(['\n', '\r\n', '\r'])(
    'reads the same events whatever the chunks, with lines that end with %j [http-comments]',
    (end) => {
      const lines = [
        '\uFEFF: comment',
        'id: a',
        'event: message',
        'data: Größe 🙂',
        'data:second',
        '',
        'retry: 70',
        '',
        'id: b',
        'data',
        '',
        '',
      ];
      const bytes = bytesOf(lines.join(end));
      for (let size = 1; size <= bytes.length; size += 1) {
        const { decoder, events } = decode(cut(bytes, size));
        expect(events, `chunks of ${size}`).toMatchObject([
          { id: 'a', event: 'message', data: 'Größe 🙂\nsecond' },
          { id: 'b', data: '' },
        ]);
        expect([decoder.lastEventId, decoder.retryMs]).toEqual(['b', 70]);
      }
    },
  );

  it('gives no event that did not end', () => {
    const { decoder, events } = decode([bytesOf('id: a\ndata: 1\n\nid: b\ndata: 2\n')]);
    expect(events).toMatchObject([{ data: '1' }]);
    expect(decoder.lastEventId).toBe('a');
  });

  it('keeps the id of an earlier event, and forgets it when told so', () => {
    expect(decode([bytesOf('id: a\ndata: 1\n\ndata: 2\n\n')]).decoder.lastEventId).toBe('a');
    expect(decode([bytesOf('id: a\ndata: 1\n\nid:\ndata: 2\n\n')]).decoder.lastEventId).toBe('');
  });

  it.each([
    ['has no data', 'id: b\n\n', 'b'],
    ['has no data, but another field', 'event: ping\nid: b\n: comment\n\n', 'b'],
    ['comes first, behind a byte order mark', '\uFEFFid: b\n\n', 'b'],
    ['has an id of several bytes', 'id:Größe 🙂\n\n', 'Größe 🙂'],
    ['takes the id back', 'id\n\n', ''],
    ['did not end', 'id: b\n', undefined],
    ['has no id, but what looks like one', 'ident: b\n\n \uFEFFid: b\n\nretry: 1\nid: \0\n\n', undefined],
  ])('moves on to the id of an event that %s, whatever the chunks [http-id-only]', (_what, text, lastEventId) => {
    for (const ended of [text, text.replaceAll('\n', '\r\n')]) {
      const bytes = bytesOf(ended);
      for (let size = 1; size <= bytes.length; size += 1) {
        const { decoder, events } = decode(cut(bytes, size));
        expect(events).toEqual([]);
        expect(decoder.lastEventId, `chunks of ${size}`).toBe(lastEventId);
      }
    }
  });

  it('keeps no id that is too long to be sent back', () => {
    const long = bytesOf(`id: a\n\nid: ${'x'.repeat(200_000)}\n\n`);
    for (const size of [1_000, long.length]) expect(decode(cut(long, size)).decoder.lastEventId).toBe('');
  });

  it('takes time that is linear in the size of an event, whatever the chunks, and copies it twice', () => {
    const copied = [
      countWork(TextDecoder.prototype, 'decode', (_decoder, [bytes]) => (bytes as Uint8Array).length),
      countWork(Array.prototype, 'join', lengthOfResult),
      countWork(String.prototype, 'replace', lengthOfResult),
    ];
    const looked = [
      countWork(String.prototype, 'includes', ({ length }) => length),
      // Not a copy: in V8, a part of a string refers to the whole string.
      countWork(String.prototype, 'slice', lengthOfResult),
      countWork(
        String.prototype,
        'indexOf',
        ({ length }, [, from = 0], found) => (found === -1 ? length : Number(found)) - Number(from),
      ),
    ];
    const size = 4 * 1024 ** 2;
    const bytes = bytesOf(`data: ${'x'.repeat(size)}\n\n`);
    const { events } = decode(cut(bytes, 1_024), 2 * size);
    const [copies, looks] = [copied, looked].map((counters) => counters.reduce((sum, stop) => sum + stop(), 0));
    expect(events[0]?.data).toHaveLength(size);
    expect(copies).toBeGreaterThan(size);
    expect(copies).toBeLessThan(2.2 * size);
    expect(looks).toBeLessThan(8 * size);
  });

  it.each([
    ['a line', `data: ${'x'.repeat(200)}`],
    ['a whole event', `data: ${'x'.repeat(200)}\n\n`],
    ['many lines', 'data: xxxxxxxxx\n'.repeat(30)],
    ['a line of no meaning', `: ${'x'.repeat(200)}`],
  ])('refuses %s beyond the limit', (_name, text) => {
    expect(() => decode([bytesOf(text)], 100)).toThrow(MessageTooLarge);
  });

  it('does not count one event against the next', () => {
    expect(decode([bytesOf(`data: ${'x'.repeat(80)}\n\n`.repeat(10))], 100).events).toHaveLength(10);
  });

  describe.each([1, 3, 1_000])('in chunks of %i bytes', (size) => {
    const small = { members: 5, depth: 3 };
    const read = (text: string): number => decode(cut(bytesOf(text), size), 1_000_000, small).events.length;

    it.each(['\n', '\r\n', '\r'])(
      'counts members and levels of each event by itself, with lines that end with %j',
      (end) => {
        const fits = [': "comment', 'id: "', 'data: [[1,2],', 'data: "[[[[,,,,,,"]', '', ''].join(end);
        expect(read(fits.repeat(20))).toBe(20);
        const members = ['data: [1,2,3,', 'data: 4,5,6]', '', ''].join(end);
        expect(() => read(fits + members)).toThrow(expect.objectContaining({ excess: 'members' }) as Error);
        const depth = ['data: [[', 'data: [[]]]]', '', ''].join(end);
        expect(() => read(fits + depth)).toThrow(expect.objectContaining({ excess: 'depth' }) as Error);
      },
    );

    it.each(['data:', ': x', 'x'])('counts the lines of an event, whatever they are: %j', (line) => {
      expect(() => read(`${`${line}\n`.repeat(5)}\n${`${line}\n`.repeat(5)}`)).not.toThrow();
      const more = expect.objectContaining({ excess: 'members' }) as Error;
      expect(() => read(`${line}\n`.repeat(6))).toThrow(more);
    });

    it('is not led astray by quotes outside the JSON', () => {
      expect(() => read(': "\ndata: [1,2,3,4,5,6]\n\n')).toThrow(MessageTooLarge);
      expect(() => read('id: "\rdata: [1,2,3,4,5,6]\n\n')).toThrow(MessageTooLarge);
    });
  });

  it('refuses an event of empty objects before it has grown', () => {
    const decoder = new EventDecoder(() => {}, limits.message);
    const chunk = bytesOf('{},'.repeat(20_000));
    let written = 0;
    const writeAll = (): void => {
      for (; written < 60_000_000; written += chunk.length) decoder.write(chunk);
    };
    expect(writeAll).toThrow(MessageTooLarge);
    expect(written).toBeLessThan(1_000_000);
  });
});
