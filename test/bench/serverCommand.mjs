// @ts-check
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));

/**
 * How to run the benchmark's server.
 *
 * @param {number} tools how many it lists
 * @param {'stdio' | 'http'} [kind]
 */
export function serverCommand(tools, kind = 'stdio') {
  return { command: process.execPath, args: [server, kind, String(tools)] };
}
