// @ts-check
import { readFile, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import * as esbuild from 'esbuild';
import { loadedOutputs } from '../../build/loadedOutputs.mjs';

/** Programs that start one server over stdio and call its tools. */
const programs = {
  sdk2: `import { Client } from '@modelcontextprotocol/client';
    import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'; console.log(Client, StdioClientTransport);`,
  sdk1: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
    import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'; console.log(Client, StdioClientTransport);`,
  patchbay: `import { createHeadlessHost } from './src/headless.ts'; console.log(createHeadlessHost);`,
};

/** Words in the code that Patchbay loads when a stdio server starts: a running server, the transport, and a session. */
const loadedAtStart = ['tools/call', 'SIGTERM', 'server/discover'];

/**
 * Bundles each client alone, minified.
 *
 * @returns {Promise<Record<string, number>>} bytes by client
 */
export async function measureCode() {
  const sizes = await Promise.all(Object.entries(programs).map(async ([name, code]) => [name, await measure(code)]));
  return Object.fromEntries(sizes);
}

/** @param {string} code */
async function measure(code) {
  const { metafile, outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: '.', loader: 'ts' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
    mainFields: ['module', 'main'],
  });
  const texts = outputFiles.map(({ path, text }) => ({ path: relative('.', path).replaceAll(sep, '/'), text }));
  const isPatchbay = code === programs.patchbay;
  const started = (isPatchbay ? loadedAtStart : []).flatMap((word) => {
    const found = texts.filter(({ text }) => text.includes(word));
    if (found.length === 0) throw new Error(`No code has "${word}": it does not show any more what a start loads.`);
    return found.map(({ path }) => path);
  });
  const { outputs } = metafile;
  const loaded = loadedOutputs(outputs, ['out/stdin.js', ...started]);
  return [...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}

/**
 * @typedef {object} Bundles sizes in bytes, as `npm run build` left them
 * @property {number} activation of all that is loaded when the extension activates
 * @property {readonly { path: string, bytes: number, isAtActivation: boolean }[]} files each by itself, the largest first
 */

/**
 * Measures the sizes of the files that VS Code loads of the extension.
 *
 * @returns {Promise<Bundles>}
 */
export async function measureBundles() {
  /** @type {import('esbuild').Metafile} */
  const { outputs } = JSON.parse(await readFile('dist/meta.json', 'utf8'));
  const main = 'dist/extension.js';
  const loaded = loadedOutputs(outputs, [main]);
  const paths = Object.keys(outputs).filter((path) => path === main || path.startsWith('dist/chunks/'));
  const files = await Promise.all(
    paths
      .filter((path) => path.endsWith('.js'))
      .map(async (path) => ({ path, bytes: (await stat(path)).size, isAtActivation: loaded.has(path) })),
  );
  const sum = files.reduce((bytes, file) => bytes + (file.isAtActivation ? file.bytes : 0), 0);
  return { activation: sum, files: files.toSorted((a, b) => b.bytes - a.bytes) };
}
