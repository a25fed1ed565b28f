import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../src/base/event.ts';
import { toResultView } from '../../src/host/results/resultDocument.ts';
import type { AppToPanel } from '../../src/shared/appMessages.ts';
import { auditRows } from './auditSamples.ts';
import { appMemory, appView } from './appSamples.ts';
import type { PanelPage } from './panelPage.ts';
import type { PageName } from './panelServer.ts';
import { formReview, review, startRows, toolDocument } from './samples.ts';
import { createConsentQueue, createElicitationQueue, usePanels } from './setUp.ts';
import { listedCalls, toolView } from './toolSamples.ts';

const panels = usePanels();

/** The first message that the extension sends when a question is opened. */
async function firstMessage(open: (panel: PanelPage) => void): Promise<unknown> {
  const sent = new Emitter<unknown>();
  const first = new Promise((resolve) => {
    const opened = {
      webview: { onDidReceiveMessage: sent.event, postMessage: resolve },
      onDidDispose: () => {},
      onDidChangeViewState: () => {},
      dispose: () => {},
    };
    open({ openPanel: () => opened } as unknown as PanelPage);
  });
  sent.fire({ type: 'ready' });
  return first;
}

const app: AppToPanel = { type: 'app', view: appView, memory: appMemory };

/** A message that changes the page of each panel. */
const messages: readonly (readonly [name: PageName, message: () => unknown])[] = [
  ['app', () => app],
  ['audit', () => ({ type: 'records', isFirst: true, isLast: true, records: auditRows(0) })],
  ['calls', () => ({ type: 'calls', calls: listedCalls(0), isKept: true })],
  ['consent', () => firstMessage((panel) => void createConsentQueue(panel).open(review).askRequest())],
  ['elicitation', () => firstMessage((panel) => void createElicitationQueue(panel).open(formReview))],
  ['result', () => ({ type: 'show', view: toResultView(toolDocument) })],
  ['startReview', () => ({ type: 'show', turn: 1, rows: startRows })],
  ['tool', () => ({ type: 'tool', view: toolView })],
];

/** Opens the page of a panel in a frame of a page without an origin, which can post to it as an app of the window can. */
async function openFramed(name: PageName): Promise<{ readonly panel: PanelPage; readonly frame: Frame }> {
  const panel = await panels.openAlone(name);
  // Such a page's frames have no storage of their own.
  await panel.page.addInitScript(`
    Object.defineProperty(window, 'sessionStorage', { value: { getItem: () => null, setItem: () => {} } });
  `);
  await panel.page.setContent(`<iframe src="${panels.address(name)}" width="800" height="600"></iframe>`);
  await expect.poll(() => panel.sent.length).toBeGreaterThan(0);
  const [, frame] = panel.page.frames();
  if (frame === undefined) throw new Error(`The page ${name} has not loaded.`);
  return { panel, frame };
}

describe('a message that is not of the extension', () => {
  it('is tried with each page', () => {
    expect(messages.map(([name]) => name)).toEqual([
      'app',
      'audit',
      'calls',
      'consent',
      'elicitation',
      'result',
      'startReview',
      'tool',
    ]);
  });

  it.each(messages)('changes nothing on the page %s, where the same of the extension does', async (name, make) => {
    const { panel, frame } = await openFramed(name);
    const json = JSON.stringify(await make());
    const before = await frame.content();
    await panel.page.evaluate((text) => {
      const target = document.querySelector('iframe')?.contentWindow;
      target?.postMessage(JSON.parse(text), '*');
    }, json);
    // A message of the page to itself comes after what was posted before it.
    await frame.evaluate(
      () =>
        new Promise<void>((done) => {
          window.addEventListener('message', ({ data }) => data === 'last' && done());
          window.postMessage('last', '*');
        }),
    );
    expect(await frame.content()).toBe(before);
    await frame.evaluate((text) => window.postMessage(JSON.parse(text) as unknown, '*'), json);
    await expect.poll(() => frame.content()).not.toBe(before);
  });
});
