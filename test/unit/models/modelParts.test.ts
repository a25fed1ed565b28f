import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopFilter, type TextFilter, ThoughtFilter } from '../../../src/models/textFilters.ts';
import { ToolNames } from '../../../src/models/prompt.ts';
import { readRetryAfter } from '../../../src/models/modelFailures.ts';
import { endpointOf, keyHeaders } from '../../../src/models/endpoint.ts';

function run(filter: TextFilter, pieces: readonly string[]): string {
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const lengthOf = ({ length }: string): number => length;

describe('a filter for stop sequences', () => {
  it('ends a text before the first of them, wherever its pieces are divided', () => {
    // The second sequence is complete before the first, which begins earlier.
    const secondEndsFirst: [string[], string[]] = [
      ['ba', 'c'],
      ['bac', 'a'],
    ];
    const letters = string({ unit: constantFrom('a', 'b', 'c') });
    assert(
      property(array(letters, { maxLength: 20 }), array(letters, { maxLength: 3 }), (pieces, sequences) => {
        const text = pieces.join('');
        // One more letter at a time, until one of them is complete.
        const wanted = sequences.filter((each) => each !== '');
        const length = Array.from({ length: text.length + 1 }, (_, index) => index).find((index) =>
          wanted.some((each) => text.slice(0, index).endsWith(each)),
        );
        const longest = Math.max(0, ...wanted.filter((each) => text.slice(0, length).endsWith(each)).map(lengthOf));
        const end = length === undefined ? text.length : length - longest;
        const filter = new StopFilter(sequences);
        const passed = pieces.map((piece) => filter.push(piece)).join('');
        expect(passed + (filter.isStopped ? '' : filter.end())).toBe(text.slice(0, end));
        expect(filter.isStopped).toBe(length !== undefined);
      }),
      { examples: [secondEndsFirst] },
    );
  });

  it('holds back no more than may be one', () => {
    const filter = new StopFilter(['END']);
    expect([filter.push('the E'), filter.push('n'), filter.push('EN'), filter.end()]).toEqual(['the ', 'En', '', 'EN']);
  });
});

describe('a filter for thoughts', () => {
  it.each([
    ['<think>hm</think>\n\nYes', 'Yes'],
    ['\n<think>\nhm < 3 </thin </think>Yes </think>', 'Yes </think>'],
    ['<think>without end', ''],
    ['<thinking> of you', '<thinking> of you'],
    ['Yes <think>no</think>', 'Yes <think>no</think>'],
    ['<th', '<th'],
    ['', ''],
  ])('leaves them out at the beginning only: %j', (text, answer) => {
    expect(run(new ThoughtFilter(), [text])).toBe(answer);
    expect(run(new ThoughtFilter(), text.split(''))).toBe(answer);
  });
});

describe('names of tools', () => {
  it('are those that every provider takes, each of one tool', () => {
    const names = new ToolNames(['a.b', 'a_b', 'a/b', '1st', 'x'.repeat(100)], ['gone.tool']);
    const provided = ['a.b', 'a_b', 'a/b', '1st', 'x'.repeat(100), 'gone.tool'].map((name) => names.toProvider(name));
    expect(provided).toEqual(['a_b_2', 'a_b', 'a_b_3', '_1st', 'x'.repeat(64), 'gone_tool']);
    expect(names.toOffered('a_b_3')).toBe('a/b');
    expect(names.toOffered('gone_tool')).toBeUndefined();
    expect(names.toOffered('other')).toBeUndefined();
  });
});

describe('the time to try again', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const read = (headers: Record<string, string>) => readRetryAfter({ get: (name) => headers[name] }, now);

  it('is read as seconds, as a date, or as milliseconds', () => {
    expect(read({ 'retry-after': '20' })).toBe(20_000);
    expect(read({ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' })).toBe(60_000);
    expect(read({ 'retry-after': 'Thu, 01 Jan 2025 00:01:00 GMT' })).toBe(0);
    expect(read({ 'retry-after': '20', 'retry-after-ms': '150.5' })).toBe(151);
    expect(read({ 'retry-after': '99999999999' })).toBe(7 * 24 * 3_600_000);
    expect([read({}), read({ 'retry-after': 'soon' }), read({ 'retry-after': 'later 5' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('an endpoint', () => {
  const of = (baseUrl: string, api: 'anthropic' | 'gemini' | 'openai-chat' = 'openai-chat') =>
    endpointOf({ name: 'It', api, baseUrl });

  it('shows where requests go, and to whom', () => {
    expect(of('https://api.openai.com/v1/')).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
      destination: 'api.openai.com',
      vendor: 'OpenAI',
      isOpenAI: true,
      isLocal: false,
    });
    expect(of('http://127.0.0.1:11434/v1')).toMatchObject({
      vendor: '127.0.0.1:11434',
      isOpenAI: false,
      isLocal: true,
    });
    expect(of('https://api.openai.com.evil.example/v1').isOpenAI).toBe(false);
  });

  it.each(['ftp://a', 'nothing', 'https://user:password@a.example/v1', 'file:///etc'])('is not at %s', (address) => {
    expect(() => of(address)).toThrow('The address of "It" cannot be used');
  });

  it('learns the key in the header of its API', () => {
    expect(keyHeaders(of('https://a.example'), 'k')).toEqual({ authorization: 'Bearer k' });
    expect(keyHeaders(of('https://a.example', 'anthropic'), ' k\n')).toEqual({ 'x-api-key': 'k' });
    expect(keyHeaders(of('https://a.example', 'gemini'), 'k')).toEqual({ 'x-goog-api-key': 'k' });
    expect(keyHeaders(of('https://a.example'), ' ')).toEqual({});
    expect(() => keyHeaders(of('https://a.example'), 'a b')).toThrow('has characters that no key has');
  });
});
