import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { processesWith } from '../process/processMarks.ts';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const mark = `PATCHBAY_TEST_MARK=${randomUUID()}`;

describe('a window whose extension host is killed', () => {
  afterAll(() => {
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
  });
  useWindow(
    () => {
      const program = [process.execPath, ...fixtureServer('taskServer.mjs').args].map((part) => `"${part}"`).join(' ');
      // The server ends when its input ends; the process that it has started does not.
      const lines = ['sleep 1000 &', `${program} --revision=2025-11-25`, 'wait'];
      const [name = '', value = ''] = mark.split('=');
      const notes = { command: 'sh', args: ['notes.sh'], env: { [name]: value } };
      const files = { 'notes.sh': `${lines.join('\n')}\n` };
      return { workspace: folderWith({ notes }, { files }) };
    },
    async () => {
      await window.startServer('notes');
      await window.sidebar.item('Tools').waitFor();
    },
  );

  it('leaves no process behind: the next window finds what it left running, and ends it on a yes', async () => {
    // Not the lowest id: ids start from the beginning again after the highest one.
    const marked = processesWith(mark);
    const parents = await Promise.all(marked.map(parentOf));
    const index = parents.findIndex((parent) => !marked.includes(parent));
    const [shell = 0, host = 0] = [marked[index], parents[index]];
    process.kill(host, 'SIGKILL');
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
    await window.runCommand('MCP Patchbay: End Leftover Processes…');
    await window.notifications.show();
    await window.notifications.item('No leftover processes were found.').waitFor();
  });
});

async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
