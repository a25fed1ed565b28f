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
    ['+1+1', "'+1+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u200b=1', "'\u200b=1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['＝1', "'＝1"],
    ['－1+1', "'－1+1"],
    ['=HYPERLINK("https://example.com","x")', '"\'=HYPERLINK(""https://example.com"",""x"")"'],
    ['\t=1', '"\t\'=1"'],
    ['\r=1', '"\r\'=1"'],
    // Each of these is the end of a cell in some spreadsheet, where the text is opened or pasted.
    ["x\t=cmd|' /C calc'!A0", "\"x\t'=cmd|' /C calc'!A0\""],
    ["x\n=cmd|' /C calc'!A0", "\"x\n'=cmd|' /C calc'!A0\""],
    ['x\r\n@SUM(A1)', '"x\r\n\'@SUM(A1)"'],
    ['x;=1+1', '"x;\'=1+1"'],
    ['x; ＝1+1', '"x;\' ＝1+1"'],
    ['x,+1+1', '"x,\'+1+1"'],
    ['x"=1+1', '"x""\'=1+1"'],
    ['"=1+1"', '"""\'=1+1"""'],
    ['a;b\t\t;-2+3', '"a;b\t\t;\'-2+3"'],
    ['x\u2028=1', '"x\u2028\'=1"'],
    ['x\v=1', '"x\v\'=1"'],
  ])('keeps a spreadsheet from running %j', (text, cell) => {
    expect(toCsv([[text]])).toBe(`${cell}\r\n`);
  });

  it.each([
    ['a=1', 'a=1'],
    ['', ''],
    ['-5', '-5'],
    ['+1.5', '+1.5'],
    ['-1e-3', '-1e-3'],
    ['a, -5', '"a, -5"'],
    ['1;-2;+3', '"1;-2;+3"'],
    ['tab\there', '"tab\there"'],
  ])('changes no other text: %j', (text, cell) => {
    expect(toCsv([[text]])).toBe(`${cell}\r\n`);
  });

  it('has no part that begins as a formula, whatever separates the cells', () => {
    const starts = ['=1+1', '+1+1', '-1+1', '@A1', '＝1', ' =1'];
    const between = ['\t', ';', ',', '\n', '\r\n', '\r', '"', '\u2028', ';;', '\t"'];
    const texts = starts.flatMap((start) =>
      ['', 'x', 'x"', '"x'].flatMap((head) => between.map((b) => `${head}${b}${start}`)),
    );
    for (const text of texts) {
      const cells = toCsv([['first', text, 'last']]).split(/[\t\n\r\u2028",;]/);
      expect(cells.filter((cell) => /^\s*[=+\-@＝]/.test(cell))).toEqual([]);
    }
  });

  it('leaves numbers as they are', () => {
    expect(toCsv([[-1.5, 1e21, 0]])).toBe('-1.5,1e+21,0\r\n');
  });
});
