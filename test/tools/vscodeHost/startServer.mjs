// @ts-check
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { commandLineOf, descendants } from './processTree.mjs';

const guard = fileURLToPath(new URL('./guard.mjs', import.meta.url));
const startTimeoutMs = 60_000;

/**
 * @typedef {object} ServerOptions
 * @property {string} folder a folder for this server alone: its data and its log; removed when the server ends
 * @property {string} [userDataDir] where `User/settings.json` is; in `folder` unless given
 * @property {string} [extensionsDir] installed extensions; in `folder` unless given
 * @property {number} [port] a free one unless given
 * @property {NodeJS.ProcessEnv} [env] added to this process' environment; the extension host inherits it
 * @property {boolean} [workspaceTrust] whether VS Code asks to trust folders; otherwise every folder is trusted
 * @property {boolean} [smokeTestDriver] whether the page reports test output and takes an extension under development
 * @property {string} [defaultFolder] what the bare address opens
 */

/**
 * A running VS Code server.
 * @typedef {object} RunningServer
 * @property {string} authority `127.0.0.1:PORT`
 * @property {Promise<void>} ended resolves when the server has ended, for any reason
 * @property {() => string} recentOutput the last lines it printed
 * @property {() => boolean} hasExtensionHost whether one of its windows still has an extension host, which ends after the window
 * @property {() => Promise<void>} stop ends it and every process it started, and removes its folder
 */

/**
 * Starts a VS Code server on the loopback interface. It ends when this process ends, in any way.
 * @param {import('./installServer.mjs').InstalledServer} installed
 * @param {ServerOptions} options
 * @returns {Promise<RunningServer>} resolves when it answers
 * @throws when it does not get ready within a minute; the message holds what it printed
 */
export async function startServer(installed, options) {
  await mkdir(options.folder, { recursive: true });
  const foldersToRemove = JSON.stringify([options.folder]);
  const child = spawn(
    process.execPath,
    [guard, foldersToRemove, installed.node, installed.main, ...serverArguments(options)],
    { env: serverEnvironment(options.env), stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  const output = collectOutput(child, join(options.folder, 'server.log'));
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.on('close', () => resolve()));
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  const hasExtensionHost = () =>
    descendants(child.pid ?? 0).some((pid) => commandLineOf(pid).includes('--type=extensionHost'));
  // The guard may be gone already when its input is closed.
  child.stdin.on('error', () => undefined);
  try {
    const port = await readyPort(output, ended);
    return { authority: `127.0.0.1:${port}`, ended, recentOutput: output.recent, hasExtensionHost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {ServerOptions} options
 * @returns {string[]}
 */
function serverArguments(options) {
  const dataDir = join(options.folder, 'data');
  return [
    '--without-connection-token',
    '--accept-server-license-terms',
    '--host=127.0.0.1',
    `--port=${options.port ?? 0}`,
    `--server-data-dir=${dataDir}`,
    `--user-data-dir=${options.userDataDir ?? join(dataDir, 'data')}`,
    `--extensions-dir=${options.extensionsDir ?? join(options.folder, 'extensions')}`,
    '--telemetry-level=off',
    '--disable-getting-started-override',
    '--force-disable-user-env',
    ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
    ...(options.smokeTestDriver === true ? ['--enable-smoke-test-driver'] : []),
    ...(options.defaultFolder === undefined ? [] : [`--default-folder=${options.defaultFolder}`]),
  ];
}

/**
 * A server started from a terminal of VS Code must not inherit the variables of that window.
 * @param {NodeJS.ProcessEnv | undefined} added
 * @returns {NodeJS.ProcessEnv}
 */
function serverEnvironment(added) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VSCODE_') && name !== 'ELECTRON_RUN_AS_NODE' && name !== 'NODE_OPTIONS',
  );
  return { ...Object.fromEntries(inherited), ...added };
}

/**
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {string} logFile
 */
function collectOutput(child, logFile) {
  const log = createWriteStream(logFile);
  // The folder may be removed while the last lines are written.
  log.on('error', () => undefined);
  /** @type {string[]} */
  const lines = [];
  /** @type {((line: string) => void)[]} */
  const listeners = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      lines.push(line);
      if (lines.length > 200) lines.shift();
      for (const listener of listeners) listener(line);
    });
  }
  return {
    recent: () => lines.join('\n'),
    /** @param {(line: string) => void} listener */
    onLine: (listener) => void listeners.push(listener),
  };
}

/**
 * @param {ReturnType<typeof collectOutput>} output
 * @param {Promise<void>} ended
 * @returns {Promise<number>} the port the server listens on
 */
function readyPort(output, ended) {
  return new Promise((resolve, reject) => {
    /** @param {string} what */
    const fail = (what) => reject(new Error(`The VS Code server ${what}. It printed:\n${output.recent()}`));
    const timer = setTimeout(() => fail('did not get ready within a minute'), startTimeoutMs);
    void ended.then(() => fail('ended while it was starting'));
    output.onLine((line) => {
      const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    void ended.then(() => clearTimeout(timer));
  });
}
