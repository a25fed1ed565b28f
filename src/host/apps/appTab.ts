import { commands, type WebviewPanel } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AppNotice, DisplayMode } from '../../client/apps/appMessages.ts';
import { isEvaluation, policyOf } from '../../client/apps/appReach.ts';
import type { AppMemory, AppReportKind, AppState, AppTarget } from '../../shared/appMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { checkIdentity } from '../invocation/contentTarget.ts';
import { describeError } from '../platform/describeError.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { showError } from '../platform/showError.ts';
import { personalSetting } from '../platform/settings.ts';
import { type AppQuestion, loadApp } from './appLoader.ts';
import type { AppOrigin } from './appOrigins.ts';
import { type AppPageMessage, AppPanel } from './appPanel.ts';
import type { AppParts } from './appPorts.ts';
import { createAppReports } from './appReports.ts';
import { AppRun, type LoadedApp, type ShownCall } from './appRun.ts';
import { mutedOf, type Stage, stateOf, type TabCall, toAppView, toShownCall, viewed } from './appView.ts';

/** Milliseconds between two changes of the display mode that an app asks for. */
const modePauseMs = 1_000;

const noOrigin = 'An origin of its own: the address of one cannot be reached from this window.';

export class AppTab implements Disposable {
  readonly target: AppTarget;
  readonly panel: AppPanel;
  app: LoadedApp | undefined;
  readonly #parts: AppParts;
  readonly #chooseAction: (tab: AppTab) => Promise<void>;
  readonly #store = new DisposableStore();
  #stage: Stage = { kind: 'idle', shown: { kind: 'loading', text: '' } };
  /** The latest attempt to show the app: only one goes on. */
  #attempt = new AbortController();
  #shownCall: TabCall = {};
  /** Who the server was when the app was shown last: see `Server.identity`. */
  #identity: string | undefined;
  readonly #reports;
  /** How many questions there were about what the app may reach. */
  #asked = 0;
  /** Where its tab is: beside, a whole tab, or a window of its own, also for an app that takes only `inline`. */
  #place: DisplayMode = 'inline';
  /** The display mode that the app gets: that of its place, if it takes it. In such a window it stays `inline`. */
  #mode: DisplayMode = 'inline';
  #modeChangedAt = -Infinity;
  /** The origin of its documents, where the person wants apps to have one. */
  #served: AppOrigin | undefined;
  #isOriginUnreachable = false;

  constructor(panel: WebviewPanel, target: AppTarget, parts: AppParts, chooseAction: (tab: AppTab) => Promise<void>) {
    this.target = target;
    this.#parts = parts;
    this.#reports = this.#store.add(createAppReports(parts.clock, () => this.#sendView()));
    this.#chooseAction = chooseAction;
    this.panel = this.#store.add(
      new AppPanel(panel, parts.extensionUri, {
        onReady: (isMoved) => {
          // Out of its own window: that it was moved elsewhere is all that VS Code shows.
          if (isMoved && this.#place === 'pip') this.#settle('inline');
          this.#sendView();
          this.#startRun();
        },
        onAppMessage: (message) => this.#document?.receive(message),
        onSurroundings: (surroundings) => this.run?.place(this.#mode, surroundings),
        onPageMessage: (message) => this.#receive(message),
      }),
    );
    const { registry, answers, mutes } = parts;
    const subscriptions = [
      registry.onDidChangeState(({ label, state }) => {
        if (label === target.server && state.kind !== 'running') void this.#end('Its server has stopped.');
      }),
      registry.onDidChangeServers(() => {
        // The servers may have been read after the tab was restored.
        if (this.#state.kind === 'restored') this.#showRestored();
        if (registry.get(target.server) === undefined) void this.#end('Its server is no longer configured.');
      }),
      mutes.onDidChange((server) => server === target.server && this.#sendView()),
      answers.onDidChange(({ id, isRevoked }) => {
        if (isRevoked && this.app?.answerIds.includes(id) === true) void this.#end('You reset its permissions.');
      }),
    ];
    for (const subscription of subscriptions) this.#store.add(subscription);
    this.panel.loadPage({});
  }

  get isInWindow(): boolean {
    return this.#place === 'pip';
  }

  get call(): ShownCall | undefined {
    return this.#shownCall.call;
  }

  /** The id of that call in the history. */
  get callId(): string | undefined {
    return this.#shownCall.id;
  }

  get run(): AppRun | undefined {
    return this.#stage.kind === 'running' ? this.#stage.run : undefined;
  }

  get #document(): AppRun | undefined {
    return 'run' in this.#stage ? this.#stage.run : undefined;
  }

  /** Says that the app was open before the window was reloaded, and waits for the person. */
  restore({ call, identity }: Pick<AppMemory, 'call' | 'identity'>): void {
    this.#shownCall = { id: call };
    this.#identity = identity;
    this.#showRestored();
  }

  #showRestored(): void {
    const now = this.#parts.registry.get(this.target.server)?.server.identity;
    const isChanged = now !== undefined && now !== this.#identity;
    const shown = { kind: 'restored', hasCall: this.#shownCall.id !== undefined, isChanged } as const;
    this.#enter({ kind: 'idle', shown });
  }

  /** Shows the app with this call. Without one, it is shown as it is before any. @param kept its id in the history */
  async open(call: ShownCall | undefined, kept?: Promise<string | undefined>): Promise<void> {
    this.#setCall(call, kept);
    await this.reload('Another call is shown.');
  }

  endCall(call: ShownCall, kept: Promise<string | undefined>): void {
    // Another call of the tool may be shown by now.
    if (this.call?.args !== call.args) return;
    this.#setCall(call, kept);
    this.#sendView();
    this.run?.show(call);
  }

  /** The page keeps where the call is kept, for after a reload of the window. */
  #setCall(call: ShownCall | undefined, kept?: Promise<string | undefined>): void {
    this.#shownCall = viewed(call);
    void kept?.then((id) => {
      if (id === undefined || this.call !== call) return;
      this.#shownCall = { ...this.#shownCall, id };
      this.#sendView();
    });
  }

  /** Shows the app that was open before the window was reloaded, with the call it had. */
  async #openRestored(): Promise<void> {
    const { id } = this.#shownCall;
    const past = id === undefined ? undefined : await this.#parts.pastCall(id);
    const { server, tool } = this.target;
    // The id comes from the page.
    if (past?.server === server && past.tool === tool) this.#shownCall = { ...viewed(toShownCall(past)), id };
    await this.reload();
  }

  /** @param wantsCode the person wants to be asked whether it may run code that it makes */
  async reload(reason = 'Reloaded by the person.', wantsCode = false): Promise<void> {
    this.#attempt.abort();
    const { signal } = (this.#attempt = new AbortController());
    try {
      await this.#endRun({ kind: 'shown' }, reason);
      if (signal.aborted) return;
      this.#enter({ kind: 'loading' });
      const app = await loadApp(this.target, this.#parts, (question) => this.#ask(question, signal), signal, wantsCode);
      if (signal.aborted) return;
      this.app = app;
      this.#identity = app.identity;
      // A call of another server that had this label is nothing for this app, nor for its server.
      if (this.call !== undefined && this.call.identity !== app.identity) this.#shownCall = {};
      await this.#updateOrigin();
      if (signal.aborted) return;
      checkIdentity(app.host, app.identity);
      this.#enter({ kind: 'running', run: undefined });
      const whole = policyOf(app.reach, app.evaluates, this.panel.view.webview.cspSource);
      if (this.panel.loadPage(this.#served === undefined ? { whole } : { frames: this.#served.origin }))
        this.#startRun();
    } catch (error) {
      if (signal.aborted) return;
      const text = isCancellation(error) ? 'You cancelled it.' : describeError(error).message;
      this.#enter({ kind: 'idle', shown: { kind: 'failed', text: truncateWithCount(text, 2_000) } });
    }
  }

  /** Asks again what the app may reach and run, the next time it is loaded or needs it. */
  async askAgain(): Promise<void> {
    for (const id of this.app?.answerIds ?? []) await this.#parts.answers.revoke(id);
    await this.reload();
  }

  dispose(): void {
    this.#attempt.abort();
    const { run } = this;
    this.#stage = { kind: 'idle', shown: { kind: 'ended', text: '' } };
    // A tab that is closed cannot wait for the app's goodbye.
    void run?.end('The tab was closed.');
    run?.dispose();
    this.#served?.dispose();
    this.#store.dispose();
  }

  /** An own origin where the person wants that for apps, and where it can be had. */
  async #updateOrigin(): Promise<void> {
    if (personalSetting('apps.ownOrigin') !== true || this.#isOriginUnreachable) {
      this.#served?.dispose();
      this.#served = undefined;
      return;
    }
    try {
      this.#served ??= await this.#parts.origins.open();
    } catch (error) {
      this.#parts.serverLogger(this.target.server).warn(`Apps cannot have origins of their own: ${messageOf(error)}`);
      this.#isOriginUnreachable = true;
    }
  }

  /** Asks in the page, which has the strict policy of all panels. */
  async #ask(question: AppQuestion, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    this.panel.loadPage({});
    const id = (this.#asked += 1);
    const answered = new Promise<boolean>((answer) => this.#enter({ kind: 'asking', id, question, answer }));
    return raceAbort(answered, signal);
  }

  #receive(message: AppPageMessage): void {
    switch (message.type) {
      case 'show':
        return this.#do(() => this.#openRestored());
      case 'reload':
        return this.#do(() => this.reload());
      case 'widen':
        return this.#do(() => this.move(this.#place === 'inline' ? 'fullscreen' : 'inline'));
      case 'call':
        return this.#do(() => runForPerson(CommandIds.callTool, { ...this.target }));
      case 'askCode':
        return this.#do(() => this.reload('The person is asked about it.', true));
      case 'more':
        return this.#do(() => this.#chooseAction(this));
      case 'allow':
      case 'refuse':
        if (this.#stage.kind === 'asking' && this.#stage.id === message.id)
          this.#stage.answer(message.type === 'allow');
        return;
      case 'answer':
        return this.run?.questions.answer(message.id, message.choice);
      case 'link':
        return this.run?.followLink(message.href);
      case 'report':
        return this.#report(message.kind, message.text);
      case 'dropped': {
        const { isOver, count } = message;
        this.app?.journal.event(isOver ? 'stopped: too many messages' : 'messages dropped', { count });
        return isOver ? void this.#end('It sent too many messages.', true) : undefined;
      }
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

  /** Gives the page the app's document, where there is to be one. */
  #startRun(): void {
    const app = this.app;
    const { surroundings } = this.panel;
    if (this.#stage.kind !== 'running' || app === undefined || surroundings === undefined) return;
    this.run?.dispose();
    this.#reports.clear();
    const run = new AppRun({
      ...this.#parts,
      ...app,
      origin: this.#served,
      surroundings,
      mode: this.#mode,
      post: (message) => this.panel.send({ type: 'message', message }),
      onQuestion: () => this.#sendView(),
      setMode: (wanted) => this.#changeMode(wanted),
      onNotice: (notice) => this.#notice(notice),
    });
    this.#stage = { kind: 'running', run };
    run.load();
    if (this.call !== undefined) run.show(this.call);
  }

  #notice(notice: AppNotice): void {
    const { server, tool } = this.target;
    if (notice.kind === 'wantsToEnd') void this.#end('It asked to be closed.');
    else if (notice.kind === 'log') {
      this.#parts.serverLogger(server).info(`App ${tool}: ${notice.level}: ${notice.text}`);
      this.#reports.log(`${notice.level}: ${notice.text}`);
    } else if (notice.height !== undefined) this.panel.send({ type: 'size', height: notice.height });
  }

  #report(kind: AppReportKind, text: string): void {
    this.#document?.report(kind, text);
    if (kind !== 'blocked') this.#reports.log(`A script failed: ${text}`);
    else if (!isEvaluation(text)) this.#reports.blocked(text);
    else if (this.app?.isAnsweredOnCode === false) this.#reports.keptFromCode();
  }

  /** What is typed next goes to the editor, unless the person was in the page around the app. A list without the focus is closed. */
  #keyboardTaken(wasHere: boolean): void {
    this.app?.journal.event('stopped: it took the keyboard');
    void this.#end('It took the keyboard focus without a click or the Tab key.', true);
    if (wasHere) return;
    this.#do(async () => {
      await commands.executeCommand('workbench.action.closeQuickOpen');
      await commands.executeCommand('workbench.action.focusActiveEditorGroup');
    });
  }

  /** What an app asks for: not so often that windows flicker, and only where somebody is looking at it. */
  async #changeMode(mode: DisplayMode): Promise<DisplayMode> {
    const now = this.#parts.clock.now();
    // A question must not be led under the pointer.
    const mayMove =
      this.panel.view.active && this.#stage.kind !== 'asking' && this.run?.questions.current === undefined;
    if (mode === this.#mode || !this.#takes(mode)) return this.#mode;
    if (!mayMove || now - this.#modeChangedAt < modePauseMs) return this.#mode;
    this.#modeChangedAt = now;
    await this.move(mode);
    return this.#mode;
  }

  /** Shows the app in another place, also where it does not say that it takes the mode of that name: then its mode stays. */
  async move(place: DisplayMode): Promise<void> {
    if (place === this.#place || (await this.panel.move(this.#place, place))) this.#settle(place);
  }

  #takes(mode: DisplayMode): boolean {
    return this.run?.bridge.identity?.displayModes?.includes(mode) !== false;
  }

  #settle(place: DisplayMode): void {
    this.#place = place;
    if (this.#takes(place)) this.#mode = place;
    this.#sendView();
    const { surroundings } = this.panel;
    if (surroundings !== undefined) this.run?.place(this.#mode, surroundings);
  }

  /** The app is no longer open. @param isGone its document is not asked to end: it has left, or is not trusted to */
  async #end(text: string, isGone = false): Promise<void> {
    if (this.#state.kind !== 'shown' && this.#state.kind !== 'asking') return;
    this.#attempt.abort();
    const shown = { kind: 'ended', text } as const;
    if (this.#stage.kind === 'ending') this.#enter({ ...this.#stage, shown });
    else if (this.run === undefined) this.#enter({ kind: 'idle', shown });
    else await this.#endRun(shown, text, isGone);
  }

  /** Waits until there is no document. @param shown what the page shows meanwhile and then */
  async #endRun(shown: AppState, reason: string, isGone = false): Promise<void> {
    if (this.#stage.kind === 'ending') return this.#stage.ended;
    const { run } = this;
    if (run === undefined) return undefined;
    const ended = Promise.resolve().then(async () => {
      if (!isGone && !(await run.end(reason))) this.app?.journal.event('timed out: removed without an answer');
      run.dispose();
      if (this.#stage.kind !== 'ending') return;
      this.panel.send({ type: 'unload' });
      this.#stage = { kind: 'idle', shown: this.#stage.shown };
    });
    this.#enter({ kind: 'ending', run, shown, ended });
    return ended;
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#sendView();
  }

  get #state(): AppState {
    return stateOf(this.#stage, this.target.server);
  }

  #sendView(): void {
    const view = toAppView(this.target, {
      stage: this.#stage,
      app: this.app,
      shownCall: this.#shownCall,
      notices: this.#isOriginUnreachable ? [noOrigin] : [],
      ...this.#reports.view,
      muted: mutedOf(this.target.server, this.#parts.mutes),
      isFilling: this.#mode !== 'inline',
      isWide: this.#place !== 'inline',
    });
    const memory = { ...this.target, call: this.#shownCall.id, identity: this.#identity };
    this.panel.send({ type: 'app', view, memory });
    this.panel.markAsking(view.question !== undefined || view.state.kind === 'asking');
  }

  #do(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => {
      if (!isCancellation(error)) showError(error);
    });
  }
}
