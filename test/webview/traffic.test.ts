import type { Event } from '../../src/base/event.ts';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import type { LaunchPlan } from '../../src/base/launchPlan.ts';
import type { ConnectionTap } from '../../src/client/trace/connectionTap.ts';
import { followSecrets } from '../../src/client/trace/tappedChannel.ts';
import { TrafficLog } from '../../src/client/trace/trafficLog.ts';
import { TrafficPageConnection } from '../../src/host/traffic/trafficPanel.ts';
import { expectSound } from './looks.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();
const jsonrpc = '2.0';
const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: { TOKEN: 'opensesame' } };
let panel: PanelPage;
let page: Page;
let log: TrafficLog;
let tap: ConnectionTap;
let connection: TrafficPageConnection;
let acted: unknown[];

function call(id: number, name: string, isError = false): void {
  tap.message('sent', { jsonrpc, id, method: 'tools/call', params: { name, arguments: { key: 'opensesame' } } });
  const text = `answer ${id}`;
  tap.message('received', { jsonrpc, id, result: { content: [{ type: 'text', text }], isError } });
}

let isRestored: boolean;

beforeEach(async () => {
  panel = await panels.open('traffic', { width: 1_000 });
  ({ page } = panel);
  const clock = createSystemClock();
  log = new TrafficLog(clock);
  tap = log.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
  acted = [];
  isRestored = false;
  const note = async (...given: readonly unknown[]): Promise<void> => void acted.push(given);
  const { webview } = panel.openPanel();
  const ends = {
    post: (message: unknown) => void webview.postMessage(message),
    onMessage: webview.onDidReceiveMessage as Event<unknown>,
  };
  connection = new TrafficPageConnection(ends, {
    log,
    clock,
    get isRestored() {
      return isRestored;
    },
    actionsOf: () => ['again', 'copyRequest'],
    act: ({ id }, action) => note(action, id),
    copy: (text) => note('copy', text),
    exportRows: (rows, format) => note(format, rows.length),
    run: () => {},
  });
  await panel.settled();
  return () => connection.dispose();
});

const rows = (): Locator => page.locator('.traffic-row:visible');
const status = (): Promise<string> => page.getByRole('status').innerText();
const filter = (): Locator => page.getByLabel('Filter');

describe('the traffic', () => {
  it('shows requests with their answers, and the one that was chosen as trees, without secrets', async () => {
    call(1, 'echo');
    call(2, 'fail', true);
    tap.message('sent', { jsonrpc, id: 3, method: 'ping' });
    await expect.poll(status).toBe('3 of 4 rows');
    await rows().filter({ hasText: 'fail' }).click();
    const detail = page.locator('.traffic-detail');
    await detail.getByText('"answer 2"').waitFor();
    expect(await detail.innerText()).toContain('tool error');
    expect(await detail.innerText()).toContain('••••••••');
    expect(await page.content()).not.toContain('opensesame');
    const heightOf = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
    const wide = page.viewportSize() ?? { width: 1_280, height: 720 };
    // Below each other, what was chosen has more room than the list.
    await page.setViewportSize({ width: 900, height: 700 });
    expect(await heightOf('.traffic-detail')).toBeGreaterThan(await heightOf('.traffic-rows'));
    await page.setViewportSize(wide);
    await expectSound(panel, 'traffic');
    await detail.getByRole('button', { name: 'Send Again' }).click();
    await expect.poll(() => acted).toEqual([['again', 3]]);
    const pings = page.getByRole('button', { name: 'Show Pings' });
    expect(await pings.getAttribute('aria-pressed')).toBe('false');
    await pings.click();
    expect(await pings.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(status).toBe('4 rows');
    await page.getByRole('button', { name: 'HAR…' }).click();
    await expect.poll(() => acted.at(-1)).toEqual(['har', 4]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(status).toBe('0 rows');
    expect(await detail.isHidden()).toBe(true);
    await page.getByText('Nothing has gone over the wire yet.').waitFor();
    await expectSound(panel, 'traffic-empty');
  });

  it('is used by keyboard alone: / to filter, arrows, Enter, Escape', async () => {
    for (const name of ['one', 'two', 'three']) call(name.length, name);
    await expect.poll(status).toBe('4 rows');
    await page.keyboard.press('/');
    await page.keyboard.type('status:ok -tool:one');
    await expect.poll(status).toBe('2 of 4 rows');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.traffic-title').innerText()).toBe('tools/call · two');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.traffic-title').innerText()).toBe('tools/call · three');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send Again');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await expect.poll(status).toBe('4 rows');
  });

  it('goes to a row that the filter hides, and follows what comes unless it is paused', async () => {
    for (let id = 1; id <= 300; id += 1) call(id, `tool ${id}`);
    await expect.poll(status).toBe('301 rows');
    await filter().fill('stauts:error');
    await page.getByText('“stauts:” is searched for as a word: fields are server:').waitFor();
    await filter().fill('server:other');
    await expect.poll(status).toBe('0 of 301 rows');
    connection.show('', 11);
    await expect.poll(() => page.locator('.traffic-title').innerText()).toBe('tools/call · tool 10');
    expect(await filter().inputValue()).toBe('');
    // What the person hides stays hidden.
    expect(await page.getByRole('button', { name: 'Show Pings', pressed: false }).count()).toBe(1);
    await page.locator('.traffic-row.is-selected').filter({ hasText: 'tool 10' }).waitFor();
    await page.keyboard.press('End');
    await rows().filter({ hasText: 'tool 300' }).waitFor();
    call(301, 'newest');
    await rows().filter({ hasText: 'newest' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(status).toContain('paused');
    call(302, 'unseen');
    await page.getByRole('button', { name: 'Pause', pressed: true }).click();
    await rows().filter({ hasText: 'unseen' }).waitFor();
    await expect.poll(status).toBe('303 rows');
  });

  it('draws some of 100,000 rows, at each place of the list', async () => {
    for (let id = 1; id <= 100_000; id += 1) tap.message('received', { jsonrpc, method: `m${id}` });
    await expect.poll(status).toBe('100,001 rows');
    await rows().filter({ hasText: 'm100000' }).waitFor();
    const list = page.getByRole('listbox');
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await rows()
      .filter({ hasText: /m5000\d/ })
      .first()
      .waitFor();
    // Those that come next are asked for ahead.
    expect(panel.sent).toContainEqual({ type: 'rows', from: 49_800, to: 49_900 });
    expect(await page.locator('.traffic-row').count()).toBeLessThan(80);
    await list.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.traffic-title').innerText()).toBe('m1');
    const active = page.locator('.traffic-row.is-selected');
    expect(await active.getAttribute('aria-setsize')).toBe('100001');
    expect(await active.getAttribute('aria-posinset')).toBe('2');
    expect(await list.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    expect(await page.locator('.traffic-row[id]').count()).toBe(1);
    await page.getByRole('button', { name: 'Slowest First' }).click();
    await filter().fill('m77777');
    await expect.poll(status).toBe('1 of 100,001 rows');
  });

  it('says after a reload that what was there is gone, and keeps the filter', async () => {
    log.clear();
    await filter().fill('server:demo');
    await expect.poll(status).toBe('0 rows');
    isRestored = true;
    await panel.load();
    expect(await filter().inputValue()).toBe('server:demo');
    await page.getByText('The window was reloaded: what was here before is no longer kept.').waitFor();
  });
});
