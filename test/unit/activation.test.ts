import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionBundle } from '../tools/build/extensionBundle.mjs';

/** What may be loaded before anything is used, besides the host: no protocol spoken, no schema compiled, nobody signed in. */
const allowed = [
  /^src\/extension\.ts$/,
  /^src\/host\//,
  /^src\/(base|config)\//,
  // One server's life and what is remembered of it; what speaks with a running one comes with the first connection.
  /^src\/client\/[^/]+\.ts$/,
  /^src\/client\/tasks\/(callTool|taskEntry|taskBook|serverTask)\.ts$/,
  // Shapes and readers of what is remembered, and the names of errors and revisions.
  /^src\/protocol\/mcp\/[^/]+\.ts$/,
  /^src\/protocol\/(jsonRpc|revisions\/revision)\.ts$/,
  /^src\/transport\/createTransports\.ts$/,
  // Reads configuration files.
  /^jsonc-parser\//,
];

/** Of those that `allowed` lets through: what is heavy, and used by few windows or late. */
const late = [
  /^src\/client\/(liveServer|connection|catalogue)\.ts$/,
  /^src\/host\/configuration\/(codeLenses|diagnostics|quickFixes|languageFeatures|importFromClients|addServer)\.ts$/,
  /^src\/host\/(models\/|sampling\/samplingHost|elicitation\/elicitationHost)/,
  // What asks, calls and shows results. These few files say when the rest is to be loaded, and open rows as they are.
  /^src\/host\/(input|panels|prompts|results|tools)\/(?!register|contentTarget|readyServer|openQuestions|promptCommand|showError)/,
];

const builtins = [
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:os',
  'node:path',
  'node:url',
  'vscode',
];

/** Stands for `vscode` while modules are evaluated, whatever they name. */
const stub = `
  const anything = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => '' : anything),
    apply: () => anything,
    construct: () => anything,
  });
  module.exports = anything;
`;

describe('activation', () => {
  const main = 'dist/extension.js';
  let folder: string;
  let outputs: Metafile['outputs'];
  let modules: readonly string[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-')));
    const outdir = join(folder, 'dist');
    const { metafile } = await build({ ...extensionBundle({ isProduction: true, outdir }), logLevel: 'silent' });
    outputs = Object.fromEntries(
      Object.entries(metafile.outputs).map(([path, output]) => [relative(folder, path).replaceAll(sep, '/'), output]),
    );
    modules = Object.entries(outputs[main]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [input.replace(/^.*node_modules\//, '')] : [],
    );
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('loads no module that can wait until something is used', () => {
    expect(modules.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(modules.filter((path) => late.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(modules).toContain('src/host/compose.ts');
  });

  it('loads one file, as each costs time by itself', async () => {
    await mkdir(join(folder, 'node_modules'));
    await writeFile(join(folder, 'node_modules', 'vscode.js'), stub);
    const require = createRequire(join(folder, 'main.js'));
    expect(require(join(folder, main))).toHaveProperty('activate', expect.any(Function));
    const loaded = Object.keys(require.cache).filter((path) => path.startsWith(join(folder, 'dist')));
    expect(loaded).toEqual([join(folder, main)]);
  });

  it('asks for few parts of Node, none of them for the network', () => {
    const external = outputs[main]?.imports.filter((each) => each.external) ?? [];
    const names = new Set(external.map(({ path }) => path));
    expect([...names].filter((name) => !builtins.includes(name))).toEqual([]);
  });
});
