import { ProgressLocation, type WebviewPanel, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { createLatestReading } from '../../base/latestReading.ts';
import type { FormEngine } from '../../forms/formEngine.ts';
import { placeAt, shownField } from '../../forms/fieldAt.ts';
import { withValueAt } from '../../forms/valueAt.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Field, ValuePath } from '../../forms/field.ts';
import { readToolMessage, type ToolFromPanel, type ToolToPanel } from '../../shared/toolMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import { receiveResultMessage, type ResultPorts } from '../results/resultRequests.ts';
import { textStyleOf } from '../results/textStyles.ts';
import { type FillPorts, valueFrom } from './fillField.ts';
import type { LibraryMessage, ToolLibrary } from './toolLibrary.ts';
import { callFromSession, type OpenCall, type ToolCallerOptions } from './toolCaller.ts';
import type { ToolSession } from './toolSession.ts';
import { runForPerson } from '../platform/personArguments.ts';

/** What one tab of a tool needs of the host. */
export interface ToolTabOptions extends ToolCallerOptions, ResultPorts {
  readonly library: ToolLibrary;
  readonly lastEditor: FillPorts['lastEditor'];
  /** Opens the same document as JSON beside. */
  readonly openJson: () => Promise<void>;
}

type Message<Type extends ToolFromPanel['type']> = Extract<ToolFromPanel, { readonly type: Type }>;

/** One panel that shows the form of a session. */
export class ToolTab implements Disposable {
  readonly session: ToolSession;
  readonly #panel: WebviewPanel;
  readonly #options: ToolTabOptions;
  readonly #store = new DisposableStore();
  #isReady = false;
  #wantsFocus = false;
  #open: OpenCall | undefined;
  readonly #readLibrary: () => Promise<readonly ToolToPanel[] | undefined>;

  constructor(panel: WebviewPanel, session: ToolSession, options: ToolTabOptions) {
    this.session = session;
    this.#panel = panel;
    this.#options = options;
    const { identity, tool } = session.address;
    this.#readLibrary = createLatestReading(() => options.library.messages(session));
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
      options.library.onDidChange((changed) => {
        if ((changed.identity ?? identity) === identity && (changed.tool ?? tool) === tool) void this.#sendLibrary();
      }),
    );
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Moves the focus to the first field, now or once the page is there. */
  focusWhenReady(): void {
    this.#wantsFocus = true;
    if (this.#isReady) this.#focus();
  }

  dispose(): void {
    this.#store.dispose();
    // What is still being read must not go to a page that is closed.
    this.#isReady = false;
    if (this.#open !== undefined) showOpenCall(this.session, this.#open);
  }

  #receive(message: ToolFromPanel): void {
    if (this.session.isReplaced && !['ready', 'cancel', 'openJson', 'openTool'].includes(message.type)) return;
    switch (message.type) {
      case 'ready':
        return this.#start();
      case 'edit':
        return this.#run('Edit', () => this.session.write(message.args, this));
      case 'call':
        return this.#run('Call', () => this.#call('form'));
      case 'cancel':
        return this.#open?.cancel();
      case 'startServer':
        return this.#run('Start', () => this.#startServer());
      case 'openTool': {
        const { server, tool } = this.session.address;
        return this.#run('Open', async () => runForPerson(CommandIds.openTool, { server, tool }));
      }
      case 'openJson':
        return this.#run('Open JSON', () => this.#options.openJson());
      case 'fill':
        return this.#run('Fill', () => this.#fill(message));
      case 'fillLast':
      case 'saveCall':
      case 'copyAs':
      case 'openSaved':
      case 'history':
      case 'forgetHistory':
        return this.#run('Calls', () => this.#useLibrary(message));
      case 'showTextAs':
        this.#receiveOfResult(message);
        // Its other pages show the same.
        return this.session.showOutcomeAgain(this);
      case 'action':
      case 'openLink':
      case 'openResource':
      case 'copy':
      case 'save':
      case 'open':
        return this.#receiveOfResult(message);
    }
  }

  #receiveOfResult(message: Parameters<typeof receiveResultMessage>[1]): void {
    const document = this.session.outcome?.document;
    if (document !== undefined) receiveResultMessage(document, message, this.#options);
  }

  #start(): void {
    this.#isReady = true;
    for (const message of this.session.messages) this.#send(message);
    void this.session.check();
    void this.#sendLibrary();
    if (this.#wantsFocus) this.#focus();
  }

  #focus(): void {
    this.#wantsFocus = false;
    this.#send({ type: 'focus' });
  }

  async #call(caller: 'form' | 'again'): Promise<void> {
    // What was typed last is still on its way into the document.
    await this.session.written;
    const open = callFromSession(this.session, caller, this.#options);
    if (open === undefined) return;
    this.#open = open;
    await open.ended;
    this.#open = undefined;
  }

  async #sendLibrary(): Promise<void> {
    for (const message of (await this.#readLibrary()) ?? []) this.#send(message);
  }

  async #useLibrary(message: LibraryMessage): Promise<void> {
    await this.session.written;
    if (await this.#options.library.receive(this.session, message)) await this.#call('again');
  }

  async #startServer(): Promise<void> {
    await this.#options.registry.get(this.session.address.server)?.start('person');
  }

  async #fill({ path, source }: Message<'fill'>): Promise<void> {
    const { engine, args, address } = this.session;
    if (args === undefined) return;
    const field = engine && fieldAt(engine, args, path);
    const value =
      source === 'recent'
        ? await this.#options.library.chooseRecent(address, path)
        : await valueFrom(source, field, this.#options);
    const filled = withValueAt(this.session.args ?? args, path, value);
    if (isRecord(filled)) await this.session.write(filled);
  }

  #run(what: string, act: () => Promise<unknown>): void {
    act().catch((error: unknown) => {
      if (isCancellation(error)) return;
      this.#options.logger.error(() => `${what}: ${messageOf(error)}`);
      showError(error);
    });
  }

  #send(message: ToolToPanel): void {
    if (!this.#isReady) return;
    const textStyle = textStyleOf(this.#options.storage, this.session.outcome?.document?.texts);
    void this.#panel.webview.postMessage(message.type === 'outcome' ? { ...message, textStyle } : message);
  }
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
