// @ts-check
import { posix } from 'node:path';
import * as esbuild from 'esbuild';

/** What a program needs that starts one server over stdio and calls its tools. */
const programs = {
  sdk2: `import { Client } from '@modelcontextprotocol/client';
    import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'; console.log(Client, StdioClientTransport);`,
  sdk1: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
    import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'; console.log(Client, StdioClientTransport);`,
  patchbay: `import { createHeadlessHost } from './src/headless.ts'; console.log(createHeadlessHost);`,
};

/** What Patchbay loads when a stdio server starts; the rest waits until it is used. */
const loadedAtStart = [/\/liveServer\.ts$/, /\/stdioTransports\.ts$/, /\/statelessSession\.ts$/];

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
  const { metafile } = await esbuild.build({
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
  const { outputs } = metafile;
  const entries = Object.entries(outputs).filter(
    ([path, { entryPoint }]) =>
      path === 'out/stdin.js' || loadedAtStart.some((pattern) => pattern.test(`/${entryPoint ?? ''}`)),
  );
  const loaded = new Set(entries.map(([path]) => path));
  for (const path of loaded) {
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind === 'import-statement' && !imported.external) loaded.add(posix.normalize(imported.path));
    }
  }
  return [...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}
