// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Worker a client in a process of its own
 * @property {number} pid
 * @property {(row: string) => Promise<number>} run rejects with the reason of the client, or when the process has ended
 * @property {() => void} stop
 * @property {() => Promise<string>} output what the client and its servers have printed, such as warnings
 */

/**
 * Starts the process of a client. What it prints goes to `.bench/NAME.log`, so that it does not break up the table.
 *
 * @param {import('./rows.mjs').ClientName} name
 * @param {string} url of the HTTP server
 * @param {string} [log] NAME, unless that of the client
 * @returns {Promise<Worker>}
 */
export async function startWorker(name, url, log = name) {
  const path = `.bench/${log}.log`;
  const file = await open(path, 'w');
  const worker = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), [name, url], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', file.fd, file.fd, 'ipc'],
  });
  await file.close();
  const output = () => readFile(path, 'utf8');
  /** @type {Promise<never>} */
  const ended = once(worker, 'exit').then(async ([code, signal]) => {
    throw new Error(`The process of ${name} has ended (${code ?? signal}):\n${(await output()).slice(-2_000)}`);
  });
  ended.catch(() => {});
  const answer = async () => (await Promise.race([once(worker, 'message'), ended]))[0];
  await answer();
  return {
    pid: Number(worker.pid),
    async run(row) {
      worker.send({ row });
      const { value, error } = await answer();
      if (error !== undefined) throw new Error(`${name}, ${row}: ${error} (${path} has its output.)`);
      return value;
    },
    stop: () => worker.disconnect(),
    output,
  };
}
