// @ts-check
// Builds everything that runs: the extension, the headless host, the command line, the demo server, the panels, the bundles of the tests.
//
//   node esbuild.mjs                  development: readable, with source maps
//   node esbuild.mjs --production     what ships: minified, with the notices of what is bundled
//   node esbuild.mjs --test           the in-host tests, their companion extension, the conformance client (dist/test)
//   node esbuild.mjs --watch          development, again after each change
//
// dist/meta.json says what is in each output and why.
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { englishOnly } from './build/englishOnly.mjs';
import { extensionBundle, nodeTarget } from './build/extensionBundle.mjs';

const isProduction = process.argv.includes('--production');
const isTest = process.argv.includes('--test');
const isWatch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  metafile: true,
  legalComments: 'none',
  logLevel: 'info',
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  target: nodeTarget,
  // The CommonJS form of jsonc-parser cannot be bundled; the ES module beside it can.
  mainFields: ['module', 'main'],
};

/** @type {esbuild.BuildOptions} */
const headless = {
  ...node,
  entryPoints: ['src/headless.ts'],
  outfile: 'dist/headless.mjs',
  format: 'esm',
  // CommonJS packages inside an ES module still ask for Node's built-ins through `require`.
  banner: {
    js: "import { createRequire as createNodeRequire } from 'node:module'; const require = createNodeRequire(import.meta.url);",
  },
  plugins: [keepOutside(/\/models\/httpModelGateway\.ts$/, '.', 'headlessModels')],
};

/** `patchbay` on the command line: it has the headless host inside. @type {esbuild.BuildOptions} */
const commandLine = {
  ...headless,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/patchbay.mjs',
};

/**
 * What `dist/headless.mjs` loads with the first use of a model: the rest of it is loaded as one file, and no larger for it.
 *
 * @type {esbuild.BuildOptions}
 */
const headlessModels = {
  ...node,
  entryPoints: { headlessModels: 'src/models/httpModelGateway.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'headlessModels/[name]-[hash]',
  splitting: true,
  format: 'esm',
  plugins: [englishOnly()],
};

/** @type {esbuild.BuildOptions} */
const demoServer = {
  ...node,
  entryPoints: { demoServer: 'src/demo/main.ts' },
  outdir: 'dist',
  format: 'cjs',
};

/** Where schemas and patterns of servers run: started by the extension and by the headless host. @type {esbuild.BuildOptions} */
const schemaChecker = {
  ...node,
  entryPoints: { schemaChecker: 'src/checker/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
};

/** @type {esbuild.BuildOptions} */
const panels = {
  ...common,
  entryPoints: {
    app: 'src/webview/app/main.ts',
    appFrame: 'src/webview/app/appFrame.ts',
    audit: 'src/webview/audit/main.ts',
    calls: 'src/webview/calls/main.ts',
    consent: 'src/webview/consent/main.ts',
    elicitation: 'src/webview/elicitation/main.ts',
    facts: 'src/webview/facts/main.ts',
    result: 'src/webview/result/main.ts',
    startReview: 'src/webview/startReview/main.ts',
    tool: 'src/webview/tool/main.ts',
    traffic: 'src/webview/traffic/main.ts',
    codicon: 'node_modules/@vscode/codicons/dist/codicon.css',
  },
  outdir: 'dist/webview',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

/** @type {esbuild.BuildOptions} */
const hostTests = {
  ...node,
  entryPoints: { host: 'test/host/index.ts' },
  outdir: 'dist/test',
  format: 'cjs',
  external: ['vscode', 'mocha'],
};

/** @type {esbuild.BuildOptions} */
const benchCore = { ...headless, entryPoints: ['test/bench/core.ts'], outfile: 'dist/test/benchCore.mjs', plugins: [] };

/** @type {esbuild.BuildOptions} */
const attackCore = {
  ...headless,
  entryPoints: ['test/bench/attacks/core.ts'],
  outfile: 'dist/test/attackCore.mjs',
  plugins: [],
};

/** Drives VS Code with the tools that the UI tests drive it with. @type {esbuild.BuildOptions} */
const benchEditor = {
  ...node,
  entryPoints: ['test/bench/editor/measureEditor.ts'],
  outfile: 'dist/test/benchEditor.mjs',
  format: 'esm',
  external: ['playwright-core', 'esbuild'],
  plugins: [keepOutside(/\/tools\/vscodeHost\//, '../../test/tools/vscodeHost')],
};

/** @type {esbuild.BuildOptions} */
const companion = {
  ...node,
  entryPoints: ['test/ui/companion/extension.ts'],
  outdir: 'dist/test/companion',
  format: 'cjs',
  external: ['vscode'],
};

/** The floor of lists in the benchmark. @type {esbuild.BuildOptions} */
const readyLists = {
  ...companion,
  entryPoints: ['test/bench/editor/readyLists/extension.ts'],
  outdir: 'dist/test/readyLists',
};

/** Uses the headless host as it is built, like any other program. @type {esbuild.BuildOptions} */
const conformanceClient = {
  ...node,
  entryPoints: { conformanceClient: 'test/conformance/client/main.ts' },
  outdir: 'dist/test',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  plugins: [keepOutside(/\/src\/headless\.ts$/, '..')],
};

/** Tries the forms of real tools. @type {esbuild.BuildOptions} */
const formCorpus = {
  ...node,
  entryPoints: { formCorpus: 'test/formCorpus/main.ts' },
  outdir: 'dist/test',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  banner: headless.banner ?? {},
};

/** @type {esbuild.BuildOptions} */
const fuzzer = {
  ...node,
  minify: false,
  sourcemap: 'linked',
  entryPoints: { fuzz: 'test/fuzz/main.ts', fuzzWorker: 'test/fuzz/worker.ts' },
  outdir: 'dist/test',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  banner: headless.banner ?? {},
  external: ['fast-check', 'markdown-it'],
  plugins: [keepOutside(/\/src\/headless\.ts$/, '..')],
};

/**
 * Leaves modules that others import where they are.
 *
 * @param {RegExp} filter
 * @param {string} folder where they are, as seen from the bundle
 * @param {string} [name] of the file there, without `.mjs`; absent: that of the module
 * @returns {esbuild.Plugin}
 */
function keepOutside(filter, folder, name) {
  return {
    name: 'keep-outside',
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({
        path: `${folder}/${name ?? parse(path).name}.mjs`,
        external: true,
      }));
    },
  };
}

/** Tells an editor's problem matcher when a round of builds begins and ends. @returns {esbuild.Plugin} */
function createRoundReporter() {
  let running = 0;
  return {
    name: 'round-reporter',
    setup(build) {
      build.onStart(() => {
        if (running === 0) console.log('[watch] build started');
        running += 1;
      });
      build.onEnd(() => {
        running -= 1;
        if (running === 0) console.log('[watch] build finished');
      });
    },
  };
}

/** @param {readonly esbuild.BuildOptions[]} bundles */
async function watch(bundles) {
  const reporter = createRoundReporter();
  for (const options of bundles) {
    const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), reporter] });
    await context.watch();
  }
}

/**
 * Builds all, even when one fails, so that every error is seen at once.
 *
 * @param {readonly esbuild.BuildOptions[]} bundles
 * @returns {Promise<readonly esbuild.Metafile[] | undefined>} nothing when one failed; esbuild has printed why
 */
async function buildAll(bundles) {
  const outcomes = await Promise.allSettled(bundles.map((options) => esbuild.build(options)));
  const metafiles = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' && outcome.value.metafile !== undefined ? [outcome.value.metafile] : [],
  );
  return metafiles.length === bundles.length ? metafiles : undefined;
}

/** @param {readonly esbuild.Metafile[]} metafiles */
async function writeMetafile(metafiles) {
  const merged = {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
  await writeFile('dist/meta.json', JSON.stringify(merged));
}

/**
 * The licences of the packages inside the bundles ask for their text to travel along.
 *
 * @param {readonly esbuild.Metafile[]} metafiles
 */
async function writeNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const notices = await Promise.all([...folders].toSorted().map(readNotice));
  await writeFile('dist/thirdPartyNotices.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** @param {string} folder of a package */
async function readNotice(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice)/i.test(name)).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return [`${manifest.name} ${manifest.version} (${manifest.license})`, ...texts].join('\n\n');
}

async function main() {
  if (isTest) {
    const extensions = [companion, readyLists];
    const benches = [benchCore, attackCore, benchEditor];
    if ((await buildAll([hostTests, ...extensions, ...benches, conformanceClient, formCorpus, fuzzer])) === undefined) {
      process.exitCode = 1;
      return;
    }
    await copyFile('test/ui/companion/package.json', 'dist/test/companion/package.json');
    await copyFile('test/bench/editor/readyLists/package.json', 'dist/test/readyLists/package.json');
    return;
  }
  const bundles = [
    extensionBundle({ isProduction }),
    headless,
    headlessModels,
    commandLine,
    demoServer,
    schemaChecker,
    panels,
  ];
  // Its files have other names after each change.
  await rm('dist/headlessModels', { recursive: true, force: true });
  if (isWatch) {
    await watch(bundles);
    return;
  }
  const metafiles = await buildAll(bundles);
  if (metafiles === undefined) {
    process.exitCode = 1;
    return;
  }
  await writeMetafile(metafiles);
  if (isProduction) await writeNotices(metafiles);
}

process.chdir(dirname(fileURLToPath(import.meta.url)));
await main();
