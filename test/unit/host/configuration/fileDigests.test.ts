import { createHash } from 'node:crypto';
import { truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { FileDigests } from '../../../../src/host/configuration/inspectCode.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { sampleState } from '../sampleState.ts';

let folder: string;
let state: ReturnType<typeof sampleState>;

beforeEach(async () => {
  folder = await temporaryFolder();
  state = sampleState();
});

const entries = () => state.values['patchbay.fileDigests'] as Record<string, string>;
const remember = (known: Record<string, string>) => void (state.values['patchbay.fileDigests'] = known);

function digest(name: string): Promise<string> {
  return new FileDigests(state).digest(join(folder, name));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

it('reads small files each time and remembers those of large ones', async () => {
  const large = 'x'.repeat(limits.trust.rememberedBytes + 1);
  await writeFile(join(folder, 'small'), 'text');
  await writeFile(join(folder, 'large'), large);
  expect(await digest('small')).toBe(sha256('text'));
  expect(await digest('large')).toBe(sha256(large));
  expect(Object.keys(entries())).toEqual([join(folder, 'large')]);
  // The remembered digest is returned: the file is not read again.
  const known = Object.entries(entries()).map(([path, entry]) => [path, entry.replace(/ .*/, ' known')] as const);
  remember(Object.fromEntries(known));
  expect(await digest('large')).toBe('known');
});

it('sees another content of the same size and time', async () => {
  const size = limits.trust.rememberedBytes + 1;
  const path = join(folder, 'large');
  await writeFile(path, 'x'.repeat(size));
  await utimes(path, 1, 1);
  await digest('large');
  await writeFile(path, 'y'.repeat(size));
  await utimes(path, 1, 1);
  expect(await digest('large')).toBe(sha256('y'.repeat(size)));
});

it('remembers no more files than are used, and reads none that is too large', async () => {
  remember(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/${index}`, 'x y'])));
  await writeFile(join(folder, 'large'), 'x'.repeat(limits.trust.rememberedBytes + 1));
  await digest('large');
  expect(Object.keys(entries())).toHaveLength(limits.trust.rememberedFiles);
  await writeFile(join(folder, 'huge'), '');
  await truncate(join(folder, 'huge'), limits.trust.digestBytes + 1);
  expect(await digest('huge')).toBe('');
});
