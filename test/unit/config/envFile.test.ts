import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/config/envFile.ts';

describe('parseEnvFile', () => {
  it.each<[string, Record<string, string>]>([
    ['A=1\nB=2', { A: '1', B: '2' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['  export A = 1  ', { A: '1' }],
    ['# A=1\n\nB=2 # note', { B: '2' }],
    ['A=b#c', { A: 'b#c' }],
    ['A=', { A: '' }],
    ['A=# nothing', { A: '' }],
    ['A="x # y" # note', { A: 'x # y' }],
    ["A='x \\n $B'", { A: 'x \\n $B' }],
    ['A="x\\n\\t\\"q\\" \\\\ \\$ \\z"', { A: 'x\n\t"q" \\ $ \\z' }],
    ['A="one\ntwo\nB=3"\nC=4', { A: 'one\ntwo\nB=3', C: '4' }],
    ['A=`it\'s "so"`', { A: 'it\'s "so"' }],
    ['A="open\nB=2', { A: '"open', B: '2' }],
    ['A=1\nA=2', { A: '2' }],
    ['A=${B}', { A: '${B}' }],
    ['no assignment\n=x\n1A=2\nB.C-D=3', { 'B.C-D': '3' }],
    ['A=a=b==', { A: 'a=b==' }],
    ['', {}],
  ])('%j', (text, expected) => {
    expect(parseEnvFile(text)).toEqual(expected);
  });

  it('is not led astray by __proto__', () => {
    expect(Object.keys(parseEnvFile('__proto__=x'))).toEqual(['__proto__']);
  });
});
