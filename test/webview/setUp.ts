import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Clock, createSystemClock } from '../../src/base/clock.ts';
import { estimateTokens } from '../../src/client/sampling/tokenBudget.ts';
import type { SchemaValidator } from '../../src/client/validation/schemaValidator.ts';
import {
  createElicitationQueue as createQueue,
  type ElicitationQueue,
} from '../../src/host/consent/elicitationQuestion.ts';
import { createOpenQuestions } from '../../src/host/consent/openQuestions.ts';
import { createSamplingQueue, type SamplingQueue } from '../../src/host/consent/samplingQuestion.ts';
import { createLocalValidator } from '../fixtures/schemaChecker.ts';
import { sharedBrowser } from '../ui/driver/sharedBrowser.ts';
import { openPanelPage, openTab, type PageLook, type PageTime, type PanelPage, type PanelTab } from './panelPage.ts';
import { type PageName, type PanelServer, startPanelServer } from './panelServer.ts';

/** The first run of all may install Chromium. */
const startTimeoutMs = 5 * 60_000;

/** The panels of one test file. */
export interface Panels {
  address(panel: PageName): string;
  /** Opens a panel, in a tab that panels before it may have used. By default its timers are hurried. */
  open(panel: PageName, options?: PageLook & PageTime): Promise<PanelPage>;
  /** Opens a panel in a tab of its own, which the test may change. */
  openAlone(panel: PageName): Promise<PanelPage>;
}

/**
 * Starts the panel server and a browser before the tests of a file, and stops them after. After each test, its panels are closed,
 * and must have had no problems. Call at the top of the file.
 */
export function usePanels(): Panels {
  let server: PanelServer;
  let browser: Browser;
  const free: PanelTab[] = [];
  const opened: PanelPage[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startPanelServer(), sharedBrowser()]);
  }, startTimeoutMs);

  afterEach(async () => {
    const panels = opened.splice(0);
    for (const panel of panels) await panel.dispose();
    for (const { problems } of panels) expect(problems).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all(free.map(({ page }) => page.context().close()));
    await server.close();
  });

  async function openNew(panel: PageName, look: PageLook, time: PageTime): Promise<PanelPage> {
    const tab = await openTab(browser, time);
    return openPanelPage(tab, server.address(panel), look, () => tab.page.context().close());
  }

  async function openHurried(panel: PageName, look: PageLook): Promise<PanelPage> {
    const tab = free.pop() ?? (await openTab(browser, { isHurried: true }));
    return openPanelPage(tab, server.address(panel), look, async () => {
      await tab.page.evaluate(() => sessionStorage.clear());
      await tab.page.goto('about:blank');
      await tab.page.mouse.move(0, 0);
      free.push(tab);
    });
  }

  async function closeLater(opening: Promise<PanelPage>): Promise<PanelPage> {
    const panel = await opening;
    opened.push(panel);
    return panel;
  }

  return {
    address: (panel) => server.address(panel),
    open: (panel, { stopClock = false, isHurried = !stopClock, ...look } = {}) =>
      closeLater(isHurried ? openHurried(panel, look) : openNew(panel, look, { stopClock })),
    openAlone: (panel) => closeLater(openNew(panel, {}, { isHurried: true })),
  };
}

/** The extension's side of the consent panel. By default adding a model adds none. */
export function createConsentQueue(
  panel: PanelPage,
  clock: Clock = createSystemClock(),
  addModel: () => Promise<void> = () => Promise.resolve(),
): SamplingQueue {
  return createSamplingQueue({
    questions: createOpenQuestions(),
    openPanel: panel.openPanel,
    clock,
    estimateTokens,
    addModel,
  });
}

export interface ElicitationQueueOptions {
  readonly validator?: SchemaValidator;
  /** Opens an address in the browser; `false` where that failed. By default every address opens. */
  readonly openAddress?: (href: string) => Promise<boolean>;
}

/** The extension's side of the elicitation panel. */
export function createElicitationQueue(
  panel: PanelPage,
  { validator = createLocalValidator(), openAddress = () => Promise.resolve(true) }: ElicitationQueueOptions = {},
): ElicitationQueue {
  return createQueue({
    questions: createOpenQuestions(),
    validator,
    openPanel: panel.openPanel,
    openAddress,
  });
}

/** All that a page has sent while the person decided nothing. */
export const undecided = [{ type: 'ready' }];
