import { createParser, type EventSourceMessage, ParseError } from 'eventsource-parser';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventDecoder, type ServerSentEvent } from '../../../../src/transport/http/eventDecoder.ts';
import { limits } from '../../../../src/base/limits.ts';
import { MessageTooLarge } from '../../../../src/transport/messageLimits.ts';
import { parseJson } from '../../../../src/base/json.ts';
import { countWork } from '../../../fixtures/countWork.ts';
import { anyJsonText, countCopies, cutAtRandom, cutEvery, randomChunks } from './longMessages.ts';

function decode(chunks: Iterable<Uint8Array>, maximumBytes = 1_000_000, structure = { members: 500_000, depth: 512 }) {
  const events: ServerSentEvent[] = [];
  const decoder = new EventDecoder((event) => events.push(event), { ...structure, bytes: maximumBytes });
  for (const chunk of chunks) decoder.write(chunk);
  return { decoder, events };
}

/** What the library makes of the whole text, with line feeds only. */
function parseWhole(text: string) {
  const events: EventSourceMessage[] = [];
  let retryMs: number | undefined;
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (milliseconds) => (retryMs = milliseconds),
  });
  parser.feed(text);
  return { events, retryMs };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each(['\n', '\r\n', '\r'])(
  'reads the same events whatever the chunks, with lines that end with %j [http-comments]',
  (end) => {
    const lines = '\uFEFF: comment|id: a|event: message|data: Größe 🙂|data:second||retry: 70||id: b|data||';
    const bytes = bytesOf(lines.replaceAll('|', end));
    for (let size = 1; size <= bytes.length; size += 1) {
      const { decoder, events } = decode(cutEvery(bytes, size));
      expect(events, `chunks of ${size}`).toMatchObject([
        { id: 'a', event: 'message', data: 'Größe 🙂\nsecond' },
        { id: 'b', data: '' },
      ]);
      expect([decoder.lastEventId, decoder.retryMs]).toEqual(['b', 70]);
    }
  },
);

it.each([1, 2, 3])('reads a long first event behind a byte order mark that is cut after %i bytes', (first) => {
  const bytes = bytesOf(`\uFEFFdata: {"a":"${'x'.repeat(200_000)}"}\n\n`);
  const { events } = decode([bytes.subarray(0, first), ...cutEvery(bytes.subarray(first), 65_536)]);
  expect(events[0]?.json()).toEqual({ a: 'x'.repeat(200_000) });
});

it('gives no event that did not end', () => {
  const { decoder, events } = decode([bytesOf('id: a\ndata: 1\n\nid: b\ndata: 2\n')]);
  expect(events).toMatchObject([{ data: '1' }]);
  expect(decoder.lastEventId).toBe('a');
});

it.each(['', '\n', '\r\n'])('gives a last event that is whole when the stream ends after %j', (end) => {
  for (const size of [1, 3, 1_000]) {
    const whole = decode(cutEvery(bytesOf(`id: a\ndata: 1\n\nid: b\ndata: {"x":2}${end}`), size));
    whole.decoder.end();
    expect(whole.events.map((each) => each.json())).toEqual([1, { x: 2 }]);
    expect(whole.decoder.lastEventId).toBe('a');
    const cut = decode(cutEvery(bytesOf(`data: 1\n\ndata: {"x":2${end}`), size));
    cut.decoder.end();
    expect(cut.events).toHaveLength(1);
    const request = decode(cutEvery(bytesOf(`data: 1\n\nid: b\ndata: {"id":1,"method":"x"}${end}`), size));
    request.decoder.end();
    expect([request.events.length, request.decoder.lastEventId]).toEqual([1, undefined]);
  }
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
      const { decoder, events } = decode(cutEvery(bytes, size));
      expect(events).toEqual([]);
      expect(decoder.lastEventId, `chunks of ${size}`).toBe(lastEventId);
    }
  }
});

it('keeps no id that is too long to be sent back', () => {
  const long = bytesOf(`id: a\n\nid: ${'x'.repeat(200_000)}\n\n`);
  for (const size of [1_000, long.length]) expect(decode(cutEvery(long, size)).decoder.lastEventId).toBe('');
});

it('counts the reconnection delay of an event that did not end', () => {
  const { decoder } = decode([bytesOf('id: a\ndata: 1\n\nretry: 70\nretry: 80')]);
  expect(decoder.retryMs).toBe(70);
  expect(decoder.lastEventId).toBe('a');
});

it('gives the events that eventsource-parser gives, however long they are, whatever the chunks', () => {
  const fields = ['data', 'data:', 'event: message', 'event: other', 'id: 1', 'id', 'retry: 10', 'dat: x', ': data: x'];
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('data:', 'data: '), anyJsonText).map((parts) => parts.join('')),
    fc.constantFrom(...fields),
  );
  const lines = fc.array(fc.oneof({ weight: 4, arbitrary: line }, fc.constant('')), { maxLength: 12 });
  const end = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.constantFrom('', '\uFEFF'), lines, end, randomChunks, (mark, all, lineEnd, chunks) => {
      const expected = parseWhole(all.join('\n'));
      const { decoder, events } = decode(cutAtRandom(bytesOf(mark + all.join(lineEnd)), chunks), 1e9);
      expect(decoder.retryMs).toBe(expected.retryMs);
      expect(events.map(({ event, id }) => [event, id])).toEqual(expected.events.map(({ event, id }) => [event, id]));
      expected.events.forEach(({ data }, index) => {
        const actual = events[index];
        expect(actual?.data === data || (data.length > 60_000 && data.startsWith(actual?.data ?? '-'))).toBe(true);
        expect(JSON.stringify(actual?.json())).toBe(JSON.stringify(parseJson(data)));
      });
    }),
    { numRuns: 40 },
  );
}, 60_000);

it('gives the start of a long event that is no JSON, beside its type and id', () => {
  const noise = 'no JSON '.repeat(50_000);
  const text = `id: a\nevent: other\ndata: ${noise}\ndata: more\nid: b\n\ndata: 1\n\n`;
  const { events, decoder } = decode(cutEvery(bytesOf(text), 16_384));
  expect(events).toMatchObject([{ id: 'b', event: 'other' }, { data: '1' }]);
  expect(noise).toContain(events[0]?.data);
  expect(events[0]?.data).toHaveLength(1_000);
  expect(events[0]?.json()).toBeUndefined();
  expect(decoder.lastEventId).toBe('b');
});

it.each([64, 1_024, 65_536])(
  'takes time that is linear in the size of an event, never has it as a whole, and copies it three times, in chunks of %i bytes',
  (chunk) => {
    const size = 4 * 1024 ** 2;
    const chunks = [...cutEvery(bytesOf(`data: {"text":"${'x'.repeat(size)}"}\n\n`), chunk)];
    const stop = countCopies();
    const looked = [
      countWork(Uint8Array.prototype, 'includes', ({ length }) => length),
      countWork(
        Uint8Array.prototype,
        'indexOf',
        ({ length }, [, from = 0], found) => (found === -1 ? length : Number(found)) - Number(from),
      ),
      countWork(String.prototype, 'includes', ({ length }) => length),
    ];
    const { events } = decode(chunks, 2 * size);
    const value = events[0]?.json();
    const { longest, copies } = stop();
    const looks = looked.reduce((sum, end) => sum + end(), 0);
    expect((value as { text: string }).text).toHaveLength(size);
    expect(longest).toBeLessThan(300_000);
    expect(copies).toBeGreaterThan(2.9 * size);
    expect(copies).toBeLessThan(3.3 * size);
    expect(looks).toBeLessThan(4 * size);
  },
);

it.each([
  ['a line', `data: ${'x'.repeat(200)}`],
  ['a whole event', `data: ${'x'.repeat(200)}\n\n`],
  ['many lines', 'data: xxxxxxxxx\n'.repeat(30)],
  ['a line of no meaning', `: ${'x'.repeat(200)}`],
])('refuses %s beyond the limit', (_name, text) => {
  expect(() => decode([bytesOf(text)], 100)).toThrow(MessageTooLarge);
});

it('gives the parser no field that it would make an error for', () => {
  const text = 'q\nretry: x\nidx: 1\n: comment\ndatax: 2\n\n'.repeat(100_000);
  const errors: string[] = [];
  Object.defineProperty(ParseError.prototype, 'name', { configurable: true, set: errors.push.bind(errors) });
  onTestFinished(() => void Reflect.deleteProperty(ParseError.prototype, 'name'));
  const { events, decoder } = decode([bytesOf(`${text}id: a\nretry: 5\ndata: 1\u2028idx\n\n`)], 1e9);
  expect(errors).toEqual([]);
  expect(events).toMatchObject([{ id: 'a', data: '1\u2028idx' }]);
  expect(decoder.retryMs).toBe(5);
});

it('does not count one event against the next', () => {
  expect(decode([bytesOf(`data: ${'x'.repeat(80)}\n\n`.repeat(10))], 100).events).toHaveLength(10);
});

describe.each([1, 3, 1_000])('in chunks of %i bytes', (size) => {
  const small = { members: 5, depth: 3 };
  const read = (text: string): number => decode(cutEvery(bytesOf(text), size), 1_000_000, small).events.length;

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
  decoder.write(bytesOf('data: ['));
  let written = 0;
  const writeAll = (): void => {
    for (; written < 60_000_000; written += chunk.length) decoder.write(chunk);
  };
  expect(writeAll).toThrow(MessageTooLarge);
  expect(written).toBeLessThan(1_000_000);
});
