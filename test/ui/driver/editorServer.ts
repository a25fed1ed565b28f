import { cp, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumArguments, ensureChromium } from '../../tools/vscodeHost/chromium.mjs';
import { installExtension } from '../../tools/vscodeHost/installExtension.mjs';
import { installServer } from '../../tools/vscodeHost/installServer.mjs';
import type { InstalledServer } from '../../tools/vscodeHost/installServer.mjs';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import { startServer } from '../../tools/vscodeHost/startServer.mjs';
import type { RunningServer } from '../../tools/vscodeHost/startServer.mjs';
import { findRelease, newestVersion } from '../../tools/vscodeHost/versions.mjs';
import { Companion } from './companion.ts';
import type { NewWorkspace } from './newWorkspace.ts';
import type { ColorTheme } from './themes.ts';
import { driverTimeoutMs } from './timeouts.ts';

/** How the extension under test is loaded. */
export type ExtensionSource =
  | { readonly kind: 'development'; readonly path?: string }
  | { readonly kind: 'vsix'; readonly path: string };

export interface OpenOptions {
  /** The VS Code version; the newest known one unless given. */
  readonly version?: string;
  /**
   * A folder or a `.code-workspace` file, absolute, which is copied (with the folder it is in), so tests may edit it; or a
   * folder that is made for this window.
   */
  readonly workspace: string | NewWorkspace;
  /** The repository itself, under development, unless given. */
  readonly extension?: ExtensionSource;
  /** Whether the companion extension is loaded: language models, unless they are left out, and a way to call Patchbay's API. */
  readonly companion?: boolean | { readonly models: false };
  /** Folders of further extensions, which are installed from copies. */
  readonly installed?: readonly string[];
  /** Whether VS Code asks to trust the workspace. Otherwise it is trusted. */
  readonly workspaceTrust?: boolean;
  readonly colorTheme?: ColorTheme;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

const viewport = { width: 1_280, height: 800 };

/** An extension host shuts its extensions down before it ends. */
const endOfHostMs = 20_000;

/** Servers without a window, by what they were started with. They end with this process. */
const idle = new Map<string, EditorServer>();

/** A VS Code server with a profile, and a browser for its windows, which keeps their compiled code. It has one window at a time. */
export class EditorServer {
  readonly installed: InstalledServer;
  readonly running: RunningServer;
  readonly context: BrowserContext;
  readonly companion: Companion | undefined;
  /** All its files are in here. */
  readonly folder: string;
  readonly #key: string;
  #windows = 0;
  #windowSince = 0;

  private constructor(
    installed: InstalledServer,
    running: RunningServer,
    context: BrowserContext,
    companion: Companion | undefined,
    folder: string,
    key: string,
  ) {
    this.installed = installed;
    this.running = running;
    this.context = context;
    this.companion = companion;
    this.folder = folder;
    this.#key = key;
  }

  /** One that has no window, from a test file that ran before in this process, or a new one. */
  static async take(options: OpenOptions): Promise<EditorServer> {
    const { version = newestVersion, extension, companion = false, installed, env, workspaceTrust = false } = options;
    const key = JSON.stringify({ version, extension, companion, installed, env, workspaceTrust });
    const kept = idle.get(key);
    idle.delete(key);
    return kept ?? this.#start(options, key);
  }

  static async #start(options: OpenOptions, key: string): Promise<EditorServer> {
    const installed = await installServer(options.version ?? newestVersion, report);
    const extension = options.extension ?? { kind: 'development' };
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-ui-')));
    try {
      const extensionsDir = join(folder, 'extensions');
      // The page takes one extension under development only, so the companion is an installed one.
      const companion = await installCompanion(options, folder, extensionsDir);
      for (const path of options.installed ?? []) {
        await cp(path, join(extensionsDir, basename(path)), { recursive: true });
      }
      if (extension.kind === 'vsix') await installExtension(installed, extension.path, folder, extensionsDir);
      const running = await startServer(installed, {
        folder,
        userDataDir: join(folder, 'user'),
        extensionsDir,
        env: { PATCHBAY_REPO: repositoryRoot, ...companion?.env, ...options.env },
        workspaceTrust: options.workspaceTrust === true,
        smokeTestDriver: extension.kind === 'development' && findRelease(installed.version).developsOnlyWithDriver,
      });
      try {
        const context = await launchBrowser(join(folder, 'profile'));
        return new EditorServer(installed, running, context, companion, folder, key);
      } catch (error) {
        await running.stop();
        throw error;
      }
    } catch (error) {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  }

  get userFolder(): string {
    return join(this.folder, 'user', 'User');
  }

  /** The paths of the logs of the last window. */
  async logs(): Promise<readonly string[]> {
    const logs = join(this.folder, 'user', 'logs');
    const paths = (await readdir(logs, { recursive: true })).map((path) => join(logs, path));
    const stats = await Promise.all(paths.map((path) => stat(path)));
    return paths.filter(
      (path, index) => path.endsWith('.log') && (stats[index]?.birthtimeMs ?? 0) >= this.#windowSince,
    );
  }

  /**
   * Prepares for a window with these settings, and with nothing that extensions have kept on disk.
   * @returns a folder for its workspace, which no window had before
   */
  async prepareWindow(settings: Readonly<Record<string, unknown>>): Promise<string> {
    await this.companion?.leave();
    await rm(join(this.userFolder, 'globalStorage'), { recursive: true, force: true, maxRetries: 5 });
    await mkdir(this.userFolder, { recursive: true });
    await writeFile(join(this.userFolder, 'settings.json'), JSON.stringify(settings, undefined, 2));
    this.#windows += 1;
    this.#windowSince = Date.now();
    return join(this.folder, `workspace${this.#windows === 1 ? '' : this.#windows}`);
  }

  /** The only page of the browser, in which no extension finds anything that it has stored for another window. */
  async openPage(): Promise<Page> {
    const page = this.context.pages()[0] ?? (await this.context.newPage());
    await page.setViewportSize(viewport);
    if (this.#windows > 1) {
      await page.goto(`http://${this.running.authority}/version`);
      await page.evaluate(forgetExtensions);
    }
    return page;
  }

  /** Takes it back after its window was closed: the next window may have it, once the extension host has ended. */
  async release(): Promise<void> {
    await this.#clearBrowser();
    const deadline = performance.now() + endOfHostMs;
    while (this.running.hasExtensionHost()) {
      if (performance.now() > deadline) return this.stop();
      await delay(50);
    }
    const other = idle.get(this.#key);
    idle.set(this.#key, this);
    await other?.stop();
  }

  /** Ends it with every process that it started, and removes all files. */
  async stop(): Promise<void> {
    await this.context.close();
    await this.running.stop();
  }

  /** Leaves one page, and nothing that a test has changed in the browser. */
  async #clearBrowser(): Promise<void> {
    const [blank = await this.context.newPage(), ...others] = this.context.pages();
    // Leaving the page lets the extension host shut its extensions down properly.
    await blank.goto('about:blank');
    await Promise.all(others.map((page) => page.close()));
    await Promise.all([this.context.unrouteAll(), blank.unrouteAll()]);
  }
}

/** Ends the servers that are kept for a next window. For programs that go on after their last window. */
export async function stopIdleServers(): Promise<void> {
  const servers = [...idle.values()];
  idle.clear();
  await Promise.all(servers.map((server) => server.stop()));
}

/**
 * Runs in a page of the server. VS Code's own storage stays, as a window with an empty one takes half as much work again to open: what is
 * in it is about the person, such as the commands they ran last. What belongs to a folder is new with each folder.
 */
async function forgetExtensions(): Promise<void> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('The database could not be read.')));
    });
  // It has the secrets.
  localStorage.clear();
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await done(indexedDB.open(name));
    const store = database.transaction('ItemTable', 'readwrite').objectStore('ItemTable');
    for (const key of await done(store.getAllKeys())) {
      if (typeof key === 'string' && /patchbay|secret/i.test(key)) await done(store.delete(key));
    }
    database.close();
  }
}

async function launchBrowser(profile: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await ensureChromium(report),
    headless: process.env['PATCHBAY_HEADED'] === undefined,
    args: chromiumArguments,
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  context.setDefaultTimeout(driverTimeoutMs);
  return context;
}

function report(message: string): void {
  console.log(`[vscode] ${message}`);
}

async function installCompanion(
  { companion = false }: OpenOptions,
  folder: string,
  extensionsDir: string,
): Promise<Companion | undefined> {
  return companion === false ? undefined : Companion.install(folder, extensionsDir, companion === true);
}
