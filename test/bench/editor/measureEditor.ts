/** Measures the cost of Patchbay in a window of VS Code: bundled to `dist/test/benchEditor.mjs`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import { stopIdleServers } from '../../ui/driver/editorServer.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import { closeSharedBrowser } from '../../ui/driver/sharedBrowser.ts';
import { measureAtRest, measureAtStart } from './activation.ts';
import { measureFilter, measureQuickPick, measureStorm, measureTree } from './lists.ts';
import { measureToolPage } from './toolPage.ts';
import { measureTrafficPage } from './trafficPage.ts';
import { type EditorRow, startServer } from './patchbayWindow.ts';
import { measureTenServers } from './tenServers.ts';
import { measureToolTabs } from './toolTabs.ts';

const items = 10_000;
const writeDelayMs = 6_000;

/** What is measured in a window of its own. */
export const editorParts = [
  'editor-rest',
  'editor-start',
  'editor-lists',
  'editor-tool',
  'editor-traffic',
  'editor-ten',
  'editor-tabs',
] as const;

/**
 * Opens windows and measures in them, one after the other.
 * @param parts what to measure
 * @param command runs the benchmark's server with so many tools and prompts
 */
export async function measureEditor(
  parts: readonly (typeof editorParts)[number][],
  command: (tools: number, prompts: number) => { readonly command: string; readonly args: readonly string[] },
): Promise<readonly EditorRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-'));
  try {
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, '.vscode'), { recursive: true });
    const servers = { few: command(10, 10), many: command(items, items) };
    await writeFile(join(workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    await writeFile(join(workspace, 'data.json'), '{}');
    const measure = {
      'editor-rest': () => measureAtRest(workspace, folder),
      'editor-start': () => measureAtStart(workspace, folder),
      'editor-lists': () => measureLists(workspace),
      'editor-tool': measureToolPage,
      'editor-traffic': measureTrafficPage,
      'editor-ten': () => measureTenServers((tools) => command(tools, 0)),
      'editor-tabs': () => measureToolTabs((tools) => command(tools, 0)),
    };
    const rows: EditorRow[] = [];
    for (const part of parts) rows.push(...(await measure[part]()));
    return rows;
  } finally {
    await stopIdleServers();
    await closeSharedBrowser();
    await rm(folder, { recursive: true });
  }
}

async function measureLists(workspace: string): Promise<EditorRow[]> {
  const readyLists = join(repositoryRoot, 'dist', 'test', 'readyLists');
  const window = await openVSCode({ workspace, companion: true, installed: [readyLists] });
  try {
    await window.sidebar.open();
    await startServer(window, 'few', true);
    await startServer(window, 'many', true);
    await window.sidebar.expand('many');
    // VS Code in a browser saves the state of extensions when it has not changed for a while: after an earlier reload it
    // has lost which servers are trusted, and asks.
    await pause(writeDelayMs);
    return [
      ...(await measureTree(window)),
      ...(await measureFilter(window)),
      ...(await measureQuickPick(window)),
      ...(await measureStorm(window)),
    ];
  } finally {
    await window.close();
  }
}
