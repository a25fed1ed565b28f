import { describe, expect, it } from 'vitest';
import { toCsv } from '../../../src/base/csv.ts';

describe('toCsv', () => {
  it('quotes what RFC 4180 wants quoted, and ends each line', () => {
    expect(
      toCsv([
        ['a', 'b'],
        ['x, y', 'say "yes"'],
        ['two\nlines', ''],
      ]),
    ).toBe('a,b\r\n"x, y","say ""yes"""\r\n"two\nlines",\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("https://example.com","x")', '"\'=HYPERLINK(""https://example.com"",""x"")"'],
    ['a=1', 'a=1'],
    ['', ''],
  ])('keeps a spreadsheet from running %j', (text, cell) => {
    expect(toCsv([[text]])).toBe(`${cell}\r\n`);
  });

  it('leaves numbers as they are', () => {
    expect(toCsv([[-1.5, 1e21, 0]])).toBe('-1.5,1e+21,0\r\n');
  });
});
