// @ts-check
// Builds everything that runs: the extension, the headless host, the demo server, the panels, the bundles of the tests.
//
//   node esbuild.mjs                  development: readable, with source maps
//   node esbuild.mjs --production     what ships: minified, with the notices of what is bundled
//   node esbuild.mjs --test           the in-host tests, their companion extension, the conformance client (dist/test)
//   node esbuild.mjs --watch          development, again after each change
//
// dist/meta.json says what is in each output and why.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const isProduction = process.argv.includes('--production');
const isTest = process.argv.includes('--test');
const isWatch = process.argv.includes('--watch');

/** Node as in the oldest VS Code supported (1.100). */
const nodeTarget = 'node20';
const chunksFolder = 'dist/chunks';

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
const extension = {
  ...node,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  chunkNames: `${basename(chunksFolder)}/[name]-[hash]`,
  external: ['vscode'],
  write: false,
  // Inline, so that the conversion to CommonJS sees the map and carries it on.
  sourcemap: isProduction ? false : 'inline',
  plugins: [readJsonOnly(), convertToCommonJs()],
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
};

/** @type {esbuild.BuildOptions} */
const demoServer = {
  ...node,
  entryPoints: { demoServer: 'src/demo/main.ts' },
  outdir: 'dist',
  format: 'cjs',
};

/** @type {esbuild.BuildOptions} */
const panels = {
  ...common,
  entryPoints: {
    consent: 'src/webview/consent/main.ts',
    elicitation: 'src/webview/elicitation/main.ts',
    result: 'src/webview/result/main.ts',
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
const benchCore = { ...headless, entryPoints: ['test/bench/core.ts'], outfile: 'dist/test/benchCore.mjs' };

/** Drives VS Code with the tools that the UI tests drive it with. @type {esbuild.BuildOptions} */
const benchEditor = {
  ...node,
  entryPoints: ['test/bench/editor/measureEditor.ts'],
  outfile: 'dist/test/benchEditor.mjs',
  format: 'esm',
  external: ['playwright-core'],
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

/** Uses the headless host as it is built, like any other program. @type {esbuild.BuildOptions} */
const conformanceClient = {
  ...node,
  entryPoints: { conformanceClient: 'test/conformance/client/main.ts' },
  outdir: 'dist/test',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  plugins: [keepOutside(/\/src\/headless\.ts$/, '..')],
};

/**
 * Leaves modules that others import where they are.
 *
 * @param {RegExp} filter
 * @param {string} folder where they are, as seen from the bundle
 * @returns {esbuild.Plugin}
 */
function keepOutside(filter, folder) {
  return {
    name: 'keep-outside',
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({
        path: `${folder}/${basename(path).replace(/\.ts$/, '.mjs')}`,
        external: true,
      }));
    },
  };
}

/**
 * esbuild splits ES modules only, and the extension host of VS Code 1.100 loads CommonJS only: so each chunk is
 * converted by itself, and `await import('./heavy.ts')` becomes a `require` that runs when it is reached.
 *
 * @returns {esbuild.Plugin}
 */
function convertToCommonJs() {
  return {
    name: 'convert-to-commonjs',
    setup(build) {
      build.onEnd(async ({ outputFiles = [], metafile }) => {
        if (metafile === undefined || outputFiles.length === 0) return;
        await mkdir(chunksFolder, { recursive: true });
        await Promise.all(
          outputFiles.map(({ path, text }) => writeAsCommonJs(path, text, wrapsCommonJs(metafile, path))),
        );
        await removeOthers(chunksFolder, new Set(outputFiles.map(({ path }) => basename(path))));
      });
    },
  };
}

/**
 * Activation reads configuration and never writes it: there, the parser is all of `jsonc-parser` that is loaded.
 *
 * @returns {esbuild.Plugin}
 */
function readJsonOnly() {
  return {
    name: 'read-json-only',
    setup(build) {
      build.onResolve({ filter: /^jsonc-parser$/ }, ({ importer }) =>
        basename(importer) === 'jsonDocument.ts'
          ? { path: join(process.cwd(), 'node_modules/jsonc-parser/lib/esm/impl/parser.js') }
          : undefined,
      );
    },
  };
}

/**
 * True for a chunk that exists because a CommonJS module is imported dynamically. Its exports cannot be known before
 * it runs, so esbuild gives the chunk one export only, the default.
 *
 * @param {esbuild.Metafile} metafile
 * @param {string} path
 */
function wrapsCommonJs(metafile, path) {
  const entryPoint = metafile.outputs[relative('.', path).replaceAll(sep, '/')]?.entryPoint;
  return entryPoint !== undefined && metafile.inputs[entryPoint]?.format === 'cjs';
}

/**
 * @param {string} path
 * @param {string} source an ES module, with its source map inline or none
 * @param {boolean} wrapsCommonJsModule its default export is what a CommonJS module exports, and becomes all of it again
 */
async function writeAsCommonJs(path, source, wrapsCommonJsModule) {
  const { code, map } = await esbuild.transform(shortenExports(source), {
    format: 'cjs',
    platform: 'node',
    target: nodeTarget,
    supported: { 'dynamic-import': false },
    minify: isProduction,
    sourcemap: isProduction ? false : 'external',
    sourcefile: path,
    footer: wrapsCommonJsModule ? 'module.exports = module.exports.default;' : '',
  });
  if (map === '') {
    await writeFile(path, code);
    return;
  }
  await writeFile(`${path}.map`, map);
  await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
}

/**
 * Writes the exports of an ES module as CommonJS ones, which stay as alive as they were. esbuild would do the same with
 * half a kilobyte of helpers in each of the many small chunks, and activation reads them all.
 *
 * @param {string} source as esbuild writes it, with one `export {…}` at its end; anything else is left to esbuild
 */
function shortenExports(source) {
  return source.replace(/\bexport ?\{([^{}]*)\};?(?=\s*(?:\/\/# .*\s*)?$)/, (_, list) => {
    const getters = list
      .split(',')
      .map((/** @type {string} */ entry) => entry.trim().split(/\s+as\s+/))
      .map((/** @type {string[]} */ [local, exported = local]) => `${exported}:{get:()=>${local},enumerable:true}`);
    return `Object.defineProperties(exports,{${getters.join(',')}});`;
  });
}

/**
 * Chunks have a hash in their names, so those of earlier builds would pile up.
 *
 * @param {string} folder
 * @param {ReadonlySet<string>} kept names of the files to keep, without `.map`
 */
async function removeOthers(folder, kept) {
  const stale = (await readdir(folder)).filter((name) => !kept.has(name.replace(/\.map$/, '')));
  await Promise.all(stale.map((name) => rm(join(folder, name))));
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
    if ((await buildAll([hostTests, companion, benchCore, benchEditor, conformanceClient])) === undefined)
      process.exitCode = 1;
    else await copyFile('test/ui/companion/package.json', 'dist/test/companion/package.json');
    return;
  }
  const bundles = [extension, headless, demoServer, panels];
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
