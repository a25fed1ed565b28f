import type { Locator } from 'playwright-core';
import type { Delay } from '../../ui/companion/measurements.ts';
import type { Workbench } from '../../ui/driver/workbench.ts';
import { type EditorRow, patchbayView, startServer, viewOf } from './patchbayWindow.ts';
import { type Sight, timeFromInput } from './pageClock.ts';

/** Even, so that each of two is first as often as the other. */
const rounds = 8;
const stormSeconds = 10;
/** The ratio to a list with ready rows. */
const budget = 1.3;

/** Who shows a list: Patchbay, or the extension whose rows are ready. */
interface Shower {
  readonly samples: number[];
  /** The name of its tab in the activity bar. */
  readonly tab: RegExp;
  readonly view: string;
  /** The command that opens its quick pick. */
  readonly command: string;
}

const createShowers = (): readonly [patchbay: Shower, floor: Shower] => [
  { samples: [], tab: /^Patchbay/, view: patchbayView, command: 'MCP Patchbay: Run MCP Prompt…' },
  { samples: [], tab: /^Ready Lists/, view: viewOf('ready-lists'), command: 'Ready Lists: Pick…' },
];

/** Lets both show their list, in turns, and checks that it is the same. */
async function inTurns(
  round: number,
  [patchbay, floor]: readonly [Shower, Shower],
  show: (shower: Shower) => Promise<string>,
): Promise<void> {
  const texts = [];
  for (const shower of round % 2 === 0 ? [patchbay, floor] : [floor, patchbay]) texts.push(await show(shower));
  if (texts[0] !== texts[1]) throw new Error(`Patchbay and its floor show other rows: ${texts.join(' / ')}`);
}

/** The tree with its 10,000 tools. Reloads the window each time, as VS Code requests rows only once, until they change. */
export async function measureTree(window: Workbench): Promise<EditorRow[]> {
  const showers = createShowers();
  for (let round = 0; round < rounds; round += 1) {
    await window.reload();
    await startServer(window, 'few', false);
    await startServer(window, 'many', false);
    // VS Code starts some parts seconds after a window has opened: they would be measured as well.
    await window.page.waitForFunction(() => performance.getEntriesByName('code/LifecyclePhase/Eventually').length > 0);
    await window.sidebar.open();
    await window.sidebar.expand('many');
    await inTurns(round, showers, (shower) => expandTools(window, shower));
    // The next window shows the view that was shown last.
    await window.sidebar.open();
  }
  const [{ samples }, { samples: floor }] = showers;
  return [{ title: 'tree: 10,000 tools expanded', unit: 'ms', samples, floor, budget }];
}

/** Opens the tools of the second server, which a new window has not shown yet, and closes them again. @returns the first row */
async function expandTools({ page }: Workbench, { samples, tab, view }: Shower): Promise<string> {
  const container = page.locator(view);
  if (!(await container.isVisible())) await page.locator('.activitybar').getByRole('tab', { name: tab }).click();
  const opener = (isExpanded: boolean, text: RegExp): Locator =>
    container.locator(`[role="treeitem"][aria-expanded="${isExpanded}"]`, { hasText: text });
  await opener(true, /^many/).waitFor();
  const tools = /^Tools10,000/;
  await opener(false, tools).waitFor();
  const first: Sight = { selector: `${view} [role="treeitem"]`, text: 'Tool 0' };
  samples.push(await timeFromInput(page, () => opener(false, tools).locator('.monaco-tl-twistie').click(), first));
  const text = await container.locator('[role="treeitem"]', { hasText: first.text }).first().innerText();
  await opener(true, tools).locator('.monaco-tl-twistie').click();
  await opener(false, tools).waitFor();
  return text;
}

export async function measureFilter(window: Workbench): Promise<EditorRow[]> {
  const samples: number[] = [];
  await window.sidebar.expand('Tools');
  for (let round = 0; round < rounds; round += 1) {
    await window.runCommand('MCP Patchbay: Filter Servers and Contents…');
    const { field } = window.quickInput;
    await field.fill('');
    const query = `tool 99${round}8`;
    const narrowed = { selector: patchbayView, text: `Filtered by “${query}”: 1 match` };
    samples.push(await timeFromInput(window.page, () => field.pressSequentially(query), narrowed));
    await window.quickInput.cancel();
    await window.sidebar.item('Tool 0').waitFor();
  }
  return [{ title: 'tree: narrowed to 1 of 20,000 by typing', unit: 'ms', samples }];
}

/** The quick pick with the 10,010 prompts of both servers. */
export async function measureQuickPick(window: Workbench): Promise<EditorRow[]> {
  const showers = createShowers();
  // The first round loads what both need, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    await inTurns(round, showers, (shower) => openPick(window, shower));
    if (round === 0) for (const { samples } of showers) samples.length = 0;
  }
  const [{ samples }, { samples: floor }] = showers;
  return [{ title: 'quick pick: 10,000 prompts opened', unit: 'ms', samples, floor, budget }];
}

/** Chooses the command as {@link Workbench.runCommand} does, but without looking for changes: that would be measured too. */
async function openPick({ page, quickInput }: Workbench, { samples, command }: Shower): Promise<string> {
  await page.keyboard.press('F1');
  await quickInput.type(`>${command}`);
  const row = quickInput.rows.filter({ has: page.getByText(command, { exact: true }) }).first();
  await row.waitFor();
  const opened: Sight = { selector: '.quick-input-widget .monaco-list-row', text: 'Prompt 0' };
  samples.push(await timeFromInput(page, () => row.dispatchEvent('click'), opened));
  const text = await quickInput.row(opened.text).innerText();
  await quickInput.cancel();
  await quickInput.waitUntilClosed();
  return text;
}

/** With all 10,000 tools visible, when each refresh costs most. */
export async function measureStorm(window: Workbench): Promise<EditorRow[]> {
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
