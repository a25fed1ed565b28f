import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';

/** The workspace with the demo server, of which `openVSCode` opens a copy. */
export const demoWorkspace = join(repositoryRoot, 'test/fixtures/workspaces/demo');

/** The definition of a server of `test/fixtures/servers`. */
export function fixtureServer(file: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [join(repositoryRoot, 'test/fixtures/servers', file), ...args] };
}

/** A folder that `openVSCode` makes for one window, and removes with it. */
export interface NewWorkspace {
  /** The name of the folder. */
  readonly name: string;
  /** Texts by path in the folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** A folder whose `.vscode/mcp.json` has these servers, by label, in the form of that file. */
export function folderWith(
  servers: Readonly<Record<string, object>>,
  { name = 'workspace', files = {} }: Partial<NewWorkspace> = {},
): NewWorkspace {
  return { name, files: { '.vscode/mcp.json': JSON.stringify({ servers }), ...files } };
}

/** Makes the folder inside another. Returns its path. */
export async function writeWorkspace({ name, files }: NewWorkspace, parent: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
