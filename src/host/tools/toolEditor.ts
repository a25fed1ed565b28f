import {
  type TextDocument,
  type TextDocumentShowOptions,
  type TextEditor,
  Uri,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import { findTool } from '../invocation/contentTarget.ts';
import { singleLine } from '../platform/displayText.ts';
import { openOwnDocument, showWith } from '../platform/documents.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import { wholeValueOf } from '../results/resultPanel.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import { firstArguments } from './fillArguments.ts';
import { columnBesideApp } from './toolColumn.ts';
import type { ToolParts } from './toolLibrary.ts';
import { ToolSession } from './toolSession.ts';
import { ToolTab } from './toolTab.ts';
import { readToolUri, type ToolAddress, toToolUri } from './toolUri.ts';

const toolViewType = 'patchbay.tool';

/** Pages of hidden tabs that stay: those that were hidden last. Each takes some 5 MB. */
const keptPages = 3;

/** The tabs of tools, and the documents behind them. Documents that are open already get their sessions at once. */
export class ToolEditors implements Disposable {
  readonly #parts: ToolParts;
  readonly #store = new DisposableStore();
  /** By URI; the documents that are open. */
  readonly #sessions = new Map<string, Promise<ToolSession> | ToolSession>();
  readonly #tabs = new Set<ToolTab>();
  /** Hidden tabs that have pages; the one that was hidden first is the first. */
  readonly #hidden = new Set<ToolTab>();
  /** By URI: those that wait for a tab that is being opened. They get `undefined` where none can be. */
  readonly #awaited = new Map<string, ((tab: ToolTab | undefined) => void)[]>();
  readonly #onDidChange = this.#store.add(new Emitter<Uri>());

  /** A document was opened, or its tool, arguments or problems have changed. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(parts: ToolParts) {
    this.#parts = parts;
    this.#store.add(workspace.onDidOpenTextDocument((document) => void this.#begin(document)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#end(uri.toString())));
    for (const document of workspace.textDocuments) void this.#begin(document);
    this.#store.add(parts.development.onDidRestart((server) => this.#callAgain(server)));
  }

  /** Each document once, whichever of its tabs does it. */
  #callAgain(server: string): void {
    const tabs = new Map([...this.#tabs].map((tab) => [tab.session, tab]));
    for (const [session, tab] of tabs)
      if (session.address.server === server && session.callsAgain)
        tab
          .callAfterRestart()
          .catch((error: unknown) => this.#parts.logger.error(() => `Call again: ${messageOf(error)}`));
  }

  /**
   * Shows the tab of a tool.
   * @param tool absent where the server does not list it now: the tab shows it as it was last seen
   * @param which `another`: one more tab of the tool; `free`: one in which no call is on its way
   */
  async open(
    target: Omit<ToolAddress, 'copy'>,
    tool: Tool | undefined,
    which: 'first' | 'another' | 'free',
    shown: TextDocumentShowOptions,
  ): Promise<ToolTab> {
    const known = tool ?? this.#remembered(target);
    const title = singleLine(known === undefined ? target.tool : toolDisplayName(known), 60);
    const { seal, files } = this.#parts;
    const uriOf = (copy: number): Uri => Uri.from(toToolUri(seal, { ...target, copy }, title));
    const isTaken = (uri: Uri): boolean =>
      which === 'another'
        ? this.#sessions.has(uri.toString())
        : which === 'free' && (this.sessionOf(uri)?.call.kind ?? 'idle') !== 'idle';
    let copy = 0;
    while (isTaken(uriOf(copy))) copy += 1;
    const uri = uriOf(copy);
    if (tool !== undefined) await files.begin(uri, tool, () => this.#firstArguments(target.server, tool));
    return this.#show(uri, shown);
  }

  #firstArguments(server: string, tool: Tool): Promise<JsonObject | undefined> {
    const { validator } = this.#parts;
    return firstArguments(
      tool,
      async (args) => (await validator.validate(server, tool.inputSchema, args)).kind !== 'invalid',
    );
  }

  /** The names of the tool, if its server has listed it at an earlier time. */
  #remembered({ server, tool, occurrence }: Omit<ToolAddress, 'copy'>): Tool | undefined {
    const contents = this.#parts.registry.get(server)?.server.contents;
    return contents && findTool(contents, tool, occurrence);
  }

  async #show(uri: Uri, shown: TextDocumentShowOptions): Promise<ToolTab> {
    const key = uri.toString();
    let made: ToolTab | undefined;
    const making = new Promise<ToolTab | undefined>((resolve) => {
      const settle = (tab: ToolTab | undefined): void => {
        made = tab;
        resolve(tab);
      };
      this.#awaited.set(key, [...(this.#awaited.get(key) ?? []), settle]);
    });
    const viewColumn = columnBesideApp(uri);
    await showWith(uri, toolViewType, { ...shown, ...(viewColumn !== undefined && { viewColumn }) });
    const known = [...this.#tabs].filter(({ session }) => session.document.uri.toString() === key);
    const tab =
      made ??
      known.find(({ isActive }) => isActive) ??
      known.findLast(({ isLoaded }) => isLoaded) ??
      known.at(-1) ??
      (await making);
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
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    // A document whose language is changed, because a folder names another one, counts as closed and opened again.
    const session = await this.#begin(await openOwnDocument(document.uri));
    if (session === undefined) throw new PatchbayError('notFound', 'This is not the address of a tool.');
    if (isClosed) return undefined;
    const tab = new ToolTab(panel, session, this.#parts);
    this.#tabs.add(tab);
    panel.onDidDispose(() => {
      this.#tabs.delete(tab);
      this.#hidden.delete(tab);
      tab.dispose();
    });
    panel.onDidChangeViewState(() => this.#follow(tab, panel.visible));
    tab.load();
    return tab;
  }

  #follow(tab: ToolTab, isVisible: boolean): void {
    this.#hidden.delete(tab);
    if (isVisible) return tab.load();
    this.#hidden.add(tab);
    for (const gone of [...this.#hidden].filter(({ isLoaded }) => !isLoaded)) this.#hidden.delete(gone);
    for (const oldest of [...this.#hidden].slice(0, -keptPages)) oldest.leave();
  }

  sessionOf(uri: Uri): ToolSession | undefined {
    const session = this.#sessions.get(uri.toString());
    return session instanceof ToolSession ? session : undefined;
  }

  /** The tool in the active tab, be it the form or its JSON. */
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
    const address = readToolUri(this.#parts.seal, uri);
    if (address === undefined) return Promise.resolve(undefined);
    const key = uri.toString();
    const known = this.#sessions.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const begun = this.#create(document, address);
    this.#sessions.set(key, begun);
    return begun;
  }

  async #create(document: TextDocument, address: ToolAddress): Promise<ToolSession> {
    const { uri } = document;
    const session = new ToolSession(document, address, this.#parts, await this.#parts.files.find(uri));
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
  return { last: () => last, dispose: () => void subscription.dispose() };
}
