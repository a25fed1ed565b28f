import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { cacheFolder, repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import type { Companion, Outcome, ToolCall } from './companion.ts';
import { Dialogs } from './dialogs.ts';
import type { EditorServer } from './editorServer.ts';
import { type NeutralPaths, withNeutralPaths } from './neutralPaths.ts';
import { Notifications } from './notifications.ts';
import { driverTimeoutMs } from './timeouts.ts';
import type { PageErrors } from './pageErrors.ts';
import { QuickInput } from './quickInput.ts';
import { Sidebar } from './sidebar.ts';
import { untilStored } from './storage.ts';
import type { ColorTheme } from './themes.ts';
import { themeClasses, themeLabels, themes } from './themes.ts';
import { Webviews } from './webviews.ts';

const hasPictures = process.env['PATCHBAY_SCREENSHOTS'] !== undefined;

export interface WorkbenchParts {
  readonly page: Page;
  readonly server: EditorServer;
  readonly workspace: string;
  readonly errors: PageErrors;
  /** For pictures that others will see. */
  readonly neutralPaths: NeutralPaths;
}

/** A VS Code window. Methods wait for the element they act on, and fail when it does not appear. */
export class Workbench {
  readonly page: Page;
  /** The copy of the workspace that is open. */
  readonly workspace: string;
  readonly errors: PageErrors;
  readonly quickInput: QuickInput;
  readonly sidebar: Sidebar;
  readonly dialogs: Dialogs;
  readonly notifications: Notifications;
  readonly webviews: Webviews;
  readonly #parts: WorkbenchParts;

  constructor(parts: WorkbenchParts) {
    this.#parts = parts;
    this.page = parts.page;
    this.workspace = parts.workspace;
    this.errors = parts.errors;
    this.quickInput = new QuickInput(parts.page);
    this.sidebar = new Sidebar(parts.page);
    this.dialogs = new Dialogs(parts.page);
    this.notifications = new Notifications(parts.page, this.quickInput);
    this.webviews = new Webviews(parts.page);
  }

  /** The companion extension. Fails when the window was opened without it. */
  get companion(): Companion {
    const { companion } = this.#parts.server;
    if (companion === undefined) throw new Error('Open VS Code with companion: true to use the companion.');
    return companion;
  }

  /**
   * Chooses a tool in *Call MCP Tool…*: its form opens, or it is called at once if it takes nothing.
   * @param filter what to type into the list of tools
   */
  async chooseTool(title: string, filter = title): Promise<Frame> {
    await this.runCommand('MCP Patchbay: Call MCP Tool…');
    await this.quickInput.choose(title, filter);
    return this.webviews.frame(`h1:has-text("${title}")`);
  }

  /** Calls a tool as another extension does, and says yes to that. Resolves when the call is on its way. */
  async callTool(call: ToolCall): Promise<{ outcome: Promise<Outcome> }> {
    const outcome = this.companion.callTool(call);
    await this.dialogs.press('Call');
    return { outcome };
  }

  /** Calls a tool as {@link callTool}, and lets other extensions call it always from then on. */
  async callToolAlways(call: ToolCall): Promise<{ outcome: Promise<Outcome> }> {
    const calling = await this.callTool(call);
    await this.allowAlways(call.server, call.tool);
    return calling;
  }

  /** Allows always what an app or another extension was allowed once. */
  async allowAlways(server: string, tool: string): Promise<void> {
    await this.runCommand('MCP Patchbay: Always Allow…');
    await this.quickInput.pick(`${server} → ${tool}`);
  }

  /**
   * Resolves when the window has loaded completely. Each of the three waits is for a cause of failed tests on a busy
   * machine, where these states come many seconds late:
   * - Until the phase "Eventually", VS Code opens views and moves the focus to them.
   * - VS Code asks before it opens a page in the browser only after it has created the contributions of phase 3, which
   *   it does when it is idle.
   * - A command of an extension runs only after every extension host has started, the one in a web worker included.
   */
  async waitUntilReady(): Promise<void> {
    const hasLoaded = (): boolean =>
      ['code/LifecyclePhase/Eventually', 'code/didCreateWorkbenchContributions/3'].every(
        (mark) => performance.getEntriesByName(mark).length > 0,
      );
    // Not with each frame, which would make the page draw frames.
    await this.page.waitForFunction(hasLoaded, undefined, { timeout: 120_000, polling: 100 });
    await this.page.locator('.statusbar-item').first().waitFor();
    await this.page.locator('.activitybar [role="tab"]').first().waitFor();
    const deadline = performance.now() + driverTimeoutMs;
    while (!(await hasExtensionWorker(this.page))) {
      if (performance.now() > deadline) throw new Error('The extension host in a web worker did not start.');
      await this.page.waitForTimeout(100);
    }
  }

  /** Shows the sidebar, starts a server that has not run before by the button of its row, and says yes to that. */
  async startServer(label: string): Promise<void> {
    await this.sidebar.open();
    await this.sidebar.inlineAction(label, 'Start MCP Server');
    // About the one that comes with Patchbay nothing is asked; a file may have another one of its name.
    const runs = this.sidebar.item(label).and(this.page.locator('[aria-label*="running"]'));
    await this.dialogs.dialog.or(runs).first().waitFor();
    if (label !== 'demo' || (await this.dialogs.dialog.isVisible())) await this.dialogs.press('Start');
  }

  /** Runs a command from the palette by its full title, such as `Patchbay: Run MCP Prompt…`. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /**
   * Reloads the window, as *Developer: Reload Window* does.
   * @param stored what VS Code must have stored before: what an editor keeps of itself is written some seconds later
   */
  async reload(stored?: RegExp): Promise<void> {
    await this.#parts.server.companion?.leave();
    await untilStored(this.page, stored);
    await this.page.reload();
    await this.waitUntilReady();
  }

  async setTheme(theme: ColorTheme): Promise<void> {
    await this.quickInput.runCommand('Preferences: Color Theme');
    await this.quickInput.choose(themeLabels[theme]);
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  /** The visible text of the window, for the report of a failure: the beginning of each part. */
  async shownText(): Promise<string> {
    const { page, dialogs, quickInput, sidebar } = this;
    const parts = {
      dialog: dialogs.dialog,
      'quick input': quickInput.widget,
      notifications: page.locator('.notification-list-item'),
      tabs: page.locator('.tabs-container'),
      sidebar: sidebar.container,
      'status bar': page.locator('.part.statusbar'),
    };
    const texts = await Promise.all(
      Object.entries(parts).map(async ([name, locator]) => {
        const text = (await locator.allInnerTexts()).join(' | ').replaceAll(/\s+/g, ' ').trim();
        return text === '' ? [] : [`${name}: ${text.slice(0, 400)}`];
      }),
    );
    const others = page
      .context()
      .pages()
      .filter((other) => other !== page);
    return [...texts.flat(), ...others.map((other) => `another page: ${addressOf(other)}`)].join('\n');
  }

  /** The last lines of each log of Patchbay, of every extension host so far, for the report of a failure. */
  async recentLogs(): Promise<string> {
    const paths = await this.#parts.server.logs();
    const texts = await Promise.all(
      paths
        .filter((path) => /\bpatchbay\.patchbay\b/.test(path))
        .map(async (path) => {
          const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(-30);
          return `${path}:\n${lines.join('\n')}`;
        }),
    );
    return texts.join('\n');
  }

  /** The text of the person's settings. */
  async userSettings(): Promise<string> {
    return readFile(join(this.#parts.server.userFolder, 'settings.json'), 'utf8');
  }

  /** Takes a picture for a person to look at, where `PATCHBAY_SCREENSHOTS` asks for it: it takes VS Code up to a second. */
  async screenshot(name: string): Promise<void> {
    if (hasPictures) await this.#takePicture(name);
  }

  /**
   * Takes a picture in each theme, where pictures are asked for. What a theme may break is tested in pages and in dialogs' words.
   * @param show sets the theme, and shows again what that has hidden
   */
  async screenshotInThemes(name: string, show = (theme: ColorTheme) => this.setTheme(theme)): Promise<void> {
    if (!hasPictures) return;
    for (const theme of themes) {
      await show(theme);
      await this.#takePicture(`${name}-${theme}`);
    }
  }

  /** Takes a picture in any case. */
  async screenshotOfFailure(name: string): Promise<void> {
    await this.#takePicture(`failed-${name.replaceAll(/\W+/g, '-').slice(0, 80)}`);
  }

  /** Takes a picture for the README, besides the one in the cache folder, as {@link screenshot}. It shows no path of this machine. */
  async publishScreenshot(name: string): Promise<void> {
    if (!hasPictures) return;
    await withNeutralPaths(this.page, this.#parts.neutralPaths, async () => {
      await this.#takePicture(name);
      await this.#takePicture(name, join(repositoryRoot, 'media', 'screenshots'));
    });
  }

  async #takePicture(name: string, folder = join(cacheFolder, 'screenshots')): Promise<void> {
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /**
   * Closes the window. Its extension host ends, and every process that this one has started.
   * @throws When a webview broke its content security policy.
   */
  async close(): Promise<void> {
    await this.#parts.server.release();
    this.errors.stop();
    if (this.errors.policyViolations.length > 0) {
      throw new Error(`A webview broke its content security policy:\n${this.errors.policyViolations.join('\n')}`);
    }
  }
}

/** Without the query, which holds the code of a sign-in. */
function addressOf(page: Page): string {
  return page.url().replace(/[?#].*$/, '');
}

async function hasExtensionWorker(page: Page): Promise<boolean> {
  const isReady = (): boolean => performance.getEntriesByName('code/extHost/ready').length > 0;
  // A worker that has just ended does not answer.
  const found = page.workers().map((worker) => worker.evaluate(isReady).catch(() => false));
  return (await Promise.all(found)).includes(true);
}
