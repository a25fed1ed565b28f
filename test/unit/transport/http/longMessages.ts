import * as fc from 'fast-check';
import { countWork, lengthOfResult } from '../../../fixtures/countWork.ts';

/** Lengths around the sizes at which strings and events are read in another way. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 900, max: 2_200 }),
  fc.integer({ min: 65_500, max: 65_570 }),
  fc.integer({ min: 100_000, max: 400_000 }),
);
const unit = fc.array(
  fc.constantFrom('x', 'xxxxxxxx', 'ä', '€', '🙂', '\\n', '\\\\', '\\"', '\\u00e4', '\\ud83d\\ude00', '{}[],:', ' '),
  { minLength: 1, maxLength: 6 },
);
const stringText = fc
  .tuple(unit, length)
  .map(([units, characters]) => `"${units.join('').repeat(Math.ceil(characters / units.join('').length))}"`);
const space = fc.constantFrom('', '', ' ', '  ', ' '.repeat(100));

/** Texts of JSON with strings of all lengths, as values and as names. */
export const anyJsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    stringText,
    fc.integer().map(String),
    fc
      .array(fc.tuple(space, tie('value')), { maxLength: 3 })
      .map((list) => `[${list.map((entry) => entry.join('')).join(',')}]`),
    fc
      .array(
        fc.tuple(
          fc.oneof({ weight: 9, arbitrary: fc.constantFrom('"a"', '"b"', '"__proto__"') }, stringText),
          space,
          tie('value'),
        ),
        { maxLength: 3 },
      )
      .map((members) => `{${members.map(([name, gap, value]) => `${name}:${gap}${value}`).join(',')}}`),
  ),
})).value;

/** Lengths of chunks, repeated until the bytes are used up. */
export const randomChunks: fc.Arbitrary<readonly number[]> = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constantFrom(16_384, 65_536), fc.integer({ min: 1, max: 500_000 })),
  { minLength: 1, maxLength: 8 },
);

export function* cutAtRandom(bytes: Uint8Array, chunks: readonly number[]): Generator<Uint8Array> {
  let start = 0;
  for (let index = 0; start < bytes.length; index += 1) {
    const size = chunks[index % chunks.length] ?? 1;
    yield bytes.slice(start, start + size);
    start += size;
  }
}

export function* cutEvery(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

/** Counts what is copied of messages, until it is stopped. @returns that, and the longest that is decoded or parsed at once */
export function countCopies(): () => { readonly copies: number; readonly longest: number } {
  let longest = 0;
  const measure = (_self: unknown, [given]: readonly unknown[]): number => {
    const size = (given as { readonly length: number }).length;
    longest = Math.max(longest, size);
    return size;
  };
  const counters = [
    countWork(TextDecoder.prototype, 'decode', measure),
    countWork(JSON, 'parse', measure),
    countWork(Uint8Array.prototype, 'set', (_bytes, [bytes]) => (bytes as Uint8Array).length),
    countWork(Uint8Array.prototype, 'slice', lengthOfResult),
    countWork(Array.prototype, 'join', lengthOfResult),
    countWork(String.prototype, 'replace', lengthOfResult),
  ];
  return () => ({ copies: counters.reduce((sum, stop) => sum + stop(), 0), longest });
}
