import type { Page } from 'playwright-core';
import { createSystemClock } from '../../../src/base/clock.ts';
import type { Event } from '../../../src/base/event.ts';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import { followSecrets } from '../../../src/client/trace/tappedChannel.ts';
import { TrafficLog } from '../../../src/client/trace/trafficLog.ts';
import { TrafficPageConnection } from '../../../src/host/traffic/trafficPanel.ts';
import { sharedBrowser } from '../../ui/driver/sharedBrowser.ts';
import { openPanelPage, openTab, type PanelPage } from '../../webview/panelPage.ts';
import { startPanelServer } from '../../webview/panelServer.ts';
import { timeFromInput } from './pageClock.ts';
import type { EditorRow } from './patchbayWindow.ts';

const rounds = 5;
const messages = 100_000;
const frames = 120;
/** To where no row was drawn yet, the same way again, and over an empty list. */
const scrolls = ['new', 'known', 'floor'] as const;

interface Scroll {
  /** Milliseconds that 95 % of the frames take at most. */
  readonly frame: number;
  /** Milliseconds of CPU time of the page's thread for a frame. */
  readonly cpu: number;
}

/** The page of the traffic in a Chromium of its own, served by what serves it in VS Code. */
export async function measureTrafficPage(): Promise<EditorRow[]> {
  const [server, browser] = await Promise.all([startPanelServer(), sharedBrowser()]);
  const first: number[] = [];
  const filtered: number[] = [];
  const scrolled: Readonly<Record<(typeof scrolls)[number], Scroll[]>> = { new: [], known: [], floor: [] };
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round += 1) {
      const tab = await openTab(browser, {});
      const panel = await openPanelPage(tab, server.address('traffic'), { width: 1_000 }, () =>
        tab.page.context().close(),
      );
      const log = fillLog();
      const startedAt = performance.now();
      const connection = connect(panel, log);
      await panel.page
        .getByRole('status')
        .filter({ hasText: `${(messages / 2 + 1).toLocaleString('en')} rows` })
        .waitFor();
      const samples = [performance.now() - startedAt, await timeToFilter(panel.page)] as const;
      if (round > 0) [first, filtered].forEach((list, index) => list.push(samples[index] ?? 0));
      for (const kind of scrolls) {
        const sample = await scroll(panel.page, kind === 'floor');
        if (round > 0) scrolled[kind].push(sample);
      }
      connection.dispose();
      await panel.dispose();
    }
  } finally {
    await server.close();
  }
  const count = messages.toLocaleString('en');
  return [
    { title: `traffic: ${count} messages that nobody has read, opened`, unit: 'ms', samples: first, budget: 2_000 },
    { title: `traffic: ${count} messages filtered by a method`, unit: 'ms', samples: filtered, budget: 1_000 },
    ...frameRows(scrolled),
  ];
}

/** The rows of the table about scrolling: the same scroll of an empty list as high as ours says what this machine gives at best. */
function frameRows({
  new: first,
  known,
  floor,
}: Readonly<Record<(typeof scrolls)[number], readonly Scroll[]>>): EditorRow[] {
  const longest = floor.map(({ frame }) => frame);
  const budget = 1.3;
  const title = 'traffic: 95 % of the frames while it is scrolled take';
  return [
    { title, unit: 'ms', samples: first.map(({ frame }) => frame), floor: longest, budget },
    {
      title: `${title}, over rows it has`,
      unit: 'ms',
      samples: known.map(({ frame }) => frame),
      floor: longest,
      budget,
    },
    { title: 'traffic: CPU of the page for one of them', unit: 'ms', samples: known.map(({ cpu }) => cpu), budget: 8 },
    { title: 'traffic: the same for an empty list', unit: 'ms', samples: floor.map(({ cpu }) => cpu) },
  ];
}

function fillLog(): TrafficLog {
  const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } };
  const log = new TrafficLog(createSystemClock());
  const tap = log.tap({ label: 'bench', plan, redactor: followSecrets(plan, () => undefined) });
  const add = (direction: 'sent' | 'received', message: object): void =>
    tap.message(direction, message, JSON.stringify(message));
  for (let id = 1; id < messages / 2; id += 1) {
    const params = { name: `tool ${id % 100}`, arguments: { text: `hello ${id}`, count: id } };
    add('sent', { jsonrpc: '2.0', id, method: 'tools/call', params });
    add('received', { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `answer ${id}` }] } });
  }
  add('received', { jsonrpc: '2.0', method: 'last' });
  return log;
}

function connect(panel: PanelPage, log: TrafficLog): TrafficPageConnection {
  const { webview } = panel.openPanel();
  const ends = {
    post: (message: unknown) => void webview.postMessage(message),
    onMessage: webview.onDidReceiveMessage as Event<unknown>,
  };
  const nothing = async (): Promise<void> => {};
  const ports = {
    log,
    clock: createSystemClock(),
    isRestored: false,
    actionsOf: () => [],
    act: nothing,
    copy: nothing,
  };
  return new TrafficPageConnection(ends, { ...ports, exportRows: nothing, run: () => {} });
}

/** From the last key to the frame in which all of it is counted. */
async function timeToFilter(page: Page): Promise<number> {
  await page.getByLabel('Filter').fill('method:lastx');
  await page
    .getByRole('status')
    .filter({ hasText: /^0 of [\d,]+ rows$/ })
    .waitFor();
  const time = await timeFromInput(page, () => page.keyboard.press('Backspace'), {
    selector: '[role="status"]',
    text: '1 of',
  });
  await page.getByLabel('Filter').fill('');
  await page.locator('.traffic-row:visible', { hasText: 'tools/call' }).nth(5).waitFor();
  return time;
}

/** Scrolls by a page in each frame. @param isFloor in an empty list in place of ours */
async function scroll(page: Page, isFloor: boolean): Promise<Scroll> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await cpu();
  const frame = await page.evaluate(scrollInPage, { count: frames, isFloor });
  const used = await cpu();
  await session.detach();
  return { frame, cpu: (used - before) / frames };
}

/** Runs in the page. */
async function scrollInPage({ count, isFloor }: { count: number; isFloor: boolean }): Promise<number> {
  const own = document.querySelector('[role="listbox"]');
  if (own === null) throw new Error('The page has no list.');
  const bare = document.createElement('div');
  bare.className = own.className;
  const space = document.createElement('div');
  space.style.height = `${own.scrollHeight}px`;
  bare.append(space);
  if (isFloor) own.replaceWith(bare);
  const list = isFloor ? bare : own;
  list.scrollTop = 0;
  const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);
  const times: number[] = [];
  let before = await nextFrame();
  for (let frame = 0; frame < count; frame += 1) {
    list.scrollTop += list.clientHeight;
    const now = await nextFrame();
    times.push(now - before);
    before = now;
  }
  if (isFloor) bare.replaceWith(own);
  return times.toSorted((a, b) => a - b)[Math.floor(count * 0.95)] ?? 0;
}
