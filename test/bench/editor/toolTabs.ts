import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLineOf, descendants } from '../../tools/vscodeHost/processTree.mjs';
import { folderWith } from '../../ui/driver/newWorkspace.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import type { EditorRow } from './patchbayWindow.ts';

/** The first tabs load what all share. */
const first = 5;
const counted = 20;
/** From here on, no title is the beginning of another. */
const firstTool = 100;
const settleMs = 5_000;

/**
 * What each of twenty tabs of tools takes once others are in front of it, each with a call and its result. What drives the window leaves
 * scripts of its own in each frame that it looks into, two for a tab: they are part of it.
 * @param command runs the benchmark's server with so many tools
 */
export async function measureToolTabs(
  command: (tools: number) => { readonly command: string; readonly args: readonly string[] },
): Promise<EditorRow[]> {
  const settings = { 'workbench.editor.enablePreview': false };
  const window = await openVSCode({ workspace: folderWith({ many: command(firstTool + first + counted) }), settings });
  try {
    await window.startServer('many');
    let opened = 0;
    const open = async (count: number): Promise<number> => {
      for (const end = opened + count; opened < end; opened += 1) await callTool(window, `Tool ${firstTool + opened}`);
      await pause(settleMs);
      return memoryOfPages(window);
    };
    const before = await open(first);
    const after = await open(counted);
    const samples = [(after - before) / counted / 1e6];
    return [{ title: 'a tab of a tool that is not in front', unit: 'MB', samples }];
  } finally {
    await window.close();
  }
}

async function callTool(window: Workbench, title: string): Promise<void> {
  const frame = await window.chooseTool(title);
  await frame.getByRole('button', { name: 'Call', exact: true }).click();
  await frame.getByText(/took \d/).waitFor();
}

/** Bytes of the renderers of the window's browser that no other process shares, after a garbage collection. */
async function memoryOfPages({ page }: Workbench): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  return rendererPids().reduce((sum, pid) => sum + privateBytes(pid), 0);
}

/** Of the browsers that this process has started. */
function rendererPids(): readonly number[] {
  return descendants(process.pid).filter((pid) => commandLineOf(pid).includes('--type=renderer'));
}

function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, value]) => Number(value));
  return kilobytes.reduce((sum, value) => sum + value, 0) * 1024;
}
