import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FactsSection, FactsToPanel, FactsView } from '../../src/shared/factsMessages.ts';
import { expectSound } from './looks.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();
let panel: PanelPage;
let page: Page;

beforeEach(async () => {
  panel = await panels.open('facts');
  ({ page } = panel);
  await panel.load();
});

const hostile = '<img src=x onerror=alert(1)> [a](command:b) https://example.org/';
const trace = 'The server stopped unexpectedly (exit code 1). It said:\nError: no\n    at start (server.mjs:3:9)';

const steps: readonly FactsSection[] = [
  { title: 'Definition', outcome: 'fine', parts: [{ kind: 'text', text: 'Defined in .mcp.json' }] },
  {
    title: 'Command',
    outcome: 'notice',
    parts: [
      { kind: 'list', items: ['one', trace] },
      { kind: 'folded', title: 'Searched in PATH', items: ['/usr/bin', '/bin'] },
    ],
    actions: [{ id: 'openConfiguration', label: 'Open Configuration', icon: 'go-to-file' }],
  },
  { title: 'Process', outcome: 'problem', parts: [{ kind: 'code', text: trace }] },
  { title: 'Connection', outcome: 'skipped', parts: [{ kind: 'text', text: 'Skipped because of the error above' }] },
];

const diagnosis: FactsView = {
  title: 'Diagnosis of notes',
  lead: 'Checking each step…',
  summary: {
    kind: 'error',
    text: 'The server stopped unexpectedly (exit code 1).\nIt may be broken.',
    actions: [
      { id: 'showLog', label: 'Show Log', icon: 'output' },
      { id: 'start', label: 'Start', icon: 'play' },
    ],
  },
  actions: [{ id: 'stop', label: 'Stop', icon: 'debug-stop' }],
  sections: steps,
};

const details: FactsView = {
  title: hostile,
  actions: [{ id: 'copy', label: 'Copy as Text', icon: 'copy' }],
  sections: [
    {
      parts: [
        {
          kind: 'facts',
          facts: [
            { name: 'Website', text: 'https://example.org/', isLink: true },
            { name: 'Description', text: hostile },
            { name: 'Why', text: trace },
            { name: 'Arguments', text: '["${workspaceFolder}/server.mjs"]' },
          ],
        },
      ],
    },
    { title: 'Description', parts: [{ kind: 'text', text: 'Line *one*\n  __line__ two' }] },
    { title: 'As the server lists it', parts: [{ kind: 'code', text: '{\n  "name": "add"\n}' }] },
  ],
};

const messageOf = (view: FactsView, isUpdate: boolean): FactsToPanel => ({ type: 'show', view, isUpdate, places: [] });
const show = (view: FactsView, isUpdate = false): Promise<void> => panel.post(messageOf(view, isUpdate));

describe('a page of facts', () => {
  it('shows texts as they are: with their lines, and nothing of them as markup or a link', async () => {
    await show(details);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(hostile);
    expect(await page.locator('dd').nth(3).innerText()).toBe('["${workspaceFolder}/server.mjs"]');
    expect(await page.locator('dd pre.code').innerText()).toBe(trace);
    expect(await page.getByText('Line *one*').innerText()).toBe('Line *one*\n  __line__ two');
    expect(await page.locator('img, a').count()).toBe(0);
    expect(await page.locator('.link').allInnerTexts()).toEqual(['https://example.org/']);
  });

  it('tells the extension which button, or which link, was pressed', async () => {
    await show(details);
    await panel.readyButton('Copy as Text').waitFor();
    await panel.tabTo('Copy as Text');
    await panel.press('Enter');
    await panel.tabTo('https://example.org/');
    await panel.press('Enter');
    await expect
      .poll(() => panel.sent.slice(1))
      .toEqual([
        { type: 'action', id: 'copy' },
        { type: 'openLink', uri: 'https://example.org/' },
      ]);
  });

  it('begins with the error and the next step, and says each outcome in words', async () => {
    await show(diagnosis);
    const summary = page.getByRole('status');
    expect(await summary.innerText()).toContain('exit code 1');
    expect(await summary.getByRole('button').allInnerTexts()).toEqual(['Show Log', 'Start']);
    const words = ['OK', 'Worth a look', 'Problem', 'Skipped'];
    expect(await page.locator('.outcome-word').allInnerTexts()).toEqual(words);
    await expect.poll(() => page.getByText('/usr/bin').isVisible()).toBe(false);
  });

  it('keeps the focus, and what is open, when a step is added', async () => {
    await show({ ...diagnosis, sections: steps.slice(0, 2) });
    await page.getByText('Searched in PATH').click();
    await show(diagnosis, true);
    expect(await page.getByText('/usr/bin').isVisible()).toBe(true);
    expect(await page.locator(':focus').innerText()).toBe('Searched in PATH');
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
    await page.getByRole('button', { name: 'Stop' }).focus();
    await show({ ...diagnosis, actions: [{ id: 'again', label: 'Diagnose Again', icon: 'refresh' }] }, true);
    expect(await page.locator(':focus').innerText()).toBe('Diagnose Again');
  });

  it('takes no press of a button that is new or has moved, until it can have been seen', async () => {
    const own = await panels.open('facts', { stopClock: true });
    await own.load();
    const draw = (view: FactsView, isUpdate = true) => own.post(messageOf(view, isUpdate));
    const pressed = () => own.sent.slice(1);
    const at = async (name: string) => {
      const box = await own.page.getByRole('button', { name, exact: true }).boundingBox();
      if (box === null) throw new Error(`${name} is not shown`);
      return [box.x + box.width / 2, box.y + box.height / 2] as const;
    };
    const showLog = { id: 'showLog', label: 'Show Log', icon: 'output' };
    const before: FactsView = { ...diagnosis, summary: { kind: 'error', text: 'No.', actions: [showLog] } };
    await draw(before, false);
    await own.untilEnabled();
    const [stop, log] = [await at('Stop'), await at('Show Log')];
    // What is under the pointer and under the focus becomes another button; what only stays goes on.
    await own.page.getByRole('button', { name: 'Show Log' }).focus();
    const start = { id: 'start', label: 'Start', icon: 'play' };
    await draw({ ...before, summary: { kind: 'error', text: 'No.', actions: [start] } });
    await own.page.mouse.click(...log);
    await own.press('Enter');
    await own.page.mouse.click(...stop);
    await expect.poll(pressed).toEqual([{ type: 'action', id: 'stop' }]);
    await draw({
      ...before,
      actions: [{ id: 'again', label: 'Diagnose Again', icon: 'refresh' }],
      summary: { kind: 'error', text: 'No.', actions: [start] },
    });
    await own.page.mouse.click(...stop);
    await own.page.clock.runFor(900);
    await own.page.mouse.click(...stop);
    await own.page.clock.runFor(200);
    await own.page.mouse.click(...log);
    await expect.poll(pressed).toEqual([
      { type: 'action', id: 'stop' },
      { type: 'action', id: 'start' },
    ]);
  });

  it('is sound in each look', { timeout: 60_000 }, async () => {
    await show(details);
    await expectSound(panel, 'facts-details');
    await show(diagnosis);
    await expectSound(panel, 'facts-diagnosis');
  });
});
