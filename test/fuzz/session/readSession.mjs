// @ts-check
import { readFileSync } from 'node:fs';

/**
 * Reads a recorded session: a line for each message, `>` for the client's, `<` for the server's.
 *
 * @param {string} path
 * @returns {import('./session.d.ts').Session}
 */
export function readSession(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      direction: line.startsWith('>') ? /** @type {const} */ ('client') : /** @type {const} */ ('server'),
      message: JSON.parse(line.slice(1)),
    }));
}
