import { describe, expect, it } from 'vitest';
import { EventDecoder } from '../../../../src/transport/http/eventDecoder.ts';
import { BodyTooLarge } from '../../../../src/transport/http/readBody.ts';
import { countWork, lengthOfResult } from '../../../fixtures/countWork.ts';

function decode(chunks: Iterable<Uint8Array>, maximumBytes = 1_000_000) {
  const events: { readonly id?: string | undefined; readonly event?: string | undefined; readonly data: string }[] = [];
  const decoder = new EventDecoder((event) => events.push(event), maximumBytes);
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

  it('takes time that is linear in the size of an event, whatever the chunks, and copies it twice', () => {
    const copied = [
      countWork(TextDecoder.prototype, 'decode', (_decoder, [bytes]) => (bytes as Uint8Array).length),
      countWork(Array.prototype, 'join', lengthOfResult),
      countWork(String.prototype, 'replace', lengthOfResult),
    ];
    const looked = [
      countWork(String.prototype, 'includes', ({ length }) => length),
      // Not a copy, as V8 lets a part of a string point into the whole.
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
    expect(() => decode([bytesOf(text)], 100)).toThrow(BodyTooLarge);
  });

  it('does not count one event against the next', () => {
    expect(decode([bytesOf(`data: ${'x'.repeat(80)}\n\n`.repeat(10))], 100).events).toHaveLength(10);
  });
});
