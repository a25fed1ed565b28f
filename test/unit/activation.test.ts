import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadedOutputs } from '../tools/task/loadedOutputs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

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
  /^src\/client\/(liveServer|connection|catalogue|schemaValidator)\.ts$/,
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

/** A file more costs more than its bytes: it is opened, read and compiled by itself. */
const maximumFiles = 40;

describe('activation', () => {
  let outputs: Metafile['outputs'];
  let loaded: ReadonlySet<string>;
  let modules: readonly string[];

  beforeAll(async () => {
    // As esbuild.mjs builds it; `npm run package` weighs what comes of that.
    const { metafile } = await build({
      entryPoints: ['src/extension.ts'],
      absWorkingDir: root,
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      external: ['vscode'],
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    outputs = metafile.outputs;
    loaded = loadedOutputs(outputs, ['dist/extension.js']);
    modules = [...loaded].flatMap((path) =>
      Object.entries(outputs[path]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [input.replace(/^.*node_modules\//, '')] : [],
      ),
    );
  });

  it('loads no module that can wait until something is used', () => {
    expect(modules.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(modules.filter((path) => late.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(modules).toContain('src/host/compose.ts');
  });

  it('loads few files', () => {
    expect(loaded.size).toBeLessThanOrEqual(maximumFiles);
  });

  it('asks for few parts of Node, none of them for the network', () => {
    const external = [...loaded].flatMap((path) => outputs[path]?.imports ?? []).filter((each) => each.external);
    const names = new Set(external.map(({ path }) => path));
    expect([...names].filter((name) => !builtins.includes(name))).toEqual([]);
  });
});
