import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { limits, type MessageLimits } from '../../../../src/base/limits.ts';
import type { BaseTransport } from '../../../../src/transport/baseTransport.ts';
import { LineDecoder } from '../../../../src/transport/stdio/lineDecoder.ts';
import { createStdoutReader, OutputTail, TextLines } from '../../../../src/transport/stdio/outputReaders.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { countWork, lengthOfResult } from '../../../fixtures/countWork.ts';

const tooLarge = Symbol('too large');
const lineEnd = Buffer.from('\n');
const bufferMethods = Buffer.prototype as object;

/** What the sink receives: lines, what is too large with its beginning, and the end of what was skipped. */
function listen(chunks: readonly Uint8Array[], own: MessageLimits): unknown[] {
  const heard: unknown[] = [];
  const decoder = new LineDecoder(
    {
      line: (text) => heard.push(text),
      tooLarge: (excess, head) => heard.push([excess, head]),
      skipped: (tail) => heard.push([tail]),
    },
    own,
  );
  for (const chunk of chunks) decoder.write(Buffer.from(chunk));
  decoder.end();
  return heard;
}

/** The lines, and a mark for each that is too large. */
function decode(chunks: readonly Uint8Array[], maximumBytes = 1_000_000): unknown[] {
  const heard = listen(chunks, { ...limits.message, bytes: maximumBytes });
  return heard.flatMap((each) => (Array.isArray(each) ? (each.length === 2 ? [tooLarge] : []) : [each]));
}

function bounded(chunks: readonly Uint8Array[]): unknown[] {
  return listen(chunks, { bytes: 1_000, members: 10, depth: 3 });
}

/** Every way to cut `bytes` into pieces of `size`. */
function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

describe('LineDecoder', () => {
  const source = 'plain\nGröße\r\n漢字 🙂\n\n\r\n{"a":"\\n"}\nend';
  const lines = ['plain', 'Größe', '漢字 🙂', '{"a":"\\n"}', 'end'];

  it.each([1, 2, 3, 4, 5, 7, 16, 1000])('gives the same lines from chunks of %i bytes', (size) => {
    expect(decode(cut(Buffer.from(source), size))).toEqual(lines);
  });

  it('takes a byte order mark off the first line only', () => {
    expect(decode([Buffer.from('\uFEFFone\n\uFEFFtwo\n')])).toEqual(['one', '\uFEFFtwo']);
    expect(decode(cut(Buffer.from('\uFEFFone\n'), 1))).toEqual(['one']);
  });

  it('replaces what is not UTF-8', () => {
    expect(decode([Buffer.from([0x61, 0xe4, 0x62, 0x0a])])).toEqual(['a\uFFFDb']);
  });

  it('keeps a carriage return inside a line', () => {
    expect(decode([Buffer.from('a\rb\r\r\n')])).toEqual(['a\rb\r']);
  });

  it.each([1, 3, 1000])('skips a line above the limit, reports it once and goes on (chunks of %i)', (size) => {
    const bytes = Buffer.from(`before\n${'x'.repeat(50)}\nafter\n`);
    expect(decode(cut(bytes, size), 10)).toEqual(['before', tooLarge, 'after']);
  });

  it('accepts a line of exactly the limit', () => {
    expect(decode(cut(Buffer.from('0123456789\n'), 4), 10)).toEqual(['0123456789']);
  });

  it('says nothing more of a skipped line when the stream ends in it', () => {
    expect(decode([Buffer.from('x'.repeat(50))], 10)).toEqual([tooLarge]);
  });

  it('scans each byte once and copies it twice, however long the line is and however many chunks it has', () => {
    const line = Buffer.alloc(64 * 1024 ** 2, 'x');
    let decodedLength = 0;
    const sink = { line: (text: string) => (decodedLength = text.length), tooLarge: () => {}, skipped: () => {} };
    const decoder = new LineDecoder(sink, limits.message);
    const searched = countWork(bufferMethods, 'indexOf', ({ length }) => length);
    const copied = [
      countWork(Buffer, 'concat', lengthOfResult),
      countWork(Buffer, 'from', lengthOfResult),
      countWork(bufferMethods, 'copy', (_bytes, _args, count) => Number(count)),
      countWork(Uint8Array.prototype, 'set', (_bytes, [bytes]) => (bytes as Uint8Array).length),
      countWork(bufferMethods, 'toString', lengthOfResult),
      countWork(String.prototype, 'replace', lengthOfResult),
    ];
    for (const chunk of cut(line, 8 * 1024)) decoder.write(chunk);
    decoder.write(lineEnd);
    const [searches, copies] = [searched(), copied.reduce((sum, stop) => sum + stop(), 0)];
    expect(decodedLength).toBe(line.length);
    // The chunk with the line feed is searched a second time, after the line feed.
    expect(searches).toBe(line.length + 2);
    expect(copies).toBeGreaterThan(line.length);
    expect(copies).toBeLessThan(2.2 * line.length);
  });

  it.each([1, 7, 1_000])('skips a line with too many members or levels (chunks of %i)', (size) => {
    const hostile = `[${'{},'.repeat(10)}{}]\n[[[[]]]]\n{"id":1,"text":"[[[[{{{{,,,,,,,,,,,,,,"}\n${'['.repeat(9)}\n[[1,2]]`;
    expect(bounded(cut(Buffer.from(hostile), size)).filter((heard) => typeof heard === 'string')).toEqual([
      '{"id":1,"text":"[[[[{{{{,,,,,,,,,,,,,,"}',
      '[[1,2]]',
    ]);
    const excesses = bounded(cut(Buffer.from(hostile), size)).flatMap((heard) =>
      Array.isArray(heard) && heard.length === 2 ? [String(heard[0])] : [],
    );
    expect(excesses).toEqual(['members', 'depth', 'depth']);
  });

  it.each([1, 7, 1_000])('tells how a skipped line begins and ends (chunks of %i)', (size) => {
    const heard = bounded(cut(Buffer.from(`{"id":7,"result":[[[[[1]]]]],"x":"${'y'.repeat(300)}"}\n`), size));
    expect(heard).toHaveLength(2);
    const [[excess, head] = [], [tail] = []] = heard as string[][];
    expect(excess).toBe('depth');
    expect(head).toMatch(/^\{"id":7,"result":\[\[\[/);
    expect(tail).toHaveLength(200);
    expect(tail).toMatch(/y"\}$/);
  });

  it('keeps nothing of 60 MB of empty objects but what is needed to refuse them', () => {
    const chunk = Buffer.from('{},'.repeat(20_000));
    let refusedAt = 0;
    let written = 0;
    const kept = countWork(Buffer, 'concat', lengthOfResult);
    const sink = { line: () => {}, tooLarge: () => (refusedAt = written), skipped: () => {} };
    const decoder = new LineDecoder(sink, limits.message);
    for (; written < 60_000_000; written += chunk.length) decoder.write(chunk);
    decoder.write(lineEnd);
    expect(refusedAt).toBeGreaterThan(0);
    expect(refusedAt).toBeLessThan(1_000_000);
    expect(kept()).toBeLessThan(1_000);
  });

  it('leaves lines beyond 250 to a later turn', () => {
    let count = 0;
    const sink = { line: () => (count += 1), tooLarge: () => {}, skipped: () => {} };
    const decoder = new LineDecoder(sink, limits.message);
    let rest: Buffer | undefined = Buffer.from('{}\n'.repeat(625));
    const turns: number[] = [];
    while (rest !== undefined) {
      rest = decoder.write(rest);
      turns.push(count);
    }
    expect(turns).toEqual([250, 500, 625]);
  });
});

function frame(text: string): string {
  return `Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/json\r\n\r\n${text}`;
}

describe('LineDecoder reads messages after a header', () => {
  const [one, two] = ['{"a":"Größe"}', '{"b":2}'];
  const lines = `${one}\n${two}\n`;

  it.each<[name: string, output: string, heard: unknown[]]>([
    ['one after the other', frame(one) + frame(two), [one, two]],
    ['after another header', `Content-Type: x\r\n${frame(one)}${frame(two)}`, ['Content-Type: x', one, two]],
    ['with line feeds in them', frame('{\n"a":\n1}') + frame(two), ['{\n"a":\n1}', two]],
    [
      'after one that is too large',
      frame(one) + frame(`{"x":"${'y'.repeat(200)}"}`) + frame(two),
      [one, tooLarge, two],
    ],
    ['with lines between them', `${frame(one)}a log\n${frame(two)}`, [one, 'a log', two]],
    ['after a banner', `Server running\n${frame(one)}${frame(two)}`, ['Server running', one, two]],
    ['not where a log has one', `a log\nContent-Length: 19\r\n\r\n${lines}`, ['a log', one, two]],
    ['not where a log has one of something shorter', `a log\nContent-Length: 3\n\n${lines}`, ['a log', one, two]],
    ['not where a log begins with one', `Content-Length: 19\r\n\r\n${lines}`, [one, two]],
    [
      'not where a log has one between messages',
      `${one}\nContent-Length: 3\n\n${two}\n`,
      [one, 'Content-Length: 3', two],
    ],
  ])('%s', (_, output, heard) => {
    for (const size of [1, 7, 1_000]) expect(decode(cut(Buffer.from(output), size), 100)).toEqual(heard);
  });
});

it('LineDecoder knows how a line that has no end ends so far', () => {
  const decoder = new LineDecoder({ line: () => {}, tooLarge: () => {}, skipped: () => {} }, limits.message);
  for (const piece of ['x'.repeat(500), 'Continue? ', '[y/N] ']) decoder.write(Buffer.from(piece));
  expect(decoder.rest).toMatch(/^x+Continue\? \[y\/N\] $/);
});

describe('createStdoutReader', () => {
  const answer = (id: unknown): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;
  const [request, broken] = ['{"jsonrpc":"2.0","id":9,"method":"roots/list"}', '"result":{"a":}}'];
  const title = '\u001b]0;a tool\u0007';
  const ones = Array.from({ length: 1_000 }, () => 1);
  const deep = (bracket: string): string[] => [bracket, bracket].map((each) => ` ${each.repeat(6_000)}`);

  it.each<[name: string, output: string[], received: unknown[], dropped: number[]]>([
    [
      'takes answers behind words after a moment',
      [`Loading... ${answer(2)}`, `Downloading 100%${answer('3')}`, answer(1), `> ${answer(4)}`],
      [1, 2, '3', 4],
      [],
    ],
    [
      'takes none out of a log where another comes',
      [`INFO upstream ${answer(3)}`, `INFO ${answer(1)} took {3 ms}`, answer(1), '{"jsonrpc":"2.0","id":3,"error":{}}'],
      [1, 3],
      [],
    ],
    ['keeps one where a request has its id', [`Loading ${answer(9)}`, request], [9, 9], []],
    ['takes no answer to anything behind words', [`INFO ${answer(null)}`, `INFO ${answer('x')}`], [], []],
    [
      'takes answers behind what a program draws',
      [
        answer(1),
        `⠋ working ${answer(2)}`,
        `\r 45%|████▌ | ${answer(3)}`,
        `\u001b[K${answer(4)}`,
        `${title}${answer(5)}`,
      ],
      [1, 2, 3, 4, 5],
      [],
    ],
    [
      'takes a request behind colours and what is only drawn',
      [`\u001b[32m\u001b[0m${request}`, `${request} sent`, `⠋ ${request}`, `\u001b[2K\r⠋ ${request}`],
      [9, 9, 9, 9],
      [],
    ],
    ['takes no request behind anything else', [`<-- ${request}`, `\r<-- ${request}`, `⠋ sent ${request}`], [], []],
    ['ends the request of a broken answer', [`{"jsonrpc":"2.0","id":3,${broken}`], [], [3]],
    ['ends it behind noise too', [`⠋ {"jsonrpc":"2.0","id":3,${broken}`], [], [3]],
    ['ends it where the id is a text', [`{"jsonrpc":"2.0","id":"3",${broken}`], [], [3]],
    [
      'ends none for what a log says',
      [`DEBUG {"jsonrpc":"2.0","id":1,"result":{"a":"...`, answer(1), `INFO {"jsonrpc":"2.0","id":3,${broken}`],
      [1],
      [],
    ],
    [
      'takes what comes after a bracket that opens nothing',
      [
        '{',
        `{ ${answer(1).slice(1)}`,
        '{',
        `⠋ ${answer(2)}`,
        '{',
        '  "jsonrpc": "2.0", "id": 3, "result":',
        '  {}',
        '}',
      ],
      [1, 2, 3],
      [],
    ],
    ['takes a limited number of one line', [Array.from({ length: 1_002 }, () => answer(1)).join('')], ones, [1]],
    [
      'takes none that is too deep over several lines',
      ['{', ' "jsonrpc": "2.0", "id": 1, "result":', ...deep('['), ...deep(']'), '}', answer(2)],
      [2],
      [],
    ],
  ])('%s', async (_, output, received, dropped) => {
    const clock = createManualClock();
    const heard: unknown[] = [];
    const ended: unknown[] = [];
    const transport = { receive: (value: { id: unknown }) => heard.push(value.id), note: () => {} };
    const reader = createStdoutReader(
      transport as unknown as BaseTransport,
      ({ id }) => ended.push(id),
      () => {},
      limits.message,
      clock,
    );
    reader.write(Buffer.from(output.map((line) => `${line}\n`).join('')));
    await clock.advance(1_000);
    expect([heard, ended]).toEqual([received, dropped]);
  });
});

it('createStdoutReader holds no more of a message over several lines than of any other', () => {
  const noise: string[] = [];
  const reader = createStdoutReader(
    {} as BaseTransport,
    () => {},
    (line) => noise.push(line),
    { bytes: 1_000, members: 100, depth: 10 },
    createManualClock(),
  );
  for (const line of ['{', ...Array.from({ length: 10 }, () => ` "${'x'.repeat(200)}"`)])
    reader.write(Buffer.from(`${line}\n`));
  expect(noise.length).toBeGreaterThan(5);
});

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
