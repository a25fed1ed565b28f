import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { FileDigests } from '../../../../src/host/configuration/inspectCode.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

function createDigests(): FileDigests {
  return new FileDigests({ get: () => undefined, update: async () => {}, keys: () => [] });
}

const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('are of ordinary files', async () => {
  const path = join(await temporaryFolder(), 'empty.js');
  await writeFile(path, '');
  expect(await createDigests().digest(path)).toBe(ofNothing);
});

it.runIf(process.platform === 'linux').each([
  ['a link to a device that never ends', '/dev/zero', undefined],
  ['a link to a file of the system that never ends', '/proc/self/pagemap', ''],
  ['a pipe', undefined, undefined],
])('are made of no file that would hold up the editor: %s', async (_, target, expected) => {
  const path = join(await temporaryFolder(), 'server.js');
  if (target === undefined) await promisify(execFile)('mkfifo', [path]);
  else await symlink(target, path);
  const digest = createDigests().digest(path);
  if (expected === undefined) await expect(digest).rejects.toThrow('not an ordinary file');
  else expect(await digest).toBe(expected);
});
