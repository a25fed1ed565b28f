import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import { createRuleFile } from '../../src/host/consent/consentFiles.ts';
import type { StdioCommand } from '../../src/transport/stdio/startProcess.ts';
import { temporaryFolder } from '../fixtures/temporaryFolder.ts';
import { sampleRule } from '../unit/host/consent/sampleRule.ts';
import { createServerUnderTest, type ServerUnderTest } from './serverHarness.ts';

/** Says how it was started, and runs until its input ends, or on with `--ignore-end`. */
const program = `
const { spawn } = require('node:child_process');
const [first] = process.argv.slice(2);
const child = first === '--ignore-end' ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' }) : undefined;
if (child) setInterval(() => {}, 1e9);
const params = { args: process.argv.slice(2), cwd: process.cwd(), env: process.env, pids: [process.pid, ...(child ? [child.pid] : [])] };
process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'ready', params }) + '\\r\\n');
process.stdin.on('end', () => child || process.exit()).resume();
`;

/** As cmd-shim, which npm uses, writes it into \`node_modules/.bin\`. */
const npmShim = (script: string): string =>
  [
    '@ECHO off',
    'GOTO start',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
    ':start',
    'SETLOCAL',
    'CALL :find_dp0',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ') ELSE (',
    '  SET "_prog=node"',
    '  SET PATHEXT=%PATHEXT:;.JS;=;%',
    ')',
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "${script}" %*`,
    '',
  ].join('\r\n');

const simpleBatch = (script: string, ...first: string[]): string =>
  `@echo off\r\n"${process.execPath}" "${script}" ${first.join(' ')} %*\r\n`;

let folder: string;
let script: string;
const started: ServerUnderTest[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  script = await write('program.cjs', program);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ transport }) => transport.dispose()));
});

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** @returns what the program says of its start */
async function launch(command: Partial<StdioCommand>): Promise<UnknownRecord> {
  const server = createServerUnderTest('scriptedServer.mjs', [], { command: { args: [], cwd: folder, ...command } });
  started.push(server);
  await server.transport.start(AbortSignal.timeout(30_000));
  const ready = server.message(({ method }) => method === 'ready');
  const ended = server.closed.then((reason) => Promise.reject(new Error(JSON.stringify(reason))));
  const { params } = await Promise.race([ready, ended]);
  if (!isRecord(params)) throw new Error('It said nothing of itself.');
  return params;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const texts = [
  ['a b', '', 'a&b', '&calc', 'a|b', 'a<b>c', 'a^b', '^', '^^'],
  ['%PATH%', '%', '100%', '%%', '%cd%', '!PATH!', '%~dp0', '%1', '%*', '%=', '%:', '%cd:~,%', '--x=%USERNAME%'],
  ['"', 'a"b', '"a b"', '" & echo hi & "', '\\"', 'a\\', 'a b\\', 'a\\\\', 'C:\\dir with space\\', '\\\\server\\share'],
  ['漢é', '🙂', '(x)', 'a;b,c=d', '{"a":"b c","d":[1,"%x%"]}', "'q'", '@x', '~', '`', 'a\tb', '*', '?', '*.js'],
].flat();

const folders = ['with space', 'amp & amp', '100% done', 'caret ^ x', "quote ' x", 'paren (x86)', '漢é', 'bang !PATH!'];
const moreFolders = ['percent %PATH% x', 'comma,semi;eq=', 'plus+at@', 'dot.name'];

describe.runIf(process.platform === 'win32')('a program that is started on Windows', { timeout: 120_000 }, () => {
  it.each(texts)('gets %j through a batch file as it is', async (text) => {
    const command = await write('tool.cmd', simpleBatch(script));
    expect(await launch({ command, args: [text, 'end'] })).toMatchObject({ args: [text, 'end'] });
  });

  it('gets all of them without one', async () => {
    expect(await launch({ command: process.execPath, args: [script, ...texts] })).toMatchObject({ args: texts });
  });

  it.each([...folders, ...moreFolders])('may be in the folder %j', async (name) => {
    const command = await write(join(name, 'tool.cmd'), simpleBatch(script));
    expect(await launch({ command, args: ['x y'] })).toMatchObject({ args: ['x y'] });
  });

  it.each<[name: string, command: string, args: string[], env: (bin: string) => Record<string, string>]>([
    ['PATH', 'npx', ['-y'], (bin) => ({ PATH: bin })],
    ['Path', 'npx', ['-y'], (bin) => ({ Path: bin })],
    ['a quoted entry of PATH', 'npx', ['-y'], (bin) => ({ PATH: `"${bin}"` })],
    ['PATHEXT that ends with a semicolon', 'npx', ['-y'], (bin) => ({ PATH: bin, PATHEXT: '.COM;.EXE;.BAT;.CMD;' })],
    ['cmd /c', 'cmd', ['/c', 'npx', '-y'], (bin) => ({ PATH: `${bin};${process.env['PATH']}` })],
  ])('is found as npm installs it, by %s', async (_, command, args, env) => {
    const bin = join(folder, 'dot.bin');
    await write('dot.bin/npx', '#!/bin/sh\nexit 9\n');
    await write('dot.bin/npx.cmd', npmShim(script));
    await copyFile(process.execPath, join(bin, 'node.exe'));
    expect(await launch({ command, args, env: env(bin) })).toMatchObject({ args: ['-y'] });
  });

  it.each(['.\\tool.cmd', './tool', '.\\TOOL.CMD'])('is found in its working folder by %j', async (command) => {
    await write('tool.cmd', simpleBatch(script));
    expect(await launch({ command, args: ['q'] })).toMatchObject({ args: ['q'], cwd: folder });
  });

  it('has an environment without what was removed, and with each name once', async () => {
    const env = { path: null, Foo: '1', FOO: '2', U: '漢é🙂', P: '%PATH%' };
    const ready = await launch({ command: process.execPath, args: [script], env });
    const seen = Object.entries(isRecord(ready['env']) ? ready['env'] : {});
    expect(seen.filter(([name]) => /^(?:path|foo|u|p)$/i.test(name))).toEqual(
      expect.arrayContaining([
        ['FOO', '2'],
        ['U', '漢é🙂'],
        ['P', '%PATH%'],
      ]),
    );
    expect(seen.filter(([name, value]) => /^path$/i.test(name) && value !== '')).toEqual([]);
  });

  it.each([
    ['tool', 'was not found'],
    ['.\\tool.ps1', 'set "command" to "powershell"'],
    ['tool.cmd.', 'was not found'],
  ])('is refused with words: %s', async (command, message) => {
    await write('tool.cmd', simpleBatch(script));
    await write('tool.ps1', '');
    await expect(launch({ command })).rejects.toThrow(message);
  });

  it.each([
    ['a line of 40,000 characters', 40_000, false, /longer than the system allows/],
    ['a line of 9,000 characters to a batch file', 9_000, true, /Windows allows 8191 for a batch file/],
  ])('is refused %s', async (_, length, isBatch, message) => {
    const command = isBatch ? await write('tool.cmd', simpleBatch(script)) : process.execPath;
    await expect(launch({ command, args: [script, 'x'.repeat(length)] })).rejects.toThrow(message);
  });

  it.each([
    ['cmd', ['/c', 'npx', 'x']],
    ['shim', ['x']],
  ])('is not taken from the working folder by cmd.exe: %s', async (command, args) => {
    const bin = join(folder, 'bin');
    await write('bin/npx.cmd', simpleBatch(script, 'REAL'));
    await write('bin/shim.cmd', npmShim(script));
    await write('bin/node.cmd', `@echo off\r\n"${process.execPath}" %* REAL\r\n`);
    for (const name of ['ws/npx.cmd', 'ws/node.cmd']) await write(name, simpleBatch(script, 'PLANTED'));
    const env = { PATH: `${bin};${process.env['PATH']}` };
    const { args: seen } = await launch({ command, args, env, cwd: join(folder, 'ws') });
    expect(seen).toContain('REAL');
    expect(seen).not.toContain('PLANTED');
  });

  it('ends with all that it started, though it ignores the end of its input', async () => {
    const command = await write('tool.cmd', simpleBatch(script));
    const { pids } = await launch({ command, args: ['--ignore-end'] });
    const ids = (Array.isArray(pids) ? pids : []).map(Number);
    expect(ids.map(isAlive)).toEqual([true, true]);
    await started[0]?.transport.dispose();
    await expect.poll(() => ids.filter(isAlive)).toEqual([]);
  });
});

/** Reads a file again and again until it is killed. */
const reader = `const fs = require('node:fs');
const read = () => fs.readFile(process.argv[1], () => setImmediate(read));
read();`;

it('no change of two windows is lost while another program reads the file', { timeout: 120_000 }, async () => {
  const path = join(folder, 'rules.json');
  await writeFile(path, '');
  const reading = spawn(process.execPath, ['-e', reader, path], { stdio: 'ignore' });
  await once(reading, 'spawn');
  const open = (owner: string) =>
    createRuleFile(path, { clock: createSystemClock(), owner, reachWindow: async () => {} });
  const windows = [open('one'), open('two')];
  const ids = Array.from({ length: 60 }, (_, index) => `rule ${index}`);
  const updates = ids.map(async (id, index) =>
    windows[index % 2]?.update((rules) => [...rules, sampleRule(Date.now(), { id, isKept: true })]),
  );
  await Promise.all(updates).finally(() => reading.kill('SIGKILL'));
  const { rules } = JSON.parse(await readFile(path, 'utf8')) as { rules: readonly { id: string }[] };
  expect(rules.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
