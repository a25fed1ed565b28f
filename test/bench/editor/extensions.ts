import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';

/** The ids of the extensions that are measured. */
export const ids = {
  patchbay: 'patchbay.patchbay',
  /** See {@link writeIdleExtension}. */
  idle: 'patchbay-tests.idle',
  json: 'vscode.json-language-features',
} as const;

/** A copy of Patchbay under development. */
export interface PatchbayCopy {
  readonly folder: string;
  /** Takes effect when the window is loaded again: with `idle`, the copy has all of Patchbay's manifest, and does nothing. */
  use(code: 'patchbay' | 'idle'): Promise<void>;
}

/**
 * Copies Patchbay as it ships. A copy and no links: VS Code finds out by its path which extension a file belongs to.
 * @param isWaiting without activation events: the benchmark activates it
 */
export async function copyPatchbay(folder: string, isWaiting: boolean): Promise<PatchbayCopy> {
  const manifest = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as object;
  const use: PatchbayCopy['use'] = (code) =>
    writeManifest(folder, {
      ...manifest,
      ...(isWaiting && { activationEvents: [] }),
      ...(code === 'idle' && { main: './idle.js' }),
    });
  await mkdir(folder);
  const shipped = ['dist', 'media', 'package.nls.json', 'README.md', 'CHANGELOG.md'];
  const tests = join(repositoryRoot, 'dist', 'test');
  const filter = (path: string): boolean => path !== tests;
  await Promise.all(
    shipped.map((name) => cp(join(repositoryRoot, name), join(folder, name), { recursive: true, filter })),
  );
  await writeIdleCode(folder);
  await use('patchbay');
  return { folder, use };
}

/** Writes an extension that does nothing, with as much code as Patchbay loads at activation. */
export async function writeIdleExtension(folder: string): Promise<void> {
  const [publisher, name] = ids.idle.split('.');
  await mkdir(folder);
  await writeIdleCode(folder);
  await writeManifest(folder, {
    publisher,
    name,
    version: '0.0.0',
    engines: { vscode: '^1.100.0' },
    main: './idle.js',
    activationEvents: [],
  });
}

/** Patchbay's own code in a function that is never called: V8 reads as many bytes of the same kind, and runs none of them. */
async function writeIdleCode(folder: string): Promise<void> {
  const code = await readFile(join(repositoryRoot, 'dist', 'extension.js'), 'utf8');
  const idle = `exports.activate = () => {};\nfunction unused(module, exports) {\n${code}\n}\n`;
  await writeFile(join(folder, 'idle.js'), idle);
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}
