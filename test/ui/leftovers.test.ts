import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesWith } from '../process/processMarks.ts';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

const mark = `PATCHBAY_TEST_MARK=${randomUUID()}`;

describe('a window whose extension host is killed', () => {
  let folder: string;
  let window: Workbench;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-leftovers-'));
    const script = join(repositoryRoot, 'test', 'fixtures', 'servers', 'taskServer.mjs');
    // The server itself ends with its input; what it has started does not.
    const lines = ['sleep 1000 &', `"${process.execPath}" "${script}" --revision=2025-11-25`, 'wait'];
    const [name = '', value = ''] = mark.split('=');
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, '.vscode'), { recursive: true });
    await writeFile(join(workspace, 'notes.sh'), `${lines.join('\n')}\n`);
    await writeFile(
      join(workspace, '.vscode', 'mcp.json'),
      JSON.stringify({ servers: { notes: { command: 'sh', args: ['notes.sh'], env: { [name]: value } } } }),
    );
    window = await openVSCode({ workspace });
    await window.sidebar.open();
    await window.sidebar.expand('notes');
    await window.dialogs.press('Start Server');
    await window.sidebar.item('Tools').waitFor();
  });

  afterAll(async () => {
    await window?.close();
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true });
  });

  reportFailures(() => window);

  it('leaves no process behind: the next window finds what it left running, and ends it on a yes', async () => {
    const [shell = 0] = processesWith(mark).toSorted((left, right) => left - right);
    process.kill(await parentOf(shell), 'SIGKILL');
    await window.reload();
    await window.notifications.show();
    await window.notifications.item('left 1 server running').waitFor();
    expect(processesWith(mark)).toContain(shell);
    await window.screenshot('leftovers');
    await window.notifications.press('left 1 server running', 'End Them');
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  it('says so when there is nothing to end', async () => {
    await window.notifications.clear();
    await window.runCommand('Patchbay: End Leftover Processes…');
    await window.notifications.show();
    await window.notifications.item('No window that ended unexpectedly left a server running.').waitFor();
  });
});

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
