import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../src/base/clock.ts';
import { createLoginEnvironment } from '../../../../src/transport/stdio/loginShell.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A shell that runs `profile` before the command it is given as the last of its two arguments. */
async function makeShell(name: string, profile: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${profile}\neval "$2"\n`);
  await chmod(path, 0o755);
  return path;
}

function ask(shell: string | undefined, notes: string[] = [], clock = createSystemClock()) {
  const present = { PATH: '/usr/bin:/bin', EDITOR_ONLY: 'kept', ...(shell === undefined ? {} : { SHELL: shell }) };
  return createLoginEnvironment(present, clock, 'linux', (text) => notes.push(text));
}

describe.runIf(process.platform !== 'win32')('createLoginEnvironment', () => {
  it('adds what the profile sets, whatever it prints', async () => {
    const shell = await makeShell(
      'talkative',
      'echo "PATH=/wrong"; PATH="/opt/bin:$PATH"; export PATH; echo hello >&2',
    );
    const environment = await ask(shell)();
    expect(environment['PATH']).toBe('/opt/bin:/usr/bin:/bin');
    expect(environment['EDITOR_ONLY']).toBe('kept');
  });

  it('keeps values of several lines and hides what it set itself', async () => {
    const shell = await makeShell('lines', 'export POEM="one\ntwo"');
    const environment = await ask(shell)();
    expect(environment['POEM']).toBe('one\ntwo');
    expect(environment['VSCODE_RESOLVING_ENVIRONMENT']).toBeUndefined();
  });

  it('asks a real shell as a login and interactive one', async () => {
    expect((await ask('/bin/sh')())['PATH']).toContain('/bin');
  });

  it('asks once, and only when needed', async () => {
    const shell = await makeShell('counting', `echo run >> "${folder}/count"`);
    const environment = ask(shell);
    await expect(readFile(join(folder, 'count'))).rejects.toThrow('ENOENT');
    expect(await environment()).toBe(await environment());
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('run\n');
  });

  it('does not wait for a shell that lingers after its answer', async () => {
    const shell = join(folder, 'lingering');
    await writeFile(shell, '#!/bin/sh\nexport LINGERED=yes\neval "$2"\nsleep 1000\n');
    await chmod(shell, 0o755);
    expect((await ask(shell)())['LINGERED']).toBe('yes');
  });

  it.each([
    ['exits early', 'exit 1', /printed no variables/],
    ['prints without end', 'yes', /printed too much/],
  ])('falls back with a note when the shell %s', async (name, profile, message) => {
    const notes: string[] = [];
    const environment = await ask(await makeShell(name.replaceAll(' ', '-'), profile), notes)();
    expect(environment['PATH']).toBe('/usr/bin:/bin');
    expect(notes).toEqual([expect.stringMatching(message)]);
  });

  it('falls back when the shell does not exist', async () => {
    const notes: string[] = [];
    expect(await ask('/no/such/shell', notes)()).toMatchObject({ EDITOR_ONLY: 'kept' });
    expect(notes).toHaveLength(1);
  });

  it('falls back when the shell takes too long', async () => {
    const clock = createManualClock();
    const notes: string[] = [];
    const answer = ask(await makeShell('slow', 'sleep 1000'), notes, clock)();
    await clock.advance(10_000);
    expect((await answer)['PATH']).toBe('/usr/bin:/bin');
    expect(notes).toEqual([expect.stringContaining('did not answer within 10 seconds')]);
  });

  it('asks nobody on Windows', async () => {
    const present = { Path: 'C:\\' };
    const environment = createLoginEnvironment(present, createManualClock(), 'win32', () => {});
    expect(await environment()).toBe(present);
  });
});
