// @ts-check
import { posix } from 'node:path';

/**
 * Follows static imports: what is loaded with the entries of a build, before anything is used.
 *
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {readonly string[]} entries paths of outputs
 * @returns {ReadonlySet<string>} paths of outputs, the entries included
 */
export function loadedOutputs(outputs, entries) {
  const loaded = new Set(entries);
  for (const path of loaded) {
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind === 'import-statement' && !imported.external) loaded.add(posix.normalize(imported.path));
    }
  }
  return loaded;
}
