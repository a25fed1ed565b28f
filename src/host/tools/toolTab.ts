import { commands, ProgressLocation, ViewColumn, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import { createLatestReading } from '../../base/latestReading.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import { placeAt, shownField } from '../../forms/fieldAt.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import { exchangeAction, logAction } from '../../shared/resultMessages.ts';
import { type PagePlace, readToolMessage, type ToolFromPanel, type ToolToPanel } from '../../shared/toolMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { takesNothing } from '../invocation/contentTarget.ts';
import type { PastCall } from '../calls/callRecord.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import { showWith } from '../platform/documents.ts';
import { openAddress } from '../platform/openLink.ts';
import { showError } from '../platform/showError.ts';
import { fillWebviewPanel } from '../platform/webviewPanel.ts';
import { receiveResultMessage, textStyleOf } from '../results/resultPanel.ts';
import { openPlace } from '../results/sourcePlaces.ts';
import { errorText, showLog } from './toolOutcome.ts';
import { fillDefaults, replaceArguments } from './fillArguments.ts';
import { valueFrom } from './fillField.ts';
import { callTool, digestOf, type OpenCall, type WantedCall } from './toolCaller.ts';
import type { LibraryMessage, ToolParts } from './toolLibrary.ts';
import type { ToolSession } from './toolSession.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';
import { fromSent } from '../../shared/exactMessages.ts';
import { isSource } from '../../workshop/lint/lintRules.ts';

const changedSince = 'The tool may have changed since that call. Check the arguments and press Call.';

type Message<Type extends ToolFromPanel['type']> = Extract<ToolFromPanel, { readonly type: Type }>;

export class ToolTab implements Disposable {
  readonly session: ToolSession;
  readonly #panel: WebviewPanel;
  readonly #parts: ToolParts;
  readonly #store = new DisposableStore();
  /** Whether it has a page: one that is hidden for long has none. */
  isLoaded = false;
  #isReady = false;
  /** Where the person was in a page that has gone, and the tool that it showed. */
  #place: (PagePlace & { readonly tool: Tool | undefined }) | undefined;
  /** Resolves once the page takes messages, with false if it is closed before. */
  #opened!: Promise<boolean>;
  #settleOpened: (isOpen: boolean) => void = () => {};
  #open: OpenCall | undefined;
  readonly #readLibrary: () => Promise<readonly ToolToPanel[] | undefined>;

  constructor(panel: WebviewPanel, session: ToolSession, parts: ToolParts) {
    this.session = session;
    this.#panel = panel;
    this.#parts = parts;
    const { identity, tool } = session.address;
    this.#awaitPage();
    this.#readLibrary = createLatestReading(() => parts.library.messages(session));
    this.#store.add(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readToolMessage(value);
        if (message !== undefined) this.#receive(message);
      }),
    );
    this.#store.add(
      session.onDidChange(({ message, source }) => {
        if (source !== this) this.#send(message);
        // Another server may have the label now.
        if (message.type === 'tool') void this.#sendLibrary();
      }),
    );
    this.#store.add(
      parts.library.onDidChange((changed) => {
        if ((changed.identity ?? identity) === identity && (changed.tool ?? tool) === tool) void this.#sendLibrary();
      }),
    );
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Makes the page, unless there is one. */
  load(): void {
    if (this.isLoaded) return;
    this.isLoaded = true;
    const { tool, address } = this.session;
    const title = singleLine(tool === undefined ? address.tool : toolDisplayName(tool), 60);
    fillWebviewPanel(this.#panel, { extensionUri: this.#parts.extensionUri, name: 'tool', title });
  }

  /** Asks the page of a hidden tab to go: the document and the session have all that it shows, unless it says no. */
  leave(): void {
    if (this.#mayGo) this.#send({ type: 'leave' });
  }

  #awaitPage(): void {
    this.#opened = new Promise((resolve) => (this.#settleOpened = resolve));
  }

  get #mayGo(): boolean {
    const isShown = this.#isReady && this.#place === undefined;
    return isShown && !this.#panel.visible && this.#open === undefined && this.session.call.kind === 'idle';
  }

  async #unload({ place, args }: Message<'left'>): Promise<void> {
    await this.session.written;
    // The person may have come back, or begun a call, while the page answered, and what was typed may not have been written.
    if (!this.#mayGo || stringifyExactly(fromSent(args)) !== stringifyExactly(this.session.args)) return;
    this.#place = { ...place, tool: this.session.tool };
    this.isLoaded = this.#isReady = false;
    this.#awaitPage();
    this.#panel.webview.html = '';
  }

  /**
   * Lets the person fill in the form, with the focus in its first field.
   * @param args replace what the document holds; undo brings that back
   */
  async edit(args?: JsonObject): Promise<void> {
    await this.fill(args);
    if (await this.#opened) this.#send({ type: 'focus' });
  }

  /** The same without the focus. */
  async fill(args?: JsonObject): Promise<void> {
    if (args !== undefined) await replaceArguments(this.session, args);
  }

  /**
   * Calls the tool at once if it takes nothing, or fits the arguments that were given; otherwise the person fills in the form.
   * @returns the result, if the tool was called and gave one
   */
  async callOrEdit({ caller, args }: WantedCall): Promise<CallToolResult | undefined> {
    // A page that is still loading would take the focus from the question about the call.
    if (!(await this.#opened)) return undefined;
    const { session } = this;
    const isComplete = args === undefined ? hasNothingToFill(session) : await session.accepts(args);
    if (session.call.kind !== 'idle')
      throw new PatchbayError(
        'declined',
        `A call of the tool "${session.address.tool}" is still running. Wait for it to end, then call again.`,
      );
    if (isComplete) return this.#call(caller, args);
    session.isForCommand = caller === 'command';
    await this.edit(args);
    return undefined;
  }

  dispose(): void {
    this.#store.dispose();
    // What is still being read must not go to a page that is closed.
    this.#isReady = false;
    this.#settleOpened(false);
    if (this.#open === undefined) return;
    this.#open.leave();
    showOpenCall(this.session, this.#open);
  }

  #receive(message: ToolFromPanel): void {
    if (this.session.isReplaced && !['ready', 'cancel', 'openJson', 'openTool', 'left'].includes(message.type)) return;
    switch (message.type) {
      case 'ready':
        return this.#start();
      case 'left':
        return this.#run('Leave', () => this.#unload(message));
      case 'edit':
        return this.#run('Edit', () => this.session.write(fromSent(message.args), this));
      case 'call':
        return this.#run('Call', () => this.#callSeen(message));
      case 'confirm':
        return this.#run('Call', () => this.#confirm(message));
      case 'callsAgain':
        this.session.callsAgain = message.isOn;
        return undefined;
      case 'cancel':
        return this.session.cancelCall?.();
      case 'showNotifications':
        return this.#run('Show', async () => commands.executeCommand('notifications.showList'));
      case 'startServer':
        return this.#run('Start', () => this.#startServer());
      case 'openSource':
        return this.#run('Open Source', async () => isSource(message.url) && openAddress(message.url));
      case 'openTool': {
        const { server, tool, occurrence } = this.session.address;
        return this.#run('Open', async () => runForPerson(CommandIds.openTool, { server, tool, occurrence }));
      }
      case 'openJson':
        return this.#run('Open JSON', () => showWith(this.session.document.uri, 'default', ViewColumn.Beside));
      case 'fill':
        return this.#run('Fill', () => this.#fill(message));
      case 'fillDefaults':
        return this.#run('Fill', () => this.#fillDefaults());
      case 'fillLast':
      case 'saveCall':
      case 'copyAs':
      case 'openSaved':
      case 'history':
      case 'forgetHistory':
        return this.#run('Calls', () => this.#useLibrary(message));
      case 'allCalls':
        return this.#parts.showAllCalls();
      case 'showTextAs':
        this.#receiveOfResult(message);
        // Its other pages show the same.
        return this.session.showOutcomeAgain(this);
      case 'action':
      case 'openLink':
      case 'openResource':
      case 'openPlace':
      case 'copy':
      case 'save':
      case 'open':
        return this.#receiveOfResult(message);
    }
  }

  #receiveOfResult(message: Parameters<typeof receiveResultMessage>[1]): void {
    const { document, showExchange, view } = this.session.outcome ?? {};
    if (document !== undefined) receiveResultMessage(document, message, this.#parts);
    else if (message.type === 'action' && message.id === exchangeAction.id && showExchange !== undefined)
      this.#run('Show Exchange', showExchange);
    else if (message.type === 'action' && message.id === logAction.id)
      this.#run('Show Log', () => showLog(this.session.address.server));
    else if (message.type === 'openPlace' && view?.kind === 'error')
      this.#run('Open', () => openPlace(errorText(view), message.index));
  }

  #start(): void {
    this.#isReady = true;
    for (const message of this.session.messages) this.#send(message);
    const shown = [this.session.check(), this.#sendLibrary()];
    this.#settleOpened(true);
    if (this.#place !== undefined) void Promise.allSettled(shown).then(() => this.#return());
  }

  /** What was listed or checked meanwhile may have moved what is below it. */
  #return(): void {
    const place = this.#place;
    this.#place = undefined;
    if (place !== undefined && place.tool === this.session.tool) this.#send({ type: 'return', place });
  }

  /** A press of *Call*: the person has said yes to what the page showed then. */
  async #callSeen({ args, revision }: Message<'call'>): Promise<void> {
    const { session } = this;
    // What was typed last is still on its way into the document.
    await session.written;
    if (session.call.kind !== 'idle') return;
    const note = session.whyUnseen({ args: fromSent(args), revision });
    if (note === undefined) await this.#call(session.isForCommand ? 'command' : 'form');
    else session.call = { kind: 'idle', note };
  }

  async #confirm({ id, remember }: Message<'confirm'>): Promise<void> {
    // What was typed meanwhile takes the question back.
    await this.session.written;
    this.session.confirmCall?.(id, remember);
  }

  /** The server runs from what was saved: makes the last call again, if it was the person's own and they want that. */
  async callAfterRestart(): Promise<void> {
    const { session } = this;
    await this.#open?.ended;
    const args = session.ownCall;
    if (!session.callsAgain || session.isReplaced || args === undefined) return;
    session.refresh();
    // Its page says so. A call would ask about a definition that is gone.
    if (!session.isListed) return;
    // The gate asks for a press where the tool says that it destroys something.
    await this.#call('again', args, true);
  }

  async #call(
    caller: WantedCall['caller'],
    args?: JsonObject,
    isAfterRestart = false,
  ): Promise<CallToolResult | undefined> {
    // What was typed last is still on its way into the document.
    await this.session.written;
    const open = callTool(this.session, { caller, args, isAfterRestart }, this.#parts);
    if (open === undefined) return undefined;
    this.#open = open;
    try {
      return await open.ended;
    } finally {
      this.#open = undefined;
    }
  }

  async #sendLibrary(): Promise<void> {
    for (const message of (await this.#readLibrary()) ?? []) this.#send(message);
  }

  /** Does something with a call that was chosen elsewhere. */
  async useCall(message: LibraryMessage): Promise<void> {
    if (await this.#opened) await this.#useLibrary(message);
  }

  async #useLibrary(message: LibraryMessage): Promise<void> {
    await this.session.written;
    const past = await this.#parts.library.receive(this.session, message);
    if (past !== undefined) await this.#callAgain(past);
  }

  /** The person has made this very call before: with another definition of the tool it is another call. */
  async #callAgain({ args, digest }: PastCall): Promise<void> {
    const { session } = this;
    const now = session.tool && (await digestOf(session.tool));
    if (args !== undefined && digest !== undefined && digest === now) {
      await this.#call('again', args);
      return;
    }
    if (session.call.kind === 'idle') session.call = { kind: 'idle', note: changedSince };
    this.#send({ type: 'focus' });
  }

  async #startServer(): Promise<void> {
    await this.#parts.registry.get(this.session.address.server)?.start('person');
  }

  async #fillDefaults(): Promise<void> {
    await this.session.written;
    await fillDefaults(this.session);
  }

  async #fill({ path, source }: Message<'fill'>): Promise<void> {
    const { engine, args, address } = this.session;
    if (args === undefined) return;
    const field = engine && fieldAt(engine, args, path);
    const value =
      source === 'recent'
        ? await this.#parts.library.chooseRecent(address, path)
        : await valueFrom(source, field, this.#parts.lastEditor);
    const filled = withValueAt(this.session.args ?? args, path, value);
    if (isRecord(filled)) await this.session.write(filled);
  }

  #run(what: string, act: () => Promise<unknown>): void {
    act().catch((error: unknown) => {
      if (isCancellation(error)) return;
      this.#parts.logger.error(() => `${what}: ${messageOf(error)}`);
      showError(error);
    });
  }

  #send(message: ToolToPanel): void {
    if (!this.#isReady) return;
    const textStyle = textStyleOf(this.#parts.storage, this.session.outcome?.document?.texts);
    void this.#panel.webview.postMessage(message.type === 'outcome' ? { ...message, textStyle } : message);
  }
}

function hasNothingToFill({ tool, args }: ToolSession): boolean {
  return tool !== undefined && takesNothing(tool) && args !== undefined && Object.keys(args).length === 0;
}

function fieldAt(engine: FormEngine, args: JsonObject, path: ValuePath): Field | undefined {
  const place = placeAt(engine, args, path);
  return place && shownField(engine, place);
}

/** A call goes on after its tab was closed: a notification shows it, and can cancel it. */
function showOpenCall({ address }: ToolSession, call: OpenCall): void {
  const title = notificationText(`Calling ${address.tool} of ${address.server}`);
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  void window.withProgress(options, async (_progress, token) => {
    token.onCancellationRequested(() => call.cancel());
    await call.ended;
  });
}
