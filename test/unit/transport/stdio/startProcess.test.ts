import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findCommand } from '../../../../src/transport/stdio/findCommand.ts';
import {
  prepareLaunch,
  type Spawn,
  startProcess,
  toWindowsCommand,
} from '../../../../src/transport/stdio/startProcess.ts';
import { problem } from '../../../fixtures/problem.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of ['one', 'two']) await mkdir(join(folder, name));
  for (const name of ['one/tool', 'two/tool', 'two/only', 'script']) await makeProgram(name, '#!/bin/sh\n');
  for (const name of ['one/only', 'tool.py', 'tool.ps1', 'tool.ts'])
    await writeFile(join(folder, name), 'not executable');
});

async function makeProgram(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, 0o755);
  return path;
}

function find(command: string, path = [join(folder, 'one'), join(folder, 'two')].join(delimiter)): Promise<string> {
  return findCommand(command, folder, { PATH: path }, process.platform);
}

describe.runIf(process.platform !== 'win32')('findCommand', () => {
  it('takes the first executable in PATH', async () => {
    expect(await find('tool')).toBe(join(folder, 'one/tool'));
    expect(await find('only')).toBe(join(folder, 'two/only'));
  });

  it('resolves relative commands and PATH entries against the working folder', async () => {
    expect(await find('./script')).toBe(join(folder, 'script'));
    expect(await find('two/tool')).toBe(join(folder, 'two/tool'));
    expect(await find('tool', 'two')).toBe(join(folder, 'two/tool'));
  });

  it('never takes a bare name or an empty PATH entry for the working folder', async () => {
    await expect(find('script', `${delimiter}${join(folder, 'one')}`)).rejects.toMatchObject({ code: 'spawnFailed' });
  });

  it('accepts an absolute path without PATH', async () => {
    expect(await find(join(folder, 'script'), '')).toBe(join(folder, 'script'));
  });

  it.each([
    ['missing-tool', /"missing-tool" was not found in PATH\. Install it, or set "command" to its full path\.$/],
    ['npx -y server', /Move its arguments into "args"/],
    ['./nothing', /nothing does not exist/],
    ['./one', /one is not a file/],
    ['./one/only', /is not executable; make it so/],
    ['./tool.py', /set "command" to "python3", and begin "args" with this path\.$/],
    ['./tool.ps1', /set "command" to "pwsh", and begin "args" with "-File", this path\.$/],
    ['./tool.ts', /name its interpreter as the "command" and the file in "args"\.$/],
    ['  ', /"command" is empty/],
  ])('explains why %j cannot be started', async (command, message) => {
    await expect(find(command)).rejects.toEqual(problem('spawnFailed', message));
  });

  it('leaves the folders of PATH to the diagnosis, and says where there are none', async () => {
    const path = Array.from({ length: 30 }, (_, index) => `/nowhere/${index}`).join(delimiter);
    await expect(find('tool', path)).rejects.toThrow(/^(?!.*nowhere).*"tool" was not found in PATH\./);
    await expect(find('tool', '')).rejects.toThrow('"tool" was not found, because PATH is empty.');
    await expect(find('tool', '')).rejects.toMatchObject({ detail: expect.stringMatching(/^"tool" was not found, /) });
  });
});

describe('findCommand on Windows', () => {
  const findThere = (command: string): Promise<string> =>
    findCommand(command, folder, { Path: join(folder, 'scripts'), PATHEXT: '.COM;.EXE;' }, 'win32');

  it.each([
    ['tool.ps1', 'set "command" to "powershell", and begin "args" with "-File", this path.'],
    ['tool.py', 'set "command" to "py", and begin "args" with this path.'],
    ['tool.sh', 'set "command" to "bash", and begin "args" with this path.'],
    ['tool.jar', 'set "command" to "java", and begin "args" with "-jar", this path.'],
    ['tool.other', 'name its interpreter as the "command" and the file in "args".'],
  ])('says what starts the script %s', async (name, advice) => {
    await mkdir(join(folder, 'scripts'));
    await writeFile(join(folder, 'scripts', name), '');
    const message = `${join(folder, 'scripts', name)} is not a program that Windows can start; ${advice}`;
    await expect(findThere(`./scripts/${name}`)).rejects.toThrow(message);
    await expect(findThere(name)).rejects.toThrow(name === 'tool.other' ? 'was not found' : message);
  });
});

const cmdExe = 'C:\\Windows\\System32\\cmd.exe';
const npx = 'C:\\Program Files\\nodejs\\npx.cmd';

describe('toWindowsCommand', () => {
  it('starts a program as it is', () => {
    const [file, args] = ['C:\\node.exe', ['a b', '%PATH%\n']] as const;
    expect(toWindowsCommand(file, args, cmdExe)).toEqual({ file, args, isVerbatim: false });
  });

  it.each(['a.cmd', 'a.CMD', 'a.bat', 'a.Bat'])('runs %s through cmd.exe', (file) => {
    const args = ['/d', '/e:on', '/v:off', '/s', '/c', `""${file}" "x""`];
    expect(toWindowsCommand(file, ['x'], cmdExe)).toEqual({ file: cmdExe, args, isVerbatim: true });
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

  it('refuses a line that is longer than cmd.exe reads', () => {
    expect(toWindowsCommand(npx, ['x'.repeat(8_100)], cmdExe).isVerbatim).toBe(true);
    expect(() => toWindowsCommand(npx, ['x'.repeat(8_200)], cmdExe)).toThrow(
      /npx\.cmd has 82\d\d characters, and Windows allows 8191 for a batch file\. Shorten/,
    );
    expect(toWindowsCommand('C:\\node.exe', ['x'.repeat(8_200)], cmdExe).isVerbatim).toBe(false);
  });

  it('keeps every operator inside quotes, whatever stands before it', () => {
    const hostile = ['"', '\\', '&', '%', '^', '|', ' '];
    const pairs = hostile.flatMap((first) => hostile.map((second) => first + second));
    for (const before of pairs.flatMap((pair) => hostile.map((third) => pair + third))) {
      const line = toWindowsCommand('x.cmd', [`${before}&`], cmdExe).args.at(-1) ?? '';
      // cmd.exe removes the outer quotes; in the rest every operator must be inside quotes.
      const inner = line.slice(1, -1);
      for (const match of inner.matchAll(/[&|]/g)) {
        const quotesBefore = inner.slice(0, match.index).replaceAll(/[^"]/g, '').length;
        expect(quotesBefore % 2, line).toBe(1);
      }
    }
  });
});

async function start(command: string, args: readonly string[] = [], spawn?: Spawn): Promise<unknown> {
  const wanted = { command, args, cwd: folder, env: {} };
  return startProcess(await prepareLaunch(wanted, process.env, 'test', process.platform), spawn);
}

function failWith(code: string): Spawn {
  return () => {
    throw Object.assign(new Error(`spawn ${code}`), { code });
  };
}

describe.runIf(process.platform !== 'win32')('startProcess', () => {
  it('names a missing interpreter', async () => {
    const script = await makeProgram('orphan', '#!/no/such/interpreter -x\n');
    await expect(start(script)).rejects.toEqual(
      problem('spawnFailed', 'names the interpreter "/no/such/interpreter", which does not exist'),
    );
  });

  it('says that the arguments are too long', async () => {
    await expect(start(process.execPath, ['x'.repeat(8_000_000)])).rejects.toThrow(/longer than the system allows/);
  });

  it('refuses what no system can pass', async () => {
    await expect(start(process.execPath, ['a\0b'])).rejects.toMatchObject({ code: 'spawnFailed' });
  });

  it.each([
    ['ENOEXEC', /is not a program this system can run/],
    ['EACCES', /does not allow running/],
    ['ENAMETOOLONG', /arguments and environment together are longer/],
    ['UNKNOWN', /no program|is not a program this system can run\. To start a script, name its interpreter/],
    ['EAGAIN', /no room for another process \(EAGAIN\)/],
    ['ESTRANGE', /spawn ESTRANGE/],
  ])('explains %s', async (code, message) => {
    await expect(start(process.execPath, [], failWith(code))).rejects.toThrow(message);
  });
});
