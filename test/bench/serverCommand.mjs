// @ts-check
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));

/** For clients that close the connection at a message of more than 10 MB by default. */
export const maximumMessageBytes = 128 * 1024 * 1024;

/**
 * How to run the benchmark's server.
 *
 * @param {number} tools how many it lists
 * @param {'stdio' | 'http'} [kind]
 * @param {number} [prompts]
 */
export function serverCommand(tools, kind = 'stdio', prompts = 0) {
  return { command: process.execPath, args: [server, kind, String(tools), String(prompts)] };
}
