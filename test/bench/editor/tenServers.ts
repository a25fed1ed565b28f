import { setTimeout as pause } from 'node:timers/promises';
import { folderWith } from '../../ui/driver/newWorkspace.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import type { EditorRow } from './patchbayWindow.ts';

const servers = 10;
const toolsEach = 10;
const rounds = 4;
/** A window that has loaded goes on with other work for a while, and so do servers that have started. */
const restMs = 4_000;

type Starter = 'patchbay' | 'vscode';
type Samples = Record<Starter, number[]>;

/**
 * Ten servers started at once, by Patchbay and by VS Code's own support, in turns, each in a window that was just loaded.
 * @param command runs the benchmark's server with so many tools
 */
export async function measureTenServers(
  command: (tools: number) => { readonly command: string; readonly args: readonly string[] },
): Promise<EditorRow[]> {
  const labels = Array.from({ length: servers }, (_, index) => `server-${index}`);
  const workspace = folderWith(Object.fromEntries(labels.map((label) => [label, command(toolsEach)])));
  const settings = {
    'chat.mcp.autostart': 'never',
    // Looking for ports of new processes blocks the extension host for longer than all that is measured here.
    'remote.autoForwardPorts': false,
  };
  const window = await openVSCode({ workspace, companion: true, settings });
  try {
    await approveAll(window, labels);
    const block: Samples = { patchbay: [], vscode: [] };
    const heap: Samples = { patchbay: [], vscode: [] };
    const took: Samples = { patchbay: [], vscode: [] };
    for (let turn = 0; turn < rounds * 2; turn += 1) {
      const starter = turn % 2 === 0 ? 'patchbay' : 'vscode';
      await window.reload();
      // The first call loads the code that measures.
      await window.companion.memory();
      await pause(restMs);
      const before = await heapOf(window);
      const startedAt = performance.now();
      const { delay } = await window.companion.delayDuring(() => startAll(window, starter, labels));
      took[starter].push(performance.now() - startedAt);
      await pause(restMs);
      block[starter].push(delay.max);
      heap[starter].push(((await heapOf(window)) - before) / 1e6);
    }
    const row = (what: string, unit: EditorRow['unit'], samples: Samples, budget: number): EditorRow => {
      return { title: `ten servers at once: ${what}`, unit, samples: samples.patchbay, floor: samples.vscode, budget };
    };
    return [
      row('until all run, against VS Code’s own support', 'ms', took, 1),
      row('longest block of the extension host', 'ms', block, 0.5),
      row('memory of the extension host and the window', 'MB', heap, 1.1),
    ];
  } finally {
    await window.close();
  }
}

/** Bytes: of the extension host and of the window, where VS Code's own support keeps what it knows. */
async function heapOf({ companion, page }: Workbench): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize + (await companion.memory()).heap;
}

/** Answers the question before the first start of each server. */
async function approveAll(window: Workbench, labels: readonly string[]): Promise<void> {
  for (const label of labels) {
    const started = window.companion.start([label]);
    await window.dialogs.press('Start');
    await started;
  }
}

async function startAll(window: Workbench, starter: Starter, labels: readonly string[]): Promise<void> {
  if (starter === 'patchbay') return window.companion.start(labels);
  const options = { autoTrustChanges: true, waitForLiveTools: true };
  const outcome = await window.companion.execute('workbench.mcp.startServer', ['*', options]);
  if (outcome.kind === 'error') throw new Error(outcome.message);
}
