import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareLaunch, type Spawn, startProcess } from '../../../../src/transport/stdio/startProcess.ts';
import { problem } from '../../../fixtures/problem.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function makeProgram(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, 0o755);
  return path;
}

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
    ['EAGAIN', /no room for another process \(EAGAIN\)/],
    ['ESTRANGE', /spawn ESTRANGE/],
  ])('explains %s', async (code, message) => {
    await expect(start(process.execPath, [], failWith(code))).rejects.toThrow(message);
  });
});
