import { commands, ViewColumn, type Uri, type WebviewPanel } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AppNotice, DisplayMode } from '../../client/apps/appMessages.ts';
import { proxyPolicyOf } from '../../client/apps/appReach.ts';
import {
  type AppFromPanel,
  type AppState,
  type AppTarget,
  type AppToPanel,
  type AppView,
  readAppMessage,
  type Surroundings,
} from '../../shared/appMessages.ts';
import { describeError } from '../platform/describeError.ts';
import { showError } from '../platform/showError.ts';
import { fillWebviewPanel } from '../platform/webviewPanel.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type AppLoaderPorts, type AppQuestion, loadApp, type ReadApp, toAskedApp } from './appLoader.ts';
import type { AppModelContext } from './appRequests.ts';
import { AppRun, type AppRunPorts, type LoadedApp, type ShownCall } from './appRun.ts';
import { reachLines } from './appText.ts';

/** What the tab of an app needs of the host. */
export interface AppTabOptions extends AppRunPorts, AppLoaderPorts {
  readonly extensionUri: Uri;
  readonly registry: ServerRegistry;
  /** *More Actions…* */
  readonly onMore: (tab: AppTab) => void;
}

/** Milliseconds between two changes of the display mode that an app asks for. */
const modePauseMs = 1_000;

/** One tab that shows the app of a tool. */
export class AppTab implements Disposable {
  readonly target: AppTarget;
  readonly #panel: WebviewPanel;
  readonly #options: AppTabOptions;
  readonly #store = new DisposableStore();
  #state: AppState = { kind: 'loading', text: '' };
  #reach: readonly string[] = [];
  #loading: AbortController | undefined;
  #loaded: ReadApp | undefined;
  #run: AppRun | undefined;
  /** The document that was asked to end, until it has answered. */
  #ending: AppRun | undefined;
  #call: ShownCall | undefined;
  #answer: ((isAllowed: boolean) => void) | undefined;
  #mode: DisplayMode = 'inline';
  #modeChangedAt = -Infinity;
  #surroundings: Surroundings | undefined;
  /** The policy that the page was filled with; `undefined` for the strict one of all panels. */
  #policy: string | undefined;
  #isPageReady = false;

  constructor(panel: WebviewPanel, target: AppTarget, options: AppTabOptions) {
    this.target = target;
    this.#panel = panel;
    this.#options = options;
    this.#store.add(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readAppMessage(value);
        if (message !== undefined) this.#receive(message);
      }),
    );
    this.#store.add(
      options.registry.onDidChangeState(({ label, state }) => {
        if (label === target.server && state.kind !== 'running') void this.#end('Its server has stopped.');
      }),
    );
    this.#store.add(
      options.registry.onDidChangeServers(() => {
        if (options.registry.get(target.server) === undefined) void this.#end('Its server is not configured any more.');
      }),
    );
    this.#fill(undefined);
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  get call(): ShownCall | undefined {
    return this.#call;
  }

  /** The document that is shown now. */
  get run(): AppRun | undefined {
    return this.#run;
  }

  get app(): LoadedApp | undefined {
    return this.#loaded?.app;
  }

  /** What the app gave for the next question to a model. */
  get context(): AppModelContext | undefined {
    return this.#run?.context;
  }

  /** Says that the app was open before the window was reloaded, and waits for the person. */
  restore(): void {
    this.#show({ kind: 'restored' });
  }

  /** Shows the app with this call. Without one, it is shown as it is before any. */
  async open(call: ShownCall | undefined): Promise<void> {
    this.#call = call;
    await this.reload('Another call is shown.');
  }

  /** The call that is shown has ended. */
  endCall(call: ShownCall): void {
    // Another call of the tool may be shown by now.
    if (this.#call?.args !== call.args) return;
    this.#call = call;
    this.#run?.show(call);
  }

  /** Reads the app again, and shows it anew with the same call. */
  async reload(reason = 'Reloaded by the person.'): Promise<void> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { signal } = loading;
    this.#answer = undefined;
    try {
      await this.#teardown(reason);
      if (signal.aborted) return;
      this.#show({ kind: 'loading', text: `Reading it from ${this.target.server}…` });
      const ask = (question: AppQuestion): Promise<boolean> => this.#ask(question, signal);
      const loaded = await loadApp(this.target, this.#options, ask, signal);
      if (signal.aborted) return;
      this.#loaded = loaded;
      this.#reach = reachLines(loaded.app.reach);
      this.#show({ kind: 'shown' });
      const { webview } = this.#panel;
      const policy = proxyPolicyOf(loaded.app.reach, webview.cspSource);
      if (policy === this.#policy && this.#isPageReady) this.#startRun();
      else this.#fill(policy);
    } catch (error) {
      if (signal.aborted) return;
      const text = isCancellation(error) ? 'You cancelled it.' : describeError(error).message;
      this.#show({ kind: 'failed', text: truncateWithCount(text, 2_000) });
    }
  }

  /** Asks again what the app may reach, the next time it is loaded. */
  async askAgain(): Promise<void> {
    const { app } = this.#loaded ?? {};
    if (app !== undefined) await this.#options.answers.forget(toAskedApp(app));
    await this.reload();
  }

  reveal(): void {
    if (!this.#panel.visible) this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#loading?.abort();
    // A tab that is closed cannot wait for the app's goodbye.
    void this.#run?.bridge.teardown('The tab was closed.');
    this.#run?.dispose();
    this.#run = undefined;
    this.#store.dispose();
  }

  /** Asks in the page, which has the strict policy of all panels. */
  async #ask({ reach, refused, isChanged }: AppQuestion, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.#policy !== undefined) this.#fill(undefined);
    this.#reach = reachLines(reach);
    this.#show({ kind: 'asking', isChanged }, refused);
    const answered = new Promise<boolean>((resolve) => (this.#answer = resolve));
    try {
      return await raceAbort(answered, signal);
    } finally {
      this.#answer = undefined;
    }
  }

  #receive(message: AppFromPanel): void {
    switch (message.type) {
      case 'surroundings':
        this.#surroundings = message.surroundings;
        return this.#run?.place(this.#mode, message.surroundings);
      case 'message':
        return this.#receiveText(message.text);
      case 'reload':
      case 'show':
      case 'start':
        return this.#do(() => this.reload());
      case 'more':
        return this.#options.onMore(this);
      case 'allow':
      case 'refuse':
        return this.#answer?.(message.type === 'allow');
      case 'link':
        return this.#run?.followLink(message.href);
      case 'dropped':
        return this.#dropped(message.count, message.isOver);
      case 'left':
        this.app?.journal.event('stopped: it left its document');
        return void this.#end('It tried to leave its page.', true);
    }
  }

  #receiveText(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (isRecord(message) && message['method'] === 'ui/notifications/sandbox-proxy-ready') return this.#pageReady();
    if (this.#isPageReady) (this.#run ?? this.#ending)?.receive(message);
  }

  /** The page is there: for the first time, or again after it was moved to another window. */
  #pageReady(): void {
    this.#isPageReady = true;
    this.#send({ type: 'app', view: this.#view(), target: this.target });
    if (this.#state.kind === 'shown') this.#startRun();
  }

  #startRun(): void {
    const { app } = this.#loaded ?? {};
    const surroundings = this.#surroundings;
    if (app === undefined || surroundings === undefined) return;
    this.#run?.dispose();
    const run = new AppRun({
      ...this.#options,
      ...app,
      surroundings,
      mode: this.#mode,
      post: (message) => this.#send({ type: 'message', message }),
      setMode: (wanted) => this.#changeMode(wanted),
      onInitialized: ({ name, version }) => app.journal.event('initialized', { name, version }),
      onNotice: (notice) => this.#notice(notice),
    });
    this.#run = run;
    run.load();
    if (this.#call !== undefined) run.show(this.#call);
  }

  #notice(notice: AppNotice): void {
    switch (notice.kind) {
      case 'size':
        if (notice.height !== undefined) this.#send({ type: 'size', height: notice.height });
        return;
      case 'log': {
        const { logger } = this.#options;
        const text = `App ${this.target.tool}: ${notice.level}: ${notice.text}`;
        return logger(this.target.server).info(text);
      }
      case 'wantsToEnd':
        return void this.#end('It asked to be closed.');
      case 'toolsChanged':
        return;
    }
  }

  #dropped(count: number, isOver: boolean): void {
    this.app?.journal.event(isOver ? 'stopped: too many messages' : 'messages dropped', { count });
    if (isOver) void this.#end('It sent too many messages.', true);
  }

  /** What an app asks for: not so often that windows flicker, and only where somebody is looking at it. */
  #changeMode(mode: DisplayMode): Promise<DisplayMode> {
    const now = this.#options.clock.now();
    if (!this.#panel.active || now - this.#modeChangedAt < modePauseMs) return Promise.resolve(this.#mode);
    this.#modeChangedAt = now;
    return this.setMode(mode);
  }

  /** Shows the app elsewhere, if it can be shown so. @returns how it is shown now */
  async setMode(mode: DisplayMode): Promise<DisplayMode> {
    const offered = this.#run?.bridge.identity?.displayModes;
    if (mode === this.#mode || offered?.includes(mode) === false) return this.#mode;
    if (mode === 'pip') {
      const command = 'workbench.action.moveEditorToNewWindow';
      if (!(await commands.getCommands(true)).includes(command)) return this.#mode;
      this.#mode = mode;
      await commands.executeCommand(command);
    } else {
      this.#mode = mode;
      this.#panel.reveal(mode === 'fullscreen' ? ViewColumn.One : ViewColumn.Beside);
    }
    this.#send({ type: 'app', view: this.#view(), target: this.target });
    if (this.#surroundings !== undefined) this.#run?.place(mode, this.#surroundings);
    return mode;
  }

  async #end(text: string, isGone = false): Promise<void> {
    if (this.#state.kind !== 'shown' && this.#state.kind !== 'asking') return;
    this.#loading?.abort();
    this.#show({ kind: 'ended', text });
    await this.#teardown(text, isGone);
  }

  async #teardown(reason: string, isGone = false): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#ending = run;
    if (!isGone) await run.bridge.teardown(reason);
    run.dispose();
    // Another document may have taken its place meanwhile.
    if (this.#ending !== run) return;
    this.#ending = undefined;
    if (this.#run === undefined) this.#send({ type: 'unload' });
  }

  #fill(policy: string | undefined): void {
    this.#policy = policy;
    this.#isPageReady = false;
    const { extensionUri } = this.#options;
    fillWebviewPanel(this.#panel, { extensionUri, name: 'app', title: this.#panel.title }, policy);
  }

  #show(state: AppState, notices: readonly string[] = this.#loaded?.notices ?? []): void {
    this.#state = state;
    this.#send({ type: 'app', view: this.#view(notices), target: this.target });
  }

  #view(notices: readonly string[] = this.#loaded?.notices ?? []): AppView {
    const { server, tool } = this.target;
    return {
      server,
      tool,
      title: this.#loaded?.app.title ?? tool,
      state: this.#state,
      reach: this.#reach,
      notices,
      isInvented: this.#call?.isInvented === true,
      hasBorder: this.#loaded?.hasBorder === true,
      isFilling: this.#mode !== 'inline',
    };
  }

  #do(act: () => Promise<void>): void {
    act().catch((error: unknown) => {
      if (!isCancellation(error)) showError(error);
    });
  }

  #send(message: AppToPanel): void {
    if (this.#isPageReady) void this.#panel.webview.postMessage(message);
  }
}
