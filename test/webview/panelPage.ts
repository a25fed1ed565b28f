import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { QuestionSurface } from '../../src/host/panels/questionQueue.ts';
import { Emitter } from '../../src/base/event.ts';
import { type ThemeName, themes } from './themes.ts';

const screenshots = resolve(import.meta.dirname, '../../.vscode-test/screenshots');

/** A real browser, without any of its own traffic. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface PanelPageOptions {
  readonly address: string;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** The page's time stands still until the test moves it (`page.clock`). */
  readonly stopClock?: boolean;
}

/** One panel in the browser, with VS Code's side of it played by the test. */
export interface PanelPage {
  readonly page: Page;
  /** Violations of the policy, script errors and failed requests: a test expects none. */
  readonly problems: readonly string[];
  /** What the page sent, as JSON carries it. */
  readonly sent: readonly unknown[];
  /** The panel as the extension's end of it sees one; loads the page. */
  readonly openSurface: () => QuestionSurface<unknown>;
  load(): Promise<void>;
  post(message: unknown): Promise<void>;
  closePanel(): void;
  screenshot(name: string): Promise<void>;
  dispose(): Promise<void>;
}

export async function openPanelPage(browser: Browser, options: PanelPageOptions): Promise<PanelPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 820, height: options.height ?? 900 },
  });
  const page = await context.newPage();
  if (options.stopClock === true) await page.clock.install();
  const problems: string[] = [];
  const sent: unknown[] = [];
  const messages = new Emitter<unknown>();
  const closed = new Emitter<void>();
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url().slice(0, 200)}`));
  await page.exposeFunction('sendToHost', (json: string) => {
    const message: unknown = JSON.parse(json);
    sent.push(message);
    messages.fire(message);
  });
  await page.exposeFunction('reportProblem', (problem: string) => problems.push(problem));
  await page.addInitScript(`
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => void sendToHost(JSON.stringify(message) ?? 'null') });
    document.addEventListener('securitypolicyviolation', (event) => reportProblem(event.violatedDirective + ' ' + event.blockedURI));
  `);
  const theme = themes[options.theme ?? 'dark-modern'];
  const load = async (): Promise<void> => {
    await page.goto(options.address);
    await page.evaluate(
      ([bodyClass, variables]) => {
        document.body.className = bodyClass;
        for (const [name, value] of Object.entries(variables))
          document.documentElement.style.setProperty(`--vscode-${name}`, value);
      },
      [theme.bodyClass, theme.variables] as const,
    );
  };
  const post = (message: unknown): Promise<void> =>
    page.evaluate((json) => window.postMessage(JSON.parse(json) as unknown, '*'), JSON.stringify(message));
  return {
    page,
    problems,
    sent,
    load,
    post,
    openSurface() {
      void load();
      return {
        onMessage: messages.event,
        onDidClose: closed.event,
        post: (message) => void post(message),
        reveal: () => void page.bringToFront(),
        dispose: () => {},
      };
    },
    closePanel: () => closed.fire(),
    async screenshot(name) {
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: resolve(screenshots, `webview-${name}.png`) });
    },
    dispose: () => context.close(),
  };
}
