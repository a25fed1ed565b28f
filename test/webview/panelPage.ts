import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { WebviewPanel } from 'vscode';
import { Emitter } from '../../src/base/event.ts';
import { isRecord } from '../../src/base/json.ts';
import { type ThemeName, themes } from './themes.ts';

const screenshots = resolve(import.meta.dirname, '../../.vscode-test/screenshots');

/** How the clock of a page goes. */
export interface PageTime {
  /** Stops the clock of the page; the test moves it with `page.clock`. */
  readonly stopClock?: boolean;
  /** Timers end in a tenth of their time: what people need to see a question, tests do not. */
  readonly isHurried?: boolean;
}

/** How a page looks; by default dark, and 820 × 900 pixels. */
export interface PageLook {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
}

/** A tab of the browser. It is for one panel at a time, and takes less time than a new one. */
export interface PanelTab {
  readonly page: Page;
  /** Called with what the page sends to the extension. */
  receive: (message: unknown) => void;
  report: (problem: string) => void;
}

/** One panel in the browser; the test takes the place of VS Code. */
export type PanelPage = Awaited<ReturnType<typeof openPanelPage>>;

/** Opens a new tab, in which a test takes the place of VS Code. */
export async function openTab(browser: Browser, { stopClock, isHurried }: PageTime): Promise<PanelTab> {
  const page = await (await browser.newContext()).newPage();
  const tab: PanelTab = { page, receive: () => {}, report: () => {} };
  if (stopClock === true) {
    // After `install` the clock still runs; `pauseAt` needs a time that has not passed yet.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
  }
  if (isHurried === true) await page.addInitScript(hurryTimers);
  page.on('pageerror', (error) => tab.report(String(error)));
  page.on('console', (line) => line.type() === 'error' && tab.report(line.text()));
  page.on('requestfailed', (request) => tab.report(`failed: ${request.url().slice(0, 200)}`));
  await page.exposeFunction('sendToHost', (json: string) => tab.receive(JSON.parse(json)));
  await page.exposeFunction('reportProblem', (problem: string) => tab.report(problem));
  await page.addInitScript(`
    globalThis.acquireVsCodeApi = () => ({
      postMessage: (message) => void sendToHost(JSON.stringify(message) ?? 'null'),
      getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
      setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
    });
    document.addEventListener('securitypolicyviolation', (event) => reportProblem(event.violatedDirective + ' ' + event.blockedURI));
  `);
  return tab;
}

/**
 * Takes a tab for one panel. The page is loaded by {@link PanelPage.load} or {@link PanelPage.openPanel}.
 * @param address of the page, as the panel server gives it
 * @param release called when the test has disposed the panel
 */
export async function openPanelPage(tab: PanelTab, address: string, first: PageLook, release: () => Promise<void>) {
  const { page } = tab;
  const problems: string[] = [];
  const sent: unknown[] = [];
  const messages = new Emitter<unknown>();
  const closed = new Emitter<void>();
  tab.report = (problem) => void problems.push(problem);
  tab.receive = (message) => {
    // Each page tells of keys; no test is about that.
    if (isRecord(message) && message['type'] === 'typed') return;
    sent.push(message);
    messages.fire(message);
  };
  const setSize = ({ width = 820, height = 900 }: PageLook): Promise<void> => page.setViewportSize({ width, height });
  const setTheme = ({ theme = 'dark-modern' }: PageLook): Promise<void> => page.evaluate(applyTheme, themes[theme]);
  await setSize(first);
  const load = async (): Promise<void> => {
    await page.goto(address);
    await setTheme(first);
  };
  const post = (message: unknown): Promise<void> => page.evaluate(deliver, JSON.stringify(message));
  // As in VS Code, messages arrive in order, never at a page that is being replaced, and not at a closed panel.
  let delivered = Promise.resolve();
  let isDisposed = false;
  const inOrder = (step: () => Promise<void>): Promise<void> => {
    if (!isDisposed) delivered = delivered.then(step);
    return delivered;
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    page,
    /** Violations of the content security policy, script errors and failed requests. A test expects none. */
    problems: problems as readonly string[],
    /** The problems so far, which the test expects. */
    takeProblems: (): readonly string[] => problems.splice(0),
    /** All messages that the page sent, read from JSON. */
    sent: sent as readonly unknown[],
    load: () => inOrder(load),
    /** Resolves when the page has handled the message. */
    post: (message: unknown) => inOrder(() => post(message)),
    /** Resolves once the page is loaded, where it was to be loaded, and has handled all messages so far. */
    settled: () => delivered,
    press,
    /**
     * Moves the stopped clock until buttons can be pressed. A page that is still being laid out, by a font that comes late, makes
     * them wait again.
     */
    async untilEnabled() {
      do await page.clock.runFor(1_000);
      while ((await page.locator('button:disabled, button[aria-disabled=true]').count()) > 0);
    },
    /** A button with exactly that name, once it is enabled. */
    readyButton: (name: string) => page.getByRole('button', { name, exact: true, disabled: false }),
    /** Presses Tab until the control with that label has the focus; throws after 60 presses. */
    async tabTo(label: string) {
      for (let steps = 0; steps < 60; steps += 1) {
        await press('Tab');
        if ((await page.evaluate(focusedLabel)) === label) return;
      }
      throw new Error(`Tab never reached "${label}".`);
    },
    /** Loads the page, and gives it to the extension as its panel. */
    openPanel: (): WebviewPanel => {
      void inOrder(load);
      const opened = {
        webview: {
          onDidReceiveMessage: messages.event,
          postMessage: (message: unknown) => inOrder(() => post(message)),
        },
        onDidDispose: closed.event,
        onDidChangeViewState: () => {},
        reveal: () => void page.bringToFront(),
        dispose: () => {},
      };
      return opened as unknown as WebviewPanel;
    },
    closePanel: () => closed.fire(),
    /** What the look does not say is as it was when the page was opened. */
    async setLook(look: PageLook) {
      await setSize({ ...first, ...look });
      await setTheme({ ...first, ...look });
    },
    /** Takes a picture for a person to look at, where `PATCHBAY_SCREENSHOTS` asks for it. */
    async screenshot(name: string) {
      if (process.env['PATCHBAY_SCREENSHOTS'] === undefined) return;
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: resolve(screenshots, `webview-${name}.png`) });
    },
    async dispose() {
      if (isDisposed) return;
      isDisposed = true;
      await delivered;
      tab.receive = () => {};
      tab.report = () => {};
      await release();
    },
  };
}

/** Runs in the page. */
function applyTheme({ bodyClass, variables }: (typeof themes)[ThemeName]): void {
  document.body.className = bodyClass;
  // A theme need not have each variable.
  document.documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(variables))
    document.documentElement.style.setProperty(`--vscode-${name}`, value);
}

/** Runs in the page. */
function hurryTimers(): void {
  const set = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, delay = 0) => set(run, delay / 10)) as typeof setTimeout;
}

/** Runs in the page. */
function deliver(json: string): Promise<void> {
  return new Promise((done) => {
    // Listeners are called in the order in which they were added, and the page has added its own.
    window.addEventListener('message', () => done(), { once: true });
    window.postMessage(JSON.parse(json) as unknown, '*');
  });
}

/** Runs in the page. */
function focusedLabel(): string {
  const active = document.activeElement;
  const labels = active !== null && 'labels' in active ? (active.labels as NodeListOf<Element> | null) : null;
  return labels?.[0]?.textContent ?? active?.textContent ?? '';
}
