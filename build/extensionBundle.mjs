// @ts-check
import { basename, resolve } from 'node:path';
import { englishOnly } from './englishOnly.mjs';
import { splitIntoCommonJs } from './splitIntoCommonJs.mjs';

/** Node as in the oldest VS Code supported (1.100). */
export const nodeTarget = 'node20';

/**
 * How the extension is built: `dist/extension.js` is loaded at activation, what is in `dist/chunks` when it is used.
 *
 * @param {{ readonly isProduction: boolean, readonly outdir?: string }} options
 * @returns {import('esbuild').BuildOptions & { metafile: true }}
 */
export function extensionBundle({ isProduction, outdir = 'dist' }) {
  return {
    entryPoints: ['src/extension.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: nodeTarget,
    mainFields: ['module', 'main'],
    external: ['vscode'],
    minify: isProduction,
    // Inline, so that the conversion to CommonJS sees the map and carries it on.
    sourcemap: isProduction ? false : 'inline',
    metafile: true,
    write: false,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'info',
    plugins: [readJsonOnly(), englishOnly(), splitIntoCommonJs()],
  };
}

/** The part of `jsonc-parser` that a module needs, by file name. */
const partsOfJsoncParser = new Map([
  ['jsonDocument.ts', 'parser.js'],
  ['jsonLimits.ts', 'scanner.js'],
]);

/**
 * Activation reads configuration and never writes it, so it loads only the parser and the scanner of `jsonc-parser`. Its main
 * module would add its editor and formatter, 8.5 kB, to what activation loads.
 *
 * @returns {import('esbuild').Plugin}
 */
function readJsonOnly() {
  return {
    name: 'read-json-only',
    setup(build) {
      build.onResolve({ filter: /^jsonc-parser$/ }, ({ importer }) => {
        const part = partsOfJsoncParser.get(basename(importer));
        return part === undefined ? undefined : { path: resolve('node_modules/jsonc-parser/lib/esm/impl', part) };
      });
    },
  };
}
