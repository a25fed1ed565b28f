import { type TextDocument, type TextEditor, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { singleLine } from '../platform/displayText.ts';
import { openOwnDocument, showWith } from '../platform/documents.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import { fillWebviewPanel } from '../platform/webviewPanel.ts';
import { wholeValueOf } from '../results/resultRequests.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { ToolFiles } from './toolFiles.ts';
import { ToolSession, type ToolSessionOptions } from './toolSession.ts';
import { ToolTab, type ToolTabOptions } from './toolTab.ts';
import { readToolUri, toToolUri } from './toolUri.ts';

/** The type of VS Code's custom editor. */
const toolViewType = 'patchbay.tool';

/** What the tabs of tools need of the host. */
export interface ToolEditorsOptions
  extends Omit<ToolSessionOptions, 'lastSeen' | 'isWithheld' | 'onDefinition'>, Omit<ToolTabOptions, 'openJson'> {
  readonly extensionUri: Uri;
  readonly seal: AddressSeal;
  readonly files: ToolFiles;
  readonly logger: Logger;
}

/** Which tool to open, and how. */
export interface OpenToolOptions {
  readonly server: string;
  /** See {@link ToolAddress.identity}. */
  readonly identity: string;
  readonly tool: Tool;
  /** The index among tools of that name. */
  readonly occurrence: number;
  /** `another`: one more tab of the tool; `free`: one in which no call is on its way. */
  readonly which: 'first' | 'another' | 'free';
}

/** The tabs of tools, and the documents behind them. */
export interface ToolEditors extends Disposable {
  /** Shows the tab of a tool, and gives it the focus. */
  open(options: OpenToolOptions): Promise<ToolTab>;
  /** Fills the panel that VS Code has made for a document. */
  resolve(document: TextDocument, panel: WebviewPanel): Promise<void>;
  /** A document was opened, or its tool, arguments or problems have changed. */
  readonly onDidChange: Event<Uri>;
  /** The session of an open document; `undefined` for any other. */
  sessionOf(uri: Uri): ToolSession | undefined;
  /** The result in the active tab, whole. */
  readonly active: WholeValue | undefined;
  /** The tool in the active tab, be it the form or its JSON. */
  readonly activeSession: ToolSession | undefined;
}

/** Creates the tabs; documents that are open already get their sessions at once. */
export function createToolEditors(options: ToolEditorsOptions): ToolEditors {
  return new OpenToolEditors(options);
}

class OpenToolEditors implements ToolEditors {
  readonly #options: ToolEditorsOptions;
  readonly #store = new DisposableStore();
  /** By URI; the documents that are open. */
  readonly #sessions = new Map<string, Promise<ToolSession> | ToolSession>();
  readonly #tabs = new Set<ToolTab>();
  /** By URI: those that wait for a tab that is being opened. They get `undefined` where none can be. */
  readonly #awaited = new Map<string, ((tab: ToolTab | undefined) => void)[]>();
  readonly #onDidChange = this.#store.add(new Emitter<Uri>());

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: ToolEditorsOptions) {
    this.#options = options;
    this.#store.add(workspace.onDidOpenTextDocument((document) => void this.#begin(document)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#end(uri.toString())));
    for (const document of workspace.textDocuments) void this.#begin(document);
  }

  async open({ server, identity, tool, occurrence, which }: OpenToolOptions): Promise<ToolTab> {
    const title = singleLine(toolDisplayName(tool), 60);
    const { seal, files } = this.#options;
    const uriOf = (copy: number): Uri =>
      Uri.from(toToolUri(seal, { server, identity, tool: tool.name, occurrence, copy }, title));
    const isTaken = (uri: Uri): boolean =>
      which === 'another'
        ? this.#sessions.has(uri.toString())
        : which === 'free' && (this.sessionOf(uri)?.call.kind ?? 'idle') !== 'idle';
    let copy = 0;
    while (isTaken(uriOf(copy))) copy += 1;
    const uri = uriOf(copy);
    files.keepDefinition(uri, tool);
    return this.#show(uri);
  }

  async #show(uri: Uri): Promise<ToolTab> {
    const key = uri.toString();
    let made: ToolTab | undefined;
    const making = new Promise<ToolTab | undefined>((resolve) => {
      const settle = (tab: ToolTab | undefined): void => {
        made = tab;
        resolve(tab);
      };
      this.#awaited.set(key, [...(this.#awaited.get(key) ?? []), settle]);
    });
    await showWith(uri, toolViewType);
    const known = [...this.#tabs].filter(({ session }) => session.document.uri.toString() === key);
    const tab = made ?? known.find(({ isActive }) => isActive) ?? known.at(-1) ?? (await making);
    if (tab === undefined) throw new CancelledError('The tab of the tool was closed');
    this.#settle(key, tab);
    return tab;
  }

  #settle(key: string, tab: ToolTab | undefined): void {
    const waiting = this.#awaited.get(key) ?? [];
    this.#awaited.delete(key);
    for (const settle of waiting) settle(tab);
  }

  async resolve(document: TextDocument, panel: WebviewPanel): Promise<void> {
    try {
      this.#settle(document.uri.toString(), await this.#fill(document, panel));
    } catch (error) {
      this.#settle(document.uri.toString(), undefined);
      throw error;
    }
  }

  async #fill(document: TextDocument, panel: WebviewPanel): Promise<ToolTab | undefined> {
    const { extensionUri } = this.#options;
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    // A document whose language is changed, because a folder names another one, counts as closed and opened again.
    const session = await this.#begin(await openOwnDocument(document.uri));
    if (session === undefined) throw new PatchbayError('notFound', 'This is not the address of a tool.');
    if (isClosed) return undefined;
    const title = singleLine(session.tool === undefined ? session.address.tool : toolDisplayName(session.tool), 60);
    const tab = new ToolTab(panel, session, {
      ...this.#options,
      openJson: () => showWith(document.uri, 'default', ViewColumn.Beside),
    });
    this.#tabs.add(tab);
    panel.onDidDispose(() => {
      this.#tabs.delete(tab);
      tab.dispose();
    });
    fillWebviewPanel(panel, { extensionUri, name: 'tool', title });
    return tab;
  }

  sessionOf(uri: Uri): ToolSession | undefined {
    const session = this.#sessions.get(uri.toString());
    return session instanceof ToolSession ? session : undefined;
  }

  get activeSession(): ToolSession | undefined {
    const tab = [...this.#tabs].find(({ isActive }) => isActive);
    const uri = window.activeTextEditor?.document.uri;
    return tab?.session ?? (uri && this.sessionOf(uri));
  }

  get active(): WholeValue | undefined {
    const document = [...this.#tabs].find(({ isActive }) => isActive)?.session.outcome?.document;
    return document && wholeValueOf(document);
  }

  dispose(): void {
    this.#store.dispose();
    for (const uri of this.#sessions.keys()) this.#end(uri);
  }

  #begin(document: TextDocument): Promise<ToolSession | undefined> {
    const { uri } = document;
    const address = readToolUri(this.#options.seal, uri);
    if (address === undefined) return Promise.resolve(undefined);
    const key = uri.toString();
    const known = this.#sessions.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const begun = this.#create(document, address);
    this.#sessions.set(key, begun);
    return begun;
  }

  async #create(document: TextDocument, address: ToolSession['address']): Promise<ToolSession> {
    const { files } = this.#options;
    const { uri } = document;
    const session = new ToolSession(document, address, {
      ...this.#options,
      lastSeen: await files.definition(uri),
      isWithheld: await files.isWithheld(uri),
      onDefinition: (tool) => files.keepDefinition(uri, tool),
    });
    // The document may have been closed in the meantime.
    if (!this.#sessions.has(uri.toString())) {
      session.dispose();
      return session;
    }
    this.#sessions.set(uri.toString(), session);
    const relevant: readonly string[] = ['tool', 'arguments', 'broken', 'problems'];
    session.onDidChange(({ message }) => relevant.includes(message.type) && this.#onDidChange.fire(uri));
    this.#onDidChange.fire(uri);
    void session.check();
    return session;
  }

  #end(uri: string): void {
    const session = this.#sessions.get(uri);
    this.#sessions.delete(uri);
    if (session instanceof ToolSession) session.dispose();
  }
}

/** The last text editor that was active; a form is no text editor. */
export function followTextEditor(): { readonly last: () => TextEditor | undefined } & Disposable {
  let last: TextEditor | undefined = window.activeTextEditor;
  const subscription = window.onDidChangeActiveTextEditor((editor) => {
    if (editor !== undefined && editor.document.uri.scheme !== toolScheme) last = editor;
  });
  return {
    last: () => last,
    dispose() {
      subscription.dispose();
    },
  };
}
