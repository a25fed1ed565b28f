import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from '../tools/vscodeHost/lock.mjs';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { endProcessTree, isAlive } from '../tools/vscodeHost/processTree.mjs';
import { temporaryFolder } from '../fixtures/temporaryFolder.ts';

const guard = join(repositoryRoot, 'test', 'tools', 'vscodeHost', 'guard.mjs');
const forever = 'setInterval(() => {}, 1000);';

/** Ignores SIGTERM, starts a child in a process group of its own, and prints both ids. */
const stubbornFamily = `
  process.on('SIGTERM', () => {});
  const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(forever)}], { detached: true });
  console.log(process.pid + ' ' + child.pid);
  ${forever}`;

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

describe.skipIf(process.platform === 'win32')('processes of a VS Code under test', () => {
  it('end with their children, even those that ignore SIGTERM', async () => {
    const parent = spawn(process.execPath, ['-e', stubbornFamily], { detached: true });
    const family = await printedIds(parent.stdout);
    expect(family.every(isAlive)).toBe(true);
    await endProcessTree(family[0] ?? 0, 100);
    expect(family.some(isAlive)).toBe(false);
  });

  it('end, and their folder goes, when the process that started them is killed', async () => {
    const guarded = join(folder, 'guarded');
    await mkdir(guarded);
    const guardArguments = [guard, JSON.stringify([guarded]), process.execPath, '-e', stubbornFamily];
    const starterScript = `
      require('child_process').spawn(process.execPath, ${JSON.stringify(guardArguments)}, {
        detached: true, stdio: ['pipe', 'inherit', 'inherit'],
      });
      ${forever}`;
    const starter = spawn(process.execPath, ['-e', starterScript]);
    const family = await printedIds(starter.stdout);
    starter.kill('SIGKILL');
    await vi.waitUntil(() => !family.some(isAlive) && !existsSync(guarded), { timeout: 30_000 });
  });
});

describe('the lock around an installation', () => {
  it('lets one in after the other', async () => {
    const path = join(folder, 'lock');
    const events: string[] = [];
    const work = async (): Promise<void> => {
      events.push('in');
      await new Promise((resolve) => setTimeout(resolve, 5));
      events.push('out');
    };
    await Promise.all([withLock(path, () => undefined, work), withLock(path, () => undefined, work)]);
    expect(events).toEqual(['in', 'out', 'in', 'out']);
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over from a process that has died', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.on('close', resolve));
    const path = join(folder, 'lock');
    await writeFile(path, String(dead.pid));
    const done = (): Promise<string> => Promise.resolve('done');
    expect(await withLock(path, () => undefined, done)).toBe('done');
  });
});

async function printedIds(output: NodeJS.ReadableStream): Promise<number[]> {
  for await (const line of createInterface({ input: output })) return line.split(' ').map(Number);
  throw new Error('The process printed nothing.');
}
