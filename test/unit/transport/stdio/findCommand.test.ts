import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCommand } from '../../../../src/transport/stdio/findCommand.ts';
import { problem } from '../../../fixtures/problem.ts';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'find-')));
  for (const name of ['one', 'two']) await mkdir(join(folder, name));
  for (const name of ['one/tool', 'two/tool', 'two/only', 'script']) {
    await writeFile(join(folder, name), '#!/bin/sh\n');
    await chmod(join(folder, name), 0o755);
  }
  await writeFile(join(folder, 'one/only'), 'not executable');
});

afterAll(() => rm(folder, { recursive: true }));

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
    ['missing-tool', /"missing-tool" was not found\. Install it, or set "command".*PATH: .*one.*two\.$/],
    ['npx -y server', /its arguments belong into "args"/],
    ['./nothing', /nothing does not exist/],
    ['./one', /one is not a file/],
    ['./one/only', /is not executable; make it so/],
    ['  ', /"command" is empty/],
  ])('explains why %j cannot be started', async (command, message) => {
    await expect(find(command)).rejects.toEqual(problem('spawnFailed', message));
  });

  it('names only the beginning of a long PATH', async () => {
    const path = Array.from({ length: 30 }, (_, index) => `/nowhere/${index}`).join(delimiter);
    await expect(find('tool', path)).rejects.toThrow('/nowhere/7:… and 22 more');
  });
});
