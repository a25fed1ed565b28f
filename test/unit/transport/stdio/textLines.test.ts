import { describe, expect, it } from 'vitest';
import { OutputTail, TextLines } from '../../../../src/transport/stdio/outputReaders.ts';

function read(chunks: readonly (string | Uint8Array)[], maximumLength = 100): string[] {
  const lines: string[] = [];
  const reader = new TextLines((line) => lines.push(line), maximumLength);
  for (const chunk of chunks) {
    let rest: Buffer | undefined = Buffer.from(chunk as Uint8Array);
    while (rest !== undefined) rest = reader.write(rest);
  }
  reader.end();
  return lines;
}

describe('TextLines', () => {
  it('joins lines and characters split over chunks', () => {
    const bytes = [...new TextEncoder().encode('Grüße\r\nzwei')].map((byte) => Uint8Array.of(byte));
    expect(read(bytes)).toEqual(['Grüße', 'zwei']);
  });

  it('drops blank lines and terminal colours', () => {
    expect(read(['\n\u001B[31mred\u001B[39m  \n   \n'])).toEqual(['red']);
  });

  it('leaves what is too much for one turn to the next', () => {
    let count = 0;
    const reader = new TextLines(() => (count += 1), 100);
    const rest = reader.write(Buffer.from('x\n'.repeat(100_000)));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(10_000);
    expect(rest).toHaveLength(200_000 - count * 2);
  });

  it('delivers an endless line in parts', () => {
    expect(read(['x'.repeat(15), 'x'.repeat(10)], 10)).toEqual(['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]);
  });
});

describe('OutputTail', () => {
  it('keeps the end', () => {
    const tail = new OutputTail(10);
    for (let index = 0; index < 1_000; index += 1) tail.add(`line ${index}`);
    expect(tail.text).toBe('8\nline 999');
  });

  it('is empty before the first line', () => {
    expect(new OutputTail(10).text).toBe('');
  });
});
