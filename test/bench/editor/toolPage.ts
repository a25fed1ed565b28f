import type { Page } from 'playwright-core';
import { toResultView } from '../../../src/host/results/resultDocument.ts';
import { sharedBrowser } from '../../ui/driver/sharedBrowser.ts';
import { openPanelPage, openTab, type PanelPage } from '../../webview/panelPage.ts';
import { startPanelServer } from '../../webview/panelServer.ts';
import { toolDocument } from '../../webview/samples.ts';
import { toolView } from '../../webview/toolSamples.ts';
import type { EditorRow } from './patchbayWindow.ts';

const rounds = 8;
const properties = 200;
const resultRows = 60_000;

/** The page of a tool in a Chromium of its own: what VS Code needs for a webview is not in it. */
export async function measureToolPage(): Promise<EditorRow[]> {
  const [server, browser] = await Promise.all([startPanelServer(), sharedBrowser()]);
  const first: number[] = [];
  const key: number[] = [];
  const result: number[] = [];
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round += 1) {
      const tab = await openTab(browser, {});
      const panel = await openPanelPage(tab, server.address('tool'), {}, () => tab.page.context().close());
      await panel.load();
      const samples = [await timeToFirstField(panel), await timeOfKey(panel.page), await timeOfResult(panel)] as const;
      if (round > 0) [first, key, result].forEach((list, index) => list.push(samples[index] ?? 0));
      await panel.dispose();
    }
  } finally {
    await server.close();
  }
  return [
    { title: `tool: form of ${properties} properties, to the first field`, unit: 'ms', samples: first, budget: 150 },
    { title: `tool: script for one key in that form`, unit: 'ms', samples: key, budget: 16 },
    { title: 'tool: a result of 10 MB, laid out and drawn', unit: 'ms', samples: result, budget: 1_000 },
  ];
}

/** From the message with the tool to the frame in which its fields are painted. */
async function timeToFirstField({ page }: PanelPage): Promise<number> {
  const kinds = [
    { type: 'string' },
    { type: 'integer', minimum: 0 },
    { enum: ['a', 'b'] },
    { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'number' } } }] },
    { type: 'array', items: { type: 'string' } },
  ];
  const named = Array.from({ length: properties }, (_, index) => [`property${index}`, kinds[index % kinds.length]]);
  const view = { ...toolView, schema: { type: 'object', properties: Object.fromEntries(named) } };
  return timeToFrame(page, [
    { type: 'tool', view },
    { type: 'arguments', args: {} },
  ]);
}

/** The longest of ten keys in the whole form: all of the event, which VS Code waits for. */
async function timeOfKey(page: Page): Promise<number> {
  await page.waitForFunction((count) => document.querySelectorAll('.form-property').length === count, properties);
  return page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('.form textarea');
    if (field === null) throw new Error('The form has no field.');
    field.focus();
    const times = Array.from({ length: 10 }, (_, index) => {
      field.value += String(index);
      const startedAt = performance.now();
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      return performance.now() - startedAt;
    });
    return Math.max(...times);
  });
}

/** What the extension does with the result, and the page until it is painted. */
async function timeOfResult({ page }: PanelPage): Promise<number> {
  const rows = Array.from({ length: resultRows }, (_, index) => ({
    id: index,
    name: `row ${index}`,
    text: 'x'.repeat(130),
  }));
  const structuredContent = { rows };
  const text = JSON.stringify(structuredContent);
  const startedAt = performance.now();
  const document = {
    ...toolDocument,
    result: { kind: 'tool', result: { content: [{ type: 'text', text }], structuredContent, isError: false } },
  } as const;
  const outcome = { kind: 'result', at: 0, durationMs: 1, result: toResultView(document) };
  const layout = performance.now() - startedAt;
  return layout + (await timeToFrame(page, [{ type: 'outcome', outcome }]));
}

/** Milliseconds in the page from messages to the frame after them. */
async function timeToFrame(page: Page, messages: readonly unknown[]): Promise<number> {
  return page.evaluate(async (json) => {
    const parsed = JSON.parse(json) as readonly unknown[];
    const startedAt = performance.now();
    for (const message of parsed) window.postMessage(message, '*');
    await new Promise((handled) => {
      window.addEventListener('message', ({ data }) => data === 'handled' && handled(undefined));
      window.postMessage('handled', '*');
    });
    await new Promise((painted) => {
      requestAnimationFrame(() => setTimeout(painted));
    });
    return performance.now() - startedAt;
  }, JSON.stringify(messages));
}
