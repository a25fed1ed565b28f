import { commands, ViewColumn, type Uri, type WebviewPanel } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AppNotice, DisplayMode } from '../../client/apps/appMessages.ts';
import { isEvaluation, proxyPolicyOf } from '../../client/apps/appReach.ts';
import type { AppCallView, AppMemory, AppReportKind, AppState, AppTarget, AppView } from '../../shared/appMessages.ts';
import { checkIdentity } from '../invocation/contentTarget.ts';
import { describeError } from '../platform/describeError.ts';
import { showError } from '../platform/showError.ts';
import type { PagePolicy } from '../platform/webviewHtml.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type AppLoaderPorts, type AppQuestion, loadApp, type ReadApp } from './appLoader.ts';
import type { WholePastCall } from '../calls/callRecord.ts';
import type { AppOrigin, AppOrigins } from './appOrigins.ts';
import { type AppPageMessage, AppPanel } from './appPanel.ts';
import type { AppModelContext } from './appRequests.ts';
import { AppRun, type AppRunPorts, type LoadedApp, type ShownCall } from './appRun.ts';
import { givesOwnOrigins } from './appChoices.ts';
import { reachLines, viewCall } from './appText.ts';

/** What the tab of an app needs of the host. */
export interface AppTabOptions extends AppRunPorts, AppLoaderPorts {
  readonly extensionUri: Uri;
  readonly registry: ServerRegistry;
  /** *More Actions…* */
  readonly onMore: (tab: AppTab) => void;
  /** A call of the history. */
  readonly pastCall: (id: string) => Promise<WholePastCall | undefined>;
  readonly origins: AppOrigins;
}

/** What was blocked, in a tooltip. */
const maximumBlocked = 20;

/** Milliseconds between two changes of the display mode that an app asks for. */
const modePauseMs = 1_000;

/** One tab that shows the app of a tool. */
export class AppTab implements Disposable {
  readonly target: AppTarget;
  readonly #panel: AppPanel;
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
  /** That call as text, made once: a result may be long, and the page is told of every change. */
  #callView: AppCallView | undefined;
  /** Of that call in the history. */
  #callId: string | undefined;
  /** Who the server was when the app was shown last: see `Server.identity`. */
  #identity: string | undefined;
  /** What the policy of this document has blocked, once each. */
  #blocked: readonly string[] = [];
  /** The question what the app may reach, and how many there were. */
  #asking: { readonly id: number; readonly answer: (isAllowed: boolean) => void } | undefined;
  #asked = 0;
  #mode: DisplayMode = 'inline';
  #modeChangedAt = -Infinity;
  /** The origin of its documents, where the person wants apps to have one. */
  #served: AppOrigin | undefined;
  #isOriginUnreachable = false;

  constructor(panel: WebviewPanel, target: AppTarget, options: AppTabOptions) {
    this.target = target;
    this.#options = options;
    this.#panel = this.#store.add(
      new AppPanel(panel, options.extensionUri, {
        onReady: () => this.#pageReady(),
        onAppMessage: (message) => (this.#run ?? this.#ending)?.receive(message),
        onSurroundings: (surroundings) => this.#run?.place(this.#mode, surroundings),
        onPageMessage: (message) => this.#receive(message),
      }),
    );
    this.#store.add(
      options.registry.onDidChangeState(({ label, state }) => {
        if (label === target.server && state.kind !== 'running') void this.#end('Its server has stopped.');
      }),
    );
    this.#store.add(
      options.registry.onDidChangeServers(() => {
        // The servers may have been read after the tab was restored.
        if (this.#state.kind === 'restored') this.#showRestored();
        if (options.registry.get(target.server) === undefined) void this.#end('Its server is not configured any more.');
      }),
    );
    this.#store.add(
      options.answers.onDidChange(({ id, isRevoked }) => {
        if (isRevoked && this.#loaded?.answerId === id) void this.#end('You took back what it may reach.');
      }),
    );
    this.#panel.loadPage({});
  }

  get isActive(): boolean {
    return this.#panel.isActive;
  }

  get column(): ViewColumn | undefined {
    return this.#panel.column;
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
  restore({ call, identity }: Pick<AppMemory, 'call' | 'identity'>): void {
    this.#callId = call;
    this.#identity = identity;
    this.#showRestored();
  }

  #showRestored(): void {
    const now = this.#options.registry.get(this.target.server)?.server.identity;
    const isChanged = now !== undefined && now !== this.#identity;
    this.#show({ kind: 'restored', hasCall: this.#callId !== undefined, isChanged });
  }

  /** Who the server of the shown app is, which an invented call belongs to too. */
  get identity(): string | undefined {
    return this.app?.identity;
  }

  /** Shows the app with this call. Without one, it is shown as it is before any. @param kept its id in the history */
  async open(call: ShownCall | undefined, kept?: Promise<string | undefined>): Promise<void> {
    this.#setCall(call);
    this.#callId = undefined;
    void this.#remember(call, kept);
    await this.reload('Another call is shown.');
  }

  /** The call that is shown has ended. */
  endCall(call: ShownCall, kept: Promise<string | undefined>): void {
    // Another call of the tool may be shown by now.
    if (this.#call?.args !== call.args) return;
    this.#setCall(call);
    this.#sendView();
    this.#run?.show(call);
    void this.#remember(call, kept);
  }

  #setCall(call: ShownCall | undefined): void {
    this.#call = call;
    this.#callView = call && viewCall(call);
  }

  /** The page keeps where its call is kept, for after a reload of the window. */
  async #remember(call: ShownCall | undefined, kept: Promise<string | undefined> | undefined): Promise<void> {
    const id = await kept;
    if (id === undefined || this.#call !== call) return;
    this.#callId = id;
    this.#sendView();
  }

  /** Shows the app that was open before the window was reloaded, with the call it had. */
  async #openRestored(): Promise<void> {
    const id = this.#callId;
    const past = id === undefined ? undefined : await this.#options.pastCall(id);
    const { server, tool } = this.target;
    // The id comes from the page.
    if (past?.server === server && past.tool === tool) this.#setCall(toShownCall(past));
    await this.reload();
  }

  /** Reads the app again, and shows it anew with the same call. */
  async reload(reason = 'Reloaded by the person.'): Promise<void> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { signal } = loading;
    this.#asking = undefined;
    try {
      await this.#teardown(reason);
      if (signal.aborted) return;
      this.#show({ kind: 'loading', text: `Reading it from ${this.target.server}…` });
      const ask = (question: AppQuestion): Promise<boolean> => this.#ask(question, signal);
      const loaded = await loadApp(this.target, this.#options, ask, signal);
      if (signal.aborted) return;
      this.#loaded = loaded;
      this.#identity = loaded.app.identity;
      this.#dropForeignCall(loaded.app);
      this.#reach = reachLines(loaded.app.reach);
      await this.#updateOrigin();
      if (signal.aborted) return;
      checkIdentity(loaded.app.host, loaded.app.identity);
      this.#show({ kind: 'shown' });
      if (this.#panel.loadPage(this.#policy(loaded))) this.#startRun();
    } catch (error) {
      if (signal.aborted) return;
      const text = isCancellation(error) ? 'You cancelled it.' : describeError(error).message;
      this.#show({ kind: 'failed', text: truncateWithCount(text, 2_000) });
    }
  }

  /** A call of another server that had this label is nothing for this app, nor for its server. */
  #dropForeignCall({ identity }: LoadedApp): void {
    if (this.#call === undefined || this.#call.identity === identity) return;
    this.#setCall(undefined);
    this.#callId = undefined;
  }

  /** Asks again what the app may reach, the next time it is loaded. */
  async askAgain(): Promise<void> {
    if (this.#loaded !== undefined) await this.#options.answers.revoke(this.#loaded.answerId);
    await this.reload();
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#loading?.abort();
    // A tab that is closed cannot wait for the app's goodbye.
    void this.#run?.end('The tab was closed.');
    this.#run?.dispose();
    this.#run = undefined;
    this.#served?.dispose();
    this.#store.dispose();
  }

  /** An own origin where the person wants that for apps, and where it can be had. */
  async #updateOrigin(): Promise<void> {
    if (!givesOwnOrigins() || this.#isOriginUnreachable) {
      this.#served?.dispose();
      this.#served = undefined;
      return;
    }
    try {
      this.#served ??= await this.#options.origins.open();
    } catch (error) {
      this.#options.logger(this.target.server).warn(`Apps cannot have origins of their own: ${messageOf(error)}`);
      this.#isOriginUnreachable = true;
    }
  }

  #policy({ app: { reach, evaluates } }: ReadApp): PagePolicy {
    if (this.#served === undefined) return { whole: proxyPolicyOf(reach, evaluates, this.#panel.cspSource) };
    return { frames: this.#served.origin };
  }

  /** Asks in the page, which has the strict policy of all panels. */
  async #ask({ reach, refused, isChanged }: AppQuestion, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    this.#panel.loadPage({});
    this.#reach = reachLines(reach);
    this.#asked += 1;
    const id = this.#asked;
    const answered = new Promise<boolean>((answer) => (this.#asking = { id, answer }));
    this.#show({ kind: 'asking', isChanged, id }, refused);
    try {
      return await raceAbort(answered, signal);
    } finally {
      if (this.#asking?.id === id) this.#asking = undefined;
    }
  }

  #receive(message: AppPageMessage): void {
    switch (message.type) {
      case 'show':
        return this.#do(() => this.#openRestored());
      case 'reload':
        return this.#do(() => this.reload());
      case 'more':
        return this.#options.onMore(this);
      case 'allow':
      case 'refuse':
        return message.id === this.#asking?.id ? this.#asking.answer(message.type === 'allow') : undefined;
      case 'answer':
        return this.#run?.questions.answer(message.id, message.choice);
      case 'link':
        return this.#run?.followLink(message.href);
      case 'report':
        return this.#report(message.kind, message.text);
      case 'dropped':
        return this.#dropped(message.count, message.isOver);
      case 'keyboardTaken':
        return this.#keyboardTaken(message.wasHere);
      case 'left':
        this.app?.journal.event('stopped: it left its document');
        return void this.#end('It tried to leave its page.', true);
      case 'unreachable':
        this.app?.journal.event('shown without an origin: its address cannot be reached');
        this.#isOriginUnreachable = true;
        return this.#do(() => this.reload());
    }
  }

  #pageReady(): void {
    this.#sendView();
    if (this.#state.kind === 'shown') this.#startRun();
  }

  #startRun(): void {
    const { app } = this.#loaded ?? {};
    const { surroundings } = this.#panel;
    if (app === undefined || surroundings === undefined) return;
    this.#run?.dispose();
    if (this.#blocked.length > 0) {
      this.#blocked = [];
      this.#sendView();
    }
    const run = new AppRun({
      ...this.#options,
      ...app,
      origin: this.#served,
      surroundings,
      mode: this.#mode,
      post: (message) => this.#panel.send({ type: 'message', message }),
      onQuestion: () => this.#sendView(),
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
        if (notice.height !== undefined) this.#panel.send({ type: 'size', height: notice.height });
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

  #report(kind: AppReportKind, text: string): void {
    (this.#run ?? this.#ending)?.report(kind, text);
    const isShown = kind === 'blocked' && !isEvaluation(text) && this.#blocked.length < maximumBlocked;
    if (!isShown || this.#blocked.includes(text)) return;
    this.#blocked = [...this.#blocked, text];
    this.#sendView();
  }

  #dropped(count: number, isOver: boolean): void {
    this.app?.journal.event(isOver ? 'stopped: too many messages' : 'messages dropped', { count });
    if (isOver) void this.#end('It sent too many messages.', true);
  }

  /** What is typed next goes to the editor, unless the person was in the page around the app. A list without the focus is closed. */
  #keyboardTaken(wasHere: boolean): void {
    this.app?.journal.event('stopped: it took the keyboard');
    void this.#end('It took the keyboard. You had neither clicked in it nor moved to it with Tab.', true);
    if (wasHere) return;
    this.#do(async () => {
      await commands.executeCommand('workbench.action.closeQuickOpen');
      await commands.executeCommand('workbench.action.focusActiveEditorGroup');
    });
  }

  /** What an app asks for: not so often that windows flicker, and only where somebody is looking at it. */
  #changeMode(mode: DisplayMode): Promise<DisplayMode> {
    const now = this.#options.clock.now();
    // A question must not be led under the pointer.
    const mayMove = this.#panel.isActive && this.#state.kind !== 'asking' && this.#run?.questions.current === undefined;
    if (!mayMove || now - this.#modeChangedAt < modePauseMs) return Promise.resolve(this.#mode);
    this.#modeChangedAt = now;
    return this.setMode(mode);
  }

  /** Shows the app elsewhere, if it can be shown so. @returns how it is shown now */
  async setMode(mode: DisplayMode): Promise<DisplayMode> {
    const offered = this.#run?.bridge.identity?.displayModes;
    if (mode === this.#mode || offered?.includes(mode) === false) return this.#mode;
    if (mode === 'pip') {
      if (!(await this.#panel.moveToNewWindow())) return this.#mode;
    } else {
      // Columns are counted over all windows.
      if (this.#mode === 'pip') await this.#panel.moveToMainWindow();
      this.#panel.moveTo(mode === 'fullscreen' ? ViewColumn.One : ViewColumn.Beside);
    }
    this.#mode = mode;
    this.#sendView();
    const { surroundings } = this.#panel;
    if (surroundings !== undefined) this.#run?.place(mode, surroundings);
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
    if (!isGone && !(await run.end(reason))) this.app?.journal.event('timed out: removed without an answer');
    run.dispose();
    // Another document may have taken its place meanwhile.
    if (this.#ending !== run) return;
    this.#ending = undefined;
    if (this.#run === undefined) this.#panel.send({ type: 'unload' });
  }

  #show(state: AppState, notices: readonly string[] = this.#loaded?.notices ?? []): void {
    this.#state = state;
    this.#sendView(notices);
  }

  #sendView(notices?: readonly string[]): void {
    this.#panel.send({
      type: 'app',
      view: this.#view(notices),
      memory: { ...this.target, call: this.#callId, identity: this.#identity },
    });
  }

  #view(notices: readonly string[] = this.#loaded?.notices ?? []): AppView {
    const { server, tool } = this.target;
    return {
      server,
      tool,
      title: this.#loaded?.app.title ?? tool,
      state: this.#state,
      reach: this.#reach,
      notices: this.#isOriginUnreachable ? [...notices, noOrigin] : notices,
      isInvented: this.#call?.isInvented === true,
      blocked: this.#blocked,
      call: this.#callView,
      question: this.#state.kind === 'shown' ? this.#run?.questions.current : undefined,
      hasBorder: this.#loaded?.hasBorder === true,
      isFilling: this.#mode !== 'inline',
    };
  }

  #do(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => {
      if (!isCancellation(error)) showError(error);
    });
  }
}

const noOrigin = 'An origin of its own: the address of one cannot be reached from this window.';

/** @returns `undefined` where its arguments were not kept */
function toShownCall({ identity, args, answer, omitted }: WholePastCall): ShownCall | undefined {
  if (args === undefined) return undefined;
  if (answer?.kind === 'result') return { identity, args, end: answer };
  const reason = answer?.error.message ?? omitted[0] ?? 'The call was cancelled.';
  return { identity, args, end: { kind: 'cancelled', reason } };
}
