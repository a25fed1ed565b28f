import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits, type MessageLimits } from '../../../../src/base/limits.ts';
import { JsonReader } from '../../../../src/transport/http/jsonReader.ts';
import { anyJsonText, countCopies, cutAtRandom, cutEvery, randomChunks } from './longMessages.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(chunks: Iterable<Uint8Array>, own: MessageLimits = limits.message): unknown {
  const reader = new JsonReader(own);
  for (const chunk of chunks) {
    const excess = reader.write(chunk);
    if (excess !== undefined) return { excess };
  }
  return reader.end();
}

/** What a parser makes of it, or that it is no JSON. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
}

/** Faster than a deep comparison, whose report could not be read. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const longLength = 300_000;

it('reads what JSON.parse reads, whatever the text and the chunks', () => {
  fc.assert(
    fc.property(anyJsonText, randomChunks, (text, chunks) => {
      const bytes = bytesOf(text);
      expect(same(read(cutAtRandom(bytes, chunks)), JSON.parse(text))).toBe(true);
    }),
    { numRuns: 40 },
  );
}, 60_000);

it('refuses what JSON.parse refuses, and replaces invalid UTF-8 as TextDecoder does', () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.constantFrom(0x22, 0x5c, 0x0a, 0x00, 0x7d, 0x3a, 0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0xff),
    count: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(anyJsonText, randomChunks, damage, (text, chunks, { at, byte, count }) => {
      const bytes = bytesOf(text);
      const start = Math.floor(at * bytes.length);
      bytes.fill(byte, start, start + count);
      const expected = outcome(() => JSON.parse(new TextDecoder().decode(bytes)) as unknown);
      expect(
        same(
          outcome(() => read(cutAtRandom(bytes, chunks))),
          expected,
        ),
      ).toBe(true);
    }),
    { numRuns: 40 },
  );
}, 60_000);

it.each(['ä', '€', '🙂', '\\n', '\\\\', '\\"', '\\u00e4', '\\ud83d\\ude00', 'x\\\\\\"ä'])(
  'decodes a long string of %j, wherever it is cut',
  (unit) => {
    const text = `{"a":[1,{"b": "${unit.repeat(longLength / unit.length)}"}],"c":"d"}`;
    for (const first of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const bytes = bytesOf(text);
      const chunks = [bytes.subarray(0, first), ...cutEvery(bytes.subarray(first), 16_384)];
      expect(read(chunks)).toStrictEqual(JSON.parse(text));
    }
  },
);

it('puts long strings back where they were, whatever the names', () => {
  const [one, two] = ['1', '2'].map((digit) => digit.repeat(longLength));
  const text = `{"__proto__":"${one}","a":"${one}","a":"${two}","${one}":"${two}","b":["${one}","${two}"],"c":{"":"${one}"}}`;
  expect(read(cutEvery(bytesOf(text), 65_536))).toStrictEqual(JSON.parse(text));
});

it.each([':', '['])('reads a long string after %j and any number of spaces', (before) => {
  for (const count of [0, 63, 64, 65, 5_000]) {
    const long = `"${'s'.repeat(longLength)}"`;
    const text = `{"a"${before === '[' ? ':[' : ':'}${' '.repeat(count)}${long}${before === '[' ? ']' : ''}}`;
    expect(same(read(cutEvery(bytesOf(text), 900)), JSON.parse(text))).toBe(true);
  }
});

it('reads a byte order mark, and nothing', () => {
  expect(read([bytesOf('\uFEFF{"a":1}')])).toEqual({ a: 1 });
  expect(read(cutEvery(bytesOf(`\uFEFF{"a":"${'x'.repeat(longLength)}"}`), 1_000))).toEqual({
    a: 'x'.repeat(longLength),
  });
  expect(read([])).toBeUndefined();
  expect(outcome(() => read([bytesOf(' ')]))).toBe('no JSON');
});

it('omits what is nested too deeply, beside a long string too', () => {
  const text = `{"a":[[[[1]]]],"b":"${'x'.repeat(longLength)}"}`;
  const value = read(cutEvery(bytesOf(text), 65_536), { bytes: 1e6, members: 100, depth: 10, keptDepth: 3 });
  expect(value).toEqual({ a: [['… (left out: nested deeper than 3 levels)']], b: 'x'.repeat(longLength) });
});

it.each([7, 1_000, 65_536])('applies its limits, also after a long string, in chunks of %i bytes', (size) => {
  const own = { bytes: 400_000, members: 5, depth: 3 };
  const start = `{"a":"${'["'.replace('"', '\\"').repeat(100_000)}"`;
  const of = (rest: string): unknown => read(cutEvery(bytesOf(start + rest), size), own);
  expect(of(',"b":[[1]]}')).toMatchObject({ b: [[1]] });
  expect(of(',"b":[[[1]]]}')).toEqual({ excess: 'depth' });
  expect(of(',"b":[1,2,3,4]}')).toEqual({ excess: 'members' });
  expect(of(`,"b":"${'x'.repeat(100_000)}"}`)).toEqual({ excess: 'bytes' });
});

it.each([
  ['one string', 'x', 1_000],
  ['one string', 'x', 16_384],
  ['one string', 'x', 65_536],
  ['one string', 'x', 8_000_000],
  ['one string with quotes', `${'x'.repeat(100)}\\"`, 16_384],
  ['many strings', `${'x'.repeat(2_100)}"},{"type":"text","text":"`, 16_384],
])('never has a long message of %s as a whole in its bytes or its text', (_what, unit, size) => {
  const long = unit.repeat(8_000_000 / unit.length);
  const text = `{"result":{"content":[{"type":"text","text":"${long}"}]}}`;
  const chunks = [...cutEvery(bytesOf(text), size)];
  const stop = countCopies();
  read(chunks);
  const { longest, copies } = stop();
  expect(longest).toBeLessThan(text.length / 10);
  // Into the block, into text, into the value.
  expect(copies).toBeGreaterThan(2.9 * text.length);
  expect(copies).toBeLessThan(3.2 * text.length);
});
