import { describe, expect, it, vi } from 'vitest';
import { JsonScanner } from '../../../src/base/jsonScanner.ts';
import { countWork } from '../../fixtures/countWork.ts';

const ample = { members: Infinity, depth: Infinity };

/** The members and levels that the scan counted: the smallest limits that accept the text. */
function measure(chunks: readonly Uint8Array[]): { members: number; depth: number } {
  return {
    members: smallestPassing((members) => passes(chunks, { members, depth: Infinity })),
    depth: smallestPassing((depth) => passes(chunks, { members: Infinity, depth })),
  };
}

function passes(chunks: readonly Uint8Array[], limits: { members: number; depth: number }): boolean {
  const scan = new JsonScanner(limits);
  return chunks.every((chunk) => scan.scan(chunk) === undefined);
}

function smallestPassing(isEnough: (limit: number) => boolean): number {
  let limit = 0;
  while (!isEnough(limit)) limit += 1;
  return limit;
}

/** The same, counted by a simple implementation. */
function reference(text: string): { members: number; depth: number } {
  let members = 0;
  let level = 0;
  let depth = 0;
  // A string, closed or not, is one token.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"?|[{}[\],]/g)) {
    if (token === '{' || token === '[') depth = Math.max(depth, ++level);
    if (token === '}' || token === ']') level = Math.max(0, level - 1);
    if (token === '{' || token === '[' || token === ',') members += 1;
  }
  return { members, depth };
}

/** Deterministic random numbers (xorshift). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const encoder = new TextEncoder();
const pieces = [...Array.from('{}[],:"\\aä漢🙂 1'), '\\"', '\\\\', '"key":', '"x"'];

function randomText(random: (below: number) => number): string {
  const count = random(40);
  const parts = Array.from({ length: count }, () => {
    const piece = pieces[random(pieces.length)] ?? '';
    // Longer than the part that is scanned byte by byte.
    return random(12) === 0 ? piece.repeat(60 + random(80)) : piece;
  });
  return parts.join('');
}

function randomChunks(bytes: Uint8Array, random: (below: number) => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random(random(2) === 0 ? 3 : 200);
    chunks.push(bytes.slice(at, end));
    at = end;
  }
  return chunks;
}

describe('JsonScan', () => {
  it('counts what a simple reading of the whole text counts, however the text is cut', () => {
    const random = createRandom(20_261_122);
    for (let round = 0; round < 1_500; round += 1) {
      const text = randomText(random);
      const bytes = encoder.encode(text);
      const chunks = randomChunks(bytes, random);
      expect(measure(chunks), JSON.stringify([text, chunks.map(({ length }) => length)])).toEqual(reference(text));
      expect(measure([Buffer.from(bytes)]), text).toEqual(reference(text));
    }
  });

  it('refuses one member or level too many, and passes just as many', () => {
    const limits = { members: 3, depth: 2 };
    const scan = (text: string): string | undefined => new JsonScanner(limits).scan(encoder.encode(text));
    expect(scan('[1,2,3]')).toBeUndefined();
    expect(scan('[1,2,3,4]')).toBe('members');
    expect(scan('[[]]')).toBeUndefined();
    expect(scan('[[[]]]')).toBe('depth');
    expect(scan('["[[[{{{,,,,"]')).toBeUndefined();
  });

  it('begins anew after a message, wherever it ended', () => {
    const scan = new JsonScanner({ members: 3, depth: 2 });
    for (const end of ['[[', '"open', '"\\', '[1,2']) {
      expect(scan.scan(encoder.encode(end))).toBeUndefined();
      scan.reset();
      expect(scan.scan(encoder.encode('[[1,2'))).toBeUndefined();
      scan.reset();
    }
  });

  it('refuses 60 MB of empty objects at their first 1.5 MB', () => {
    const chunk = encoder.encode('{},'.repeat(20_000));
    const scan = new JsonScanner({ members: 500_000, depth: 512 });
    let chunks = 1;
    while (scan.scan(chunk) === undefined) chunks += 1;
    expect(chunks * chunk.length).toBeLessThan(1_000_000);
  });

  it('counts names that did not occur before more than once, in large messages', () => {
    const rows = (nameOf: (index: number) => string): Uint8Array =>
      encoder.encode(`[${Array.from({ length: 40_000 }, (_, index) => `{"${nameOf(index)}":1}`).join(',')}]`);
    const limits = { members: 150_000, depth: 512 };
    expect(new JsonScanner(limits).scan(rows((index) => `column ${index % 20}`))).toBeUndefined();
    expect(new JsonScanner(limits).scan(rows((index) => `column ${index}`))).toBe('members');
    // Names that are too long to be compared count as new.
    expect(new JsonScanner(limits).scan(rows(() => 'c'.repeat(100)))).toBe('members');
    const small = encoder.encode(`{${Array.from({ length: 9_000 }, (_, index) => `"${index}":1`).join(',')}}`);
    expect(new JsonScanner({ members: 9_000, depth: 1 }).scan(small)).toBeUndefined();
  });

  it('counts names the same wherever they are cut', ({ onTestFinished }) => {
    // Each scan would have hashes of its own, and with them other names that collide.
    const values = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
    onTestFinished(() => values.mockRestore());
    const text = `[${Array.from({ length: 20_000 }, (_, index) => `{"${'n'.repeat(50 + (index % 30))}":1}`).join(',')}]`;
    const bytes = encoder.encode(text);
    const least = (size: number): number => {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      let [low, high] = [0, 1_000_000];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (passes(chunks, { members: middle, depth: 9 })) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    expect([7, 61, 64, 1_000].map(least)).toEqual(Array.from({ length: 4 }, () => least(bytes.length)));
  });

  it.each([
    ['a long string', `"${'x'.repeat(1_000_000)}"`],
    ['escaped quotes', `"${'\\"'.repeat(500_000)}"`],
    ['short strings', '"abcde",'.repeat(125_000)],
    ['strings of 70 characters', `"${'x'.repeat(70)}",`.repeat(14_000)],
    ['backslashes', `"${'\\\\'.repeat(500_000)}"`],
  ])('looks for the end of %s in steps that never go over the same bytes twice', (_, text) => {
    const bytes = encoder.encode(text);
    let searched = 0;
    const stop = countWork(Uint8Array.prototype, 'indexOf', (array, [, from], found) => {
      searched += (Number(found) === -1 ? (array as Uint8Array).length : Number(found)) - Number(from) + 1;
      return 1;
    });
    const scan = new JsonScanner(ample);
    for (let at = 0; at < bytes.length; at += 8_192) scan.scan(bytes.subarray(at, at + 8_192));
    const searches = stop();
    expect(searched).toBeLessThanOrEqual(bytes.length + searches);
    expect(searches).toBeLessThanOrEqual(bytes.length / 64 + 200);
  });
});
