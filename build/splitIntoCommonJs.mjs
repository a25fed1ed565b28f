// @ts-check
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as esbuild from 'esbuild';
import { loadedOutputs } from './loadedOutputs.mjs';

/**
 * @typedef {object} Split what esbuild made of the entry point; all paths as in the metafile
 * @property {esbuild.BuildOptions} options
 * @property {esbuild.Metafile} metafile
 * @property {ReadonlyMap<string, string>} texts
 * @property {string} entry
 * @property {ReadonlySet<string>} atActivation the entry and all it imports statically
 * @property {readonly string[]} shared those of them that other chunks import too
 */

/**
 * esbuild splits ES modules only, into a chunk for each set of entry points that share code, and no option makes it join
 * them. VS Code loads ES modules too, but waits for each file by itself: see "Speed" in src/README.md. So all that the
 * entry point imports statically is merged into one file. The other chunks take what they share with it from there: no
 * module runs twice. The output is CommonJS: `await import('./heavy.ts')` becomes a `require` that runs when it is reached.
 *
 * Wants one entry point, `format: 'esm'`, `splitting`, `metafile` and `write: false`: it writes, and sets the metafile right.
 *
 * @returns {esbuild.Plugin}
 */
export function splitIntoCommonJs() {
  return {
    name: 'split-into-commonjs',
    setup(build) {
      build.onEnd(async ({ outputFiles = [], metafile }) => {
        if (metafile === undefined || outputFiles.length === 0) return;
        const texts = new Map(outputFiles.map(({ path, text }) => [metafilePath(path), text]));
        const split = describeSplit(build.initialOptions, metafile, texts);
        const others = [...texts.keys()].filter((path) => !split.atActivation.has(path));
        const converted = await Promise.all([
          mergeActivation(split),
          ...others.map((path) => convertChunk(split, path)),
        ]);
        const files = converted.flat();
        correctMetafile(split, files);
        await writeOnly(files, chunksFolder(build.initialOptions));
      });
    },
  };
}

/** @param {esbuild.BuildOptions} options */
function chunksFolder({ outdir = '', chunkNames = '' }) {
  return join(outdir, dirname(chunkNames));
}

/** @param {string} path absolute, or seen from the working directory */
function metafilePath(path) {
  return relative('.', path).replaceAll(sep, '/');
}

/**
 * @param {esbuild.BuildOptions} options
 * @param {esbuild.Metafile} metafile
 * @param {ReadonlyMap<string, string>} texts
 * @returns {Split}
 */
function describeSplit(options, metafile, texts) {
  const outputs = Object.entries(metafile.outputs);
  const isEntry = (/** @type {string | undefined} */ path) => [options.entryPoints].flat().includes(path);
  const entry = outputs.find(([, { entryPoint }]) => isEntry(entryPoint))?.[0];
  if (entry === undefined) throw new Error('The metafile does not say where the entry point went.');
  const atActivation = loadedOutputs(metafile.outputs, [entry]);
  const wanted = outputs.flatMap(([path, { imports }]) => (atActivation.has(path) ? [] : imports));
  const shared = [...atActivation].filter((path) => wanted.some((each) => each.path === path));
  return { options, metafile, texts, entry, atActivation, shared };
}

/** @param {Split} split @returns {Promise<readonly esbuild.OutputFile[]>} */
async function mergeActivation(split) {
  const { options, texts, entry, atActivation } = split;
  const { outputFiles } = await esbuild.build({
    ...commonJs(options),
    stdin: { contents: `export * from './${entry}';\n${sharedExports(split)}`, resolveDir: '.' },
    outfile: entry,
    bundle: true,
    external: options.external ?? [],
    plugins: [readChunks(texts, entry, atActivation)],
  });
  return outputFiles.map(requireOnce);
}

/**
 * What other chunks take from the merged file: a function for each chunk in it, which makes the object with its exports.
 * Objects that are there from the start, as of `export * as`, are two fifths of the time in which the file is evaluated.
 *
 * @param {Split} split
 */
function sharedExports({ metafile, shared }) {
  const imports = [];
  const objects = [];
  for (const [index, path] of shared.entries()) {
    const names = (metafile.outputs[path]?.exports ?? []).map((name) => ({ name, local: `shared${index}${name}` }));
    imports.push(`import { ${names.map(({ name, local }) => `${name} as ${local}`).join(', ')} } from './${path}';`);
    objects.push(`() => ({ ${names.map(({ name, local }) => `get ${name}() { return ${local}; }`).join(', ')} })`);
  }
  return `${imports.join('\n')}\nexport const shared = [${objects.join(', ')}];`;
}

/**
 * Hands esbuild the chunks that are to be merged; the others stay where they are.
 *
 * @param {ReadonlyMap<string, string>} texts
 * @param {string} entry
 * @param {ReadonlySet<string>} merged
 * @returns {esbuild.Plugin}
 */
function readChunks(texts, entry, merged) {
  return {
    name: 'read-chunks',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const chunk = resolve(resolveDir, path);
        return merged.has(metafilePath(chunk))
          ? { path: chunk }
          : { path: `./${relative(dirname(entry), chunk).replaceAll(sep, '/')}`, external: true };
      });
      build.onLoad({ filter: /./ }, ({ path }) => ({ contents: texts.get(metafilePath(path)) ?? '', loader: 'js' }));
    },
  };
}

/** @param {Split} split @param {string} path @returns {Promise<readonly esbuild.OutputFile[]>} */
async function convertChunk({ options, metafile, texts, entry, shared }, path) {
  const { outputFiles } = await esbuild.build({
    ...commonJs(options),
    stdin: { contents: texts.get(path) ?? '', sourcefile: path, resolveDir: dirname(path) },
    outfile: path,
    footer: { js: wrapsCommonJs(metafile, path) ? 'module.exports = module.exports.default;' : '' },
  });
  const seen = (/** @type {string} */ target) => {
    const from = relative(dirname(path), target).replaceAll(sep, '/');
    return from.startsWith('.') ? from : `./${from}`;
  };
  return outputFiles.map((file) => {
    if (file.path.endsWith('.map')) return file;
    const code = shared.reduce(
      (text, chunk, index) =>
        text.replaceAll(`require("${seen(chunk)}")`, `require("${seen(entry)}").shared[${index}]()`),
      requireOnce(file).text,
    );
    return { ...file, contents: Buffer.from(code) };
  });
}

/**
 * esbuild leaves a `require` for each module that was merged. Each `require('vscode')` takes 0.1 ms: VS Code looks up the real
 * path of the file, to know which extension asks.
 *
 * @param {esbuild.OutputFile} file
 * @returns {esbuild.OutputFile}
 */
function requireOnce(file) {
  const call = 'require("vscode")';
  const [before = '', ...others] = file.text.split(call);
  const [name] = /[\w$]+(?= ?= ?$)/.exec(before) ?? [];
  if (name === undefined || others.length < 2) return file;
  const text = `${before}${call}${others.join(name)}`;
  return { ...file, text, contents: Buffer.from(text) };
}

/**
 * True for a chunk that exists because a CommonJS module is imported dynamically. Its exports cannot be known before
 * it runs, so esbuild gives the chunk one export only, the default: it becomes all of it again.
 *
 * @param {esbuild.Metafile} metafile
 * @param {string} path
 */
function wrapsCommonJs({ outputs, inputs }, path) {
  const entryPoint = outputs[path]?.entryPoint;
  return entryPoint !== undefined && inputs[entryPoint]?.format === 'cjs';
}

/** How an ES module with its source map inline, or none, is converted. @param {esbuild.BuildOptions} options */
function commonJs({ platform, target, minify, sourcemap }) {
  return /** @satisfies {esbuild.BuildOptions} */ ({
    platform: platform ?? 'node',
    target: target ?? 'node20',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    minify: minify ?? false,
    sourcemap: sourcemap ? 'linked' : false,
    legalComments: 'none',
    // V8 keeps a file with one character outside of Latin-1 with two bytes for each character.
    charset: 'ascii',
    logLevel: 'warning',
    // The text comes from a file of the same name, in memory only.
    allowOverwrite: true,
    write: false,
  });
}

/** Makes the metafile tell of the files as they are written. @param {Split} split @param {readonly esbuild.OutputFile[]} files */
function correctMetafile({ metafile, entry, atActivation }, files) {
  const { outputs } = metafile;
  const merged = [...atActivation].flatMap((path) => outputs[path] ?? []);
  for (const path of atActivation) if (path !== entry) delete outputs[path];
  Object.assign(outputs[entry] ?? {}, {
    inputs: Object.assign({}, ...merged.map(({ inputs }) => inputs)),
    imports: merged.flatMap(({ imports }) => imports.filter(({ path }) => !atActivation.has(path))),
  });
  for (const { imports } of Object.values(outputs)) {
    for (const each of imports) if (atActivation.has(each.path)) each.path = entry;
  }
  for (const { path, contents } of files) {
    const output = outputs[metafilePath(path)];
    if (output !== undefined) output.bytes = contents.length;
  }
}

/**
 * Chunks have a hash in their names, so those of earlier builds would pile up.
 *
 * @param {readonly esbuild.OutputFile[]} files
 * @param {string} folder of chunks: files in it that are not among `files` are removed
 */
async function writeOnly(files, folder) {
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(({ path, contents }) => writeFile(path, contents)));
  const kept = new Set(files.map(({ path }) => resolve(path)));
  const stale = (await readdir(folder)).map((name) => resolve(folder, name)).filter((path) => !kept.has(path));
  await Promise.all(stale.map((path) => rm(path)));
}
