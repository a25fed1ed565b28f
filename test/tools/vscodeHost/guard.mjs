#!/usr/bin/env node
// @ts-check
// Runs a program and outlives its parent process long enough to clean up: once this process' standard input
// closes, which happens however the starter ends, the program's whole process tree is ended and folders are removed.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { endProcessTree } from './processTree.mjs';

const graceMs = 5000;

const [foldersToRemove = '[]', command = '', ...args] = process.argv.slice(2);

const child = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
/** @type {Promise<void> | undefined} */
let cleaning;

/** @param {number} exitCode */
function finish(exitCode) {
  process.exitCode = exitCode;
  cleaning ??= clean();
}

async function clean() {
  if (child.pid !== undefined) await endProcessTree(child.pid, graceMs);
  for (const folder of JSON.parse(foldersToRemove)) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  process.exit();
}

child.on('error', (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  finish(1);
});
child.on('exit', (code) => finish(code ?? 1));
process.stdin
  .on('close', () => finish(0))
  .on('error', () => finish(0))
  .resume();
// The starter decides when to end, not a signal that the terminal sends to all its processes.
process.on('SIGINT', () => undefined).on('SIGTERM', () => finish(0));
// The starter may have ended while the program still prints.
process.stdout.on('error', () => undefined);
