// @ts-check
import { resolve } from 'node:path';

/**
 * The packages of model providers check answers with `zod`, whose main module has its messages in every language: 280 kB.
 * No one sees these messages but in a log: English is enough.
 *
 * @returns {import('esbuild').Plugin}
 */
export function englishOnly() {
  return {
    name: 'english-only',
    setup(build) {
      build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
        /node_modules[\\/]zod[\\/]v4[\\/]/.test(importer)
          ? { path: resolve('node_modules/zod/v4/locales/en.js') }
          : undefined,
      );
    },
  };
}
