import { describe, expect, it } from 'vitest';
import { toWindowsCommand } from '../../../../src/transport/stdio/startProcess.ts';

const cmdExe = 'C:\\Windows\\System32\\cmd.exe';
const npx = 'C:\\Program Files\\nodejs\\npx.cmd';

describe('toWindowsCommand', () => {
  it('starts a program as it is', () => {
    expect(toWindowsCommand('C:\\node.exe', ['a b', '%PATH%\n'], cmdExe)).toEqual({
      file: 'C:\\node.exe',
      args: ['a b', '%PATH%\n'],
      isVerbatim: false,
    });
  });

  it.each(['a.cmd', 'a.CMD', 'a.bat', 'a.Bat'])('runs %s through cmd.exe', (file) => {
    expect(toWindowsCommand(file, ['x'], cmdExe)).toEqual({
      file: cmdExe,
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `""${file}" "x""`],
      isVerbatim: true,
    });
  });

  it.each([
    ['', '""'],
    ['-y', '"-y"'],
    ['with space', '"with space"'],
    ['a&calc.exe|b>c<d^e', '"a&calc.exe|b>c<d^e"'],
    ['"&calc.exe', '"""&calc.exe"'],
    ['say "hi"', '"say ""hi"""'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['!PATH!', '"!PATH!"'],
    ['C:\\dir\\', '"C:\\dir\\\\"'],
    ['C:\\dir\\file', '"C:\\dir\\file"'],
    ['back\\"slash', '"back\\\\""slash"'],
    ['\\\\"', '"\\\\\\\\"""'],
  ])('quotes %j', (argument, quoted) => {
    expect(toWindowsCommand(npx, [argument], cmdExe).args.at(-1)).toBe(`""${npx}" ${quoted}"`);
  });

  it.each(['a\nb', 'a\rb', 'a\0b'])('refuses %j, which cmd.exe cannot carry', (argument) => {
    expect(() => toWindowsCommand(npx, [argument], cmdExe)).toThrow(/line break/);
  });

  it('keeps every operator inside quotes, whatever stands before it', () => {
    const hostile = ['"', '\\', '&', '%', '^', '|', ' '];
    for (const first of hostile) {
      for (const second of hostile) {
        for (const third of hostile) {
          const line = toWindowsCommand('x.cmd', [`${first}${second}${third}&`], cmdExe).args.at(-1) ?? '';
          // cmd.exe removes the outer quotes; in the rest every operator must be inside quotes.
          const inner = line.slice(1, -1);
          for (const match of inner.matchAll(/[&|]/g)) {
            const quotesBefore = inner.slice(0, match.index).replaceAll(/[^"]/g, '').length;
            expect(quotesBefore % 2, line).toBe(1);
          }
        }
      }
    }
  });
});
