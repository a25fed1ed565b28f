import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionBundle } from '../../build/extensionBundle.mjs';
import { loadedOutputs } from '../../build/loadedOutputs.mjs';

/**
 * Minified bytes of each layer that may be loaded before anything is used; of a layer that is not named, none. The size of
 * the whole is checked when the extension is packaged.
 */
const maximumBytes: Readonly<Record<string, number>> = {
  // The life of a server and what is remembered of it. The connection is loaded with the first start.
  client: 24_000,
  // Readers of what is remembered, and the names of errors and revisions.
  protocol: 4_000,
  // The choice of a transport, not the transports.
  transport: 1_000,
  // Long integers are compared by their digits; rows say what a server wrote before its end.
  base: 19_500,
  // The names of secrets, not the search for them.
  secrets: 2_500,
  // Files of other clients are read with their own names, and each fault is said, with its fix.
  config: 42_000,
  host: 150_000,
  'extension.ts': 1_000,
};

/** Packages that may be loaded before anything is used: configuration files are read at once. */
const packages = ['jsonc-parser'];

/** What must not be loaded before it is used, each with a word that its code cannot do without. */
const late = [
  ['the handshake', 'notifications/initialized'],
  ['the calls of tools', 'tools/call'],
  ['the lists of a server', 'tools/list'],
  ['the reading of resources', 'resources/read'],
  ['the running of prompts', 'prompts/get'],
  ['the completion of arguments', 'completion/complete'],
  ['the requests of servers', 'sampling/createMessage'],
  ['the transport over HTTP', 'mcp-session-id'],
  ['the transport over stdio', 'SIGTERM'],
  ['signing in', 'code_challenge'],
  ['language models', 'selectChatModels'],
  ['panels', 'createWebviewPanel'],
  ['questions in several steps', 'createQuickPick'],
  ['questions for arguments', 'createInputBox'],
  ['code lenses', 'registerCodeLensProvider'],
  ['diagnostics', 'createDiagnosticCollection'],
  ['quick fixes', 'registerCodeActionsProvider'],
  ['the import from other clients', 'claude_desktop_config'],
] as const;

const builtins = [
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:os',
  'node:path',
  'node:url',
  'vscode',
];

/** Replaces `vscode`: has every property, and notes the calls that tests ask for. */
const stub = `
  const calls = [];
  const noted = ['getConfiguration', 'createOutputChannel', 'registerCommand', 'createTreeView'];
  const note = (key) => () => {
    calls.push(key);
    return anything;
  };
  const own = {
    [Symbol.toPrimitive]: () => '',
    dispose() {},
    calls: () => calls.splice(0),
    ...Object.fromEntries(noted.map((key) => [key, note(key)])),
  };
  const anything = new Proxy(function () {}, {
    get: (_, key) => own[key] ?? anything,
    apply: () => anything,
    construct: () => anything,
  });
  module.exports = anything;
`;

describe('activation', () => {
  const main = 'dist/extension.js';
  let folder: string;
  let outputs: Metafile['outputs'];
  /** Paths of the files that are loaded with the main one. */
  let loaded: ReadonlySet<string>;

  beforeAll(async () => {
    // On Windows on the drive of the sources: the paths of the bundle lead from one to the other.
    const parent = process.platform === 'win32' ? '.vscode-test' : tmpdir();
    await mkdir(parent, { recursive: true });
    folder = await realpath(await mkdtemp(join(parent, 'patchbay-')));
    const outdir = join(folder, 'dist');
    const { metafile } = await build({ ...extensionBundle({ isProduction: true, outdir }), logLevel: 'silent' });
    outputs = Object.fromEntries(
      Object.entries(metafile.outputs).map(([path, output]) => [relative(folder, path).replaceAll(sep, '/'), output]),
    );
    loaded = loadedOutputs(outputs, [main]);
    await mkdir(join(folder, 'node_modules'));
    await writeFile(join(folder, 'node_modules', 'vscode.js'), stub);
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('loads little of each layer, and one package', () => {
    const inputs = [...loaded].flatMap((path) => Object.entries(outputs[path]?.inputs ?? {}));
    const packageNames = new Set<string>();
    const bytes = new Map<string, number>();
    for (const [path, { bytesInOutput }] of inputs) {
      if (bytesInOutput === 0) continue;
      const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      const layer = /^src\/([^/]+)/.exec(path)?.[1] ?? path;
      if (packageName === undefined) bytes.set(layer, (bytes.get(layer) ?? 0) + bytesInOutput);
      else packageNames.add(packageName);
    }
    expect([...packageNames]).toEqual(packages);
    expect([...bytes].filter(([layer, size]) => size > (maximumBytes[layer] ?? 0))).toEqual([]);
    expect(bytes.get('host')).toBeGreaterThan(0);
  });

  it('loads ASCII, which takes half the memory: a pattern must be written so', async () => {
    const texts = await Promise.all([...loaded].map((path) => readFile(join(folder, path), 'utf8')));
    expect(texts.flatMap((text) => text.match(/.{0,20}[^\0-\u007f]/g) ?? [])).toEqual([]);
  });

  it.each(late)('does not load %s', async (_what, word) => {
    const holding = await Promise.all(
      Object.keys(outputs)
        .filter((path) => path.endsWith('js'))
        .map(async (path) => ((await readFile(join(folder, path), 'utf8')).includes(word) ? [path] : [])),
    );
    // The word is still the right one.
    expect(holding.flat()).not.toEqual([]);
    expect(holding.flat().filter((path) => loaded.has(path))).toEqual([]);
  });

  it('loads one file, as each costs time by itself', () => {
    const require = createRequire(join(folder, 'main.js'));
    expect(require(join(folder, main))).toHaveProperty('activate', expect.any(Function));
    const cached = Object.keys(require.cache).filter((path) => path.startsWith(join(folder, 'dist')));
    expect(cached).toEqual([join(folder, main)]);
  });

  it('asks for the configuration first, and makes the views in a turn of their own', async () => {
    const require = createRequire(join(folder, 'main.js'));
    const vscode = require('vscode') as { readonly calls: () => readonly string[] };
    const { activate } = require(join(folder, main)) as { readonly activate: (context: unknown) => Promise<unknown> };
    const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    void activate(vscode);
    expect(new Set(vscode.calls())).toEqual(new Set(['getConfiguration']));
    await nextTurn();
    const core = vscode.calls();
    expect(core).toContain('createOutputChannel');
    expect(core).not.toContain('registerCommand');
    await nextTurn();
    const calls = vscode.calls();
    expect(calls).toContain('createTreeView');
    expect(calls.filter((call) => call === 'registerCommand').length).toBeGreaterThan(50);
  });

  it('asks VS Code for its API once in each file', async () => {
    const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'));
    const texts = await Promise.all(scripts.map((path) => readFile(join(folder, path), 'utf8')));
    const counts = texts.map((text) => text.split('require("vscode")').length - 1);
    expect(Math.max(...counts)).toBe(1);
  });

  it('looks up no class of Unicode characters, which V8 does for each literal that has one', async () => {
    const code = await readFile(join(folder, main), 'utf8');
    expect(code).toContain(String.raw`\\p{`);
    // The text of a pattern has two backslashes, a literal one.
    expect(code.match(/(?<!\\)\\p\{.{0,30}/g)).toBeNull();
  });

  it('asks for few parts of Node, none of them for the network', () => {
    const external = outputs[main]?.imports.filter((each) => each.external) ?? [];
    const names = new Set(external.map(({ path }) => path));
    expect([...names].filter((name) => !builtins.includes(name))).toEqual([]);
  });
});
