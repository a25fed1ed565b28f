import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';

/** Copies the extension to `folder`, without activation events, to measure its activation. */
export async function copyWaitingExtension(folder: string): Promise<void> {
  await mkdir(folder);
  const manifest = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  const shared = ['dist', 'media', 'package.nls.json', 'README.md', 'CHANGELOG.md'];
  await Promise.all(shared.map((name) => symlink(join(repositoryRoot, name), join(folder, name))));
}
