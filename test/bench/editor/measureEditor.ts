/** Measures the cost of Patchbay in a window of VS Code: bundled to `dist/test/benchEditor.mjs`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ActivationTimes, Delay } from '../../ui/companion/measurements.ts';
import { openVSCode } from '../../ui/driver/openVSCode.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { copyWaitingExtension } from './extensionCopy.ts';
import { type Sight, timeFromInput, timeFromReload } from './pageClock.ts';

/** One line of the table. */
export interface EditorRow {
  readonly title: string;
  readonly unit: 'ms' | 'MB' | 'a second';
  readonly samples: readonly number[];
  /** The maximum of the median. */
  readonly budget?: number;
}

const rounds = 7;
const items = 10_000;
const stormSeconds = 10;
const writeDelayMs = 6_000;

const sidebar = '.part.sidebar [id="workbench.view.extension.patchbay"]';
const row = (text: string): Sight => ({ selector: `${sidebar} [role="treeitem"]`, text });

/**
 * Opens windows and measures in them, one after the other.
 * @param command runs the benchmark's server with so many tools and prompts
 */
export async function measureEditor(
  command: (tools: number, prompts: number) => { readonly command: string; readonly args: readonly string[] },
): Promise<readonly EditorRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-'));
  try {
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, '.vscode'), { recursive: true });
    const servers = { few: command(10, 10), many: command(items, items) };
    await writeFile(join(workspace, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
    const waiting = join(folder, 'extension');
    await copyWaitingExtension(waiting);
    return [...(await measureActivation(workspace, waiting)), ...(await measureWindow(workspace))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Activation alone, and the memory it keeps, in windows that have loaded completely. */
async function measureActivation(workspace: string, extension: string): Promise<EditorRow[]> {
  const window = await openVSCode({ workspace, companion: true, extension: { kind: 'development', path: extension } });
  try {
    const steps = new Map<string, number[]>();
    const times: ActivationTimes[] = [];
    const weigh = async (step: string, from: number): Promise<number> => {
      const { heap } = await window.companion.memory();
      steps.set(step, [...(steps.get(step) ?? []), (heap - from) / 1e6]);
      return heap;
    };
    for (let round = 0; round < 3; round += 1) {
      if (round > 0) await window.reload();
      const { companion } = window;
      // The first call loads the code that measures.
      await companion.memory();
      await weigh('extension host before activation', 0);
      const { heap: before } = await companion.memory();
      await companion.activate();
      await weigh('activation adds', before);
      const { heap: active } = await companion.memory();
      await start(window, 'few', round === 0);
      await weigh('a running server of 10 tools and prompts adds', active);
      const { heap: running } = await companion.memory();
      await start(window, 'many', round === 0);
      await weigh('one of 10,000 tools and prompts adds', running);
      // At the end, as it opens an editor.
      times.push(await companion.activationTimes());
    }
    return [
      { title: 'activation in a window at rest', unit: 'ms', samples: times.map(callTime), budget: 20 },
      ...[...steps].map(([step, samples]) => ({ title: `memory: ${step}`, unit: 'MB' as const, samples })),
    ];
  } finally {
    await window.close();
  }
}

async function measureWindow(workspace: string): Promise<EditorRow[]> {
  const window = await openVSCode({ workspace, companion: true });
  try {
    await window.sidebar.open();
    await start(window, 'few', true);
    await start(window, 'many', true);
    await window.sidebar.expand('many');
    // VS Code in a browser saves the state of extensions when it has not changed for a while: after an earlier reload it
    // has lost which servers are trusted, and asks.
    await pause(writeDelayMs);
    return [
      ...(await measureOpening(window)),
      { title: 'tree: narrowed to 1 of 20,000 by typing', unit: 'ms', samples: await measureFilter(window) },
      { title: 'quick pick: 10,000 prompts opened', unit: 'ms', samples: await measureQuickPick(window) },
      ...(await measureStorm(window)),
    ];
  } finally {
    await window.close();
  }
}

/** Starts a server. @param isFirst whether Patchbay asks for trust */
async function start({ companion, dialogs }: Workbench, server: string, isFirst: boolean): Promise<void> {
  const called = companion.callTool({ server, tool: 'tool-0' });
  if (isFirst) await dialogs.press('Start Server');
  await dialogs.press('Call');
  const outcome = await called;
  if (outcome.kind === 'error') throw new Error(outcome.message);
}

/** The first waits of a user. Reloads the window each time, as VS Code requests rows only once, until they change. */
async function measureOpening(window: Workbench): Promise<EditorRow[]> {
  const filled: number[] = [];
  const expanded: number[] = [];
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    filled.push(await timeFromReload(window, row('many')));
    await window.waitUntilReady();
    times.push(await window.companion.activationTimes());
    await start(window, 'few', false);
    await start(window, 'many', false);
    expanded.push(await timeToExpand(window));
  }
  return [
    { title: 'activation while a window starts: code loaded', unit: 'ms', samples: times.map(({ load }) => load) },
    {
      title: 'activation while a window starts: code loaded, activate() called',
      unit: 'ms',
      samples: times.map(callTime),
      budget: 20,
    },
    {
      title: 'activation while a window starts: configuration read',
      unit: 'ms',
      samples: times.map(({ finish }) => finish),
    },
    { title: 'from nothing to a window with the sidebar filled', unit: 'ms', samples: filled },
    { title: 'tree: 10,000 tools expanded', unit: 'ms', samples: expanded, budget: 300 },
  ];
}

function callTime({ load, call }: ActivationTimes): number {
  return load + call;
}

/** Opens the tools of the second server, which a new window has not shown yet, and closes them again. */
async function timeToExpand({ page, sidebar: view }: Workbench): Promise<number> {
  // VS Code starts some parts seconds after a window has opened: they would be measured as well.
  await page.waitForFunction(() => performance.getEntriesByName('code/LifecyclePhase/Eventually').length > 0);
  await view.expand('many');
  const closed = view.container.locator('[role="treeitem"][aria-expanded="false"]', { hasText: /^Tools10,000/ });
  await closed.waitFor();
  const took = await timeFromInput(page, () => closed.locator('.monaco-tl-twistie').click(), row('Tool 0'));
  await view.collapse('Tools');
  return took;
}

async function measureFilter(window: Workbench): Promise<number[]> {
  const samples: number[] = [];
  await window.sidebar.expand('Tools');
  for (let round = 0; round < rounds; round += 1) {
    await window.runCommand('Patchbay: Filter Servers and Contents…');
    const { field } = window.quickInput;
    await field.fill('');
    const query = `tool 99${round}8`;
    const narrowed = { selector: sidebar, text: `Filtered by “${query}”: 1 match` };
    samples.push(await timeFromInput(window.page, () => field.pressSequentially(query), narrowed));
    await window.quickInput.cancel();
    await window.sidebar.item('Tool 0').waitFor();
  }
  return samples;
}

async function measureQuickPick(window: Workbench): Promise<number[]> {
  const samples: number[] = [];
  const opened = { selector: '.quick-input-widget .monaco-list-row', text: 'Prompt 0' };
  for (let round = 0; round < rounds; round += 1) {
    samples.push(await timeFromInput(window.page, () => window.runCommand('Patchbay: Run Prompt…'), opened));
    await window.quickInput.cancel();
    await window.quickInput.waitUntilClosed();
  }
  return samples;
}

/** With all 10,000 tools visible, when each refresh costs most. */
async function measureStorm(window: Workbench): Promise<EditorRow[]> {
  const rows: EditorRow[] = [];
  for (const [server, tools] of [
    ['few', '10'],
    ['many', '10,000'],
  ] as const) {
    const { result, delay } = await window.companion.delayDuring(async () => {
      const { outcome } = await window.callTool({ server, tool: 'changes', args: { seconds: stormSeconds } });
      return outcome;
    });
    if (result.kind === 'error') throw new Error(result.message);
    const { structuredContent } = result.result as { structuredContent: { readonly lists: number } };
    rows.push(...stormRows(tools, structuredContent.lists, delay));
  }
  return rows;
}

function stormRows(tools: string, lists: number, delay: Delay): EditorRow[] {
  const storm = `1,000 list_changed a second, ${tools} tools`;
  return [
    { title: `${storm}: lists read`, unit: 'a second', samples: [lists / stormSeconds], budget: 5 },
    { title: `${storm}: event loop late, 99 %`, unit: 'ms', samples: [delay.p99] },
    { title: `${storm}: event loop late, at most`, unit: 'ms', samples: [delay.max] },
  ];
}
