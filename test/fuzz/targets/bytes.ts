import * as fc from 'fast-check';
import { limits } from '../../../src/base/limits.ts';
import { LineDecoder } from '../../../src/transport/stdio/lineDecoder.ts';
import { EventDecoder } from '../../../src/transport/http/eventDecoder.ts';
import { parseChallenges } from '../../../src/auth/challenges.ts';
import type { Target } from '../target.ts';

interface BytesCase {
  /** Latin-1, so that it is JSON. */
  readonly bytes: string;
  /** Where the stream is cut, as parts of it. */
  readonly cuts: readonly number[];
}

const parts = [
  ['\n', '\r', '\r\n', '\n\n', ':', 'data:', 'data: ', 'event: x\n', 'id: 1\n', 'id: \0\n', 'retry: 10\n'],
  ['\u00ef\u00bb\u00bf', '{"a":"b"}', '[1,2]', '"\\""', '\\', '"', 'Bearer realm="x", scope=y', 'a=', ','],
].flat();
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text).toString('latin1')),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(...parts),
);
const cases: fc.Arbitrary<BytesCase> = fc.record({
  bytes: fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  cuts: fc.array(
    fc.integer({ min: 0, max: 999 }).map((part) => part / 1_000),
    { maxLength: 6 },
  ),
});

export const bytesTarget: Target<BytesCase> = {
  name: 'bytes',
  title: 'streams of bytes: lines, server-sent events, headers, however they are cut into chunks',
  open: async () => ({ cases, run: async (input) => run(input), close: () => Promise.resolve([]) }),
};

function run({ bytes, cuts }: BytesCase): void {
  const whole = Buffer.from(bytes, 'latin1');
  const chunks = cutAt(whole, cuts);
  assertSame('lines', readLines([whole]), readLines(chunks));
  assertSame('events', readEvents([whole]), readEvents(chunks));
  parseChallenges(bytes);
}

function cutAt(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((cut) => Math.floor(cut * whole.length)).toSorted((one, other) => one - other);
  return [0, ...places].map((start, index) => whole.subarray(start, places[index] ?? whole.length));
}

function readLines(chunks: readonly Buffer[]): readonly string[] {
  const lines: string[] = [];
  const decoder = new LineDecoder(
    { line: (text) => lines.push(text), tooLarge: () => lines.push('(too large)'), skipped: () => {} },
    { bytes: 100, members: 5, depth: 4 },
  );
  for (const chunk of chunks) decoder.write(chunk);
  decoder.end();
  return lines;
}

function readEvents(chunks: readonly Buffer[]): unknown {
  const events: unknown[] = [];
  const decoder = new EventDecoder((event) => events.push({ ...event, value: event.json() }), limits.message);
  for (const chunk of chunks) decoder.write(chunk);
  return { events, id: decoder.lastEventId, retry: decoder.retryMs };
}

function assertSame(what: string, whole: unknown, cut: unknown): void {
  const [expected, actual] = [JSON.stringify(whole), JSON.stringify(cut)];
  if (expected !== actual) throw new Error(`The chunks change the ${what}: ${expected} became ${actual}.`);
}
