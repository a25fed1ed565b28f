import {
  commands,
  TextEditorSelectionChangeKind,
  type Uri,
  type ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { DisplayMode } from '../../client/apps/appMessages.ts';
import { type AppFromPanel, type AppToPanel, readAppMessage, type Surroundings } from '../../shared/appMessages.ts';
import { fillWebviewPanel, onDidType, tellMoves } from '../platform/webviewPanel.ts';
import type { PagePolicy } from '../platform/webviewHtml.ts';

/** What a page asks for on behalf of the person, or tells of its app. */
export type AppPageMessage = Exclude<AppFromPanel, { readonly type: 'message' | 'surroundings' }>;

export interface AppPanelEvents {
  /** The page is there: for the first time, or again. @param isMoved the person has moved its tab to another window */
  readonly onReady: (isMoved: boolean) => void;
  readonly onAppMessage: (message: unknown) => void;
  /** The theme, the fonts or the size of the place for the app have changed. */
  readonly onSurroundings: (surroundings: Surroundings) => void;
  readonly onPageMessage: (message: AppPageMessage) => void;
}

/**
 * The commands that move the active tab, and keep it: `reveal` makes a preview of it in another group, which the next document closes.
 * Not `moveEditorToNextGroup`: VS Code looks for the next group in all windows, also in one that is closing and takes the tab with it.
 */
const moves = {
  inline: 'workbench.action.moveEditorToRightGroup',
  fullscreen: 'workbench.action.moveEditorToFirstGroup',
  pip: 'workbench.action.moveEditorToNewWindow',
} as const satisfies Record<DisplayMode, string>;

/** The webview panel of an app: its page, and the messages to and from it. */
export class AppPanel implements Disposable {
  readonly view: WebviewPanel;
  readonly #extensionUri: Uri;
  readonly #events: AppPanelEvents;
  readonly #store = new DisposableStore();
  /** Of the page that is there, or on its way. */
  #policy: PagePolicy | undefined;
  /** Of the page that follows once that one is ready. */
  #wanted: PagePolicy = {};
  #isReady = false;
  /** Its tab was moved to or from another window here: VS Code loads the page again. */
  #isMoving = false;
  /** Where the tab was when the page was ready last. */
  #column: ViewColumn | undefined;
  /** What the page has measured last; `undefined` before it was ready for the first time. */
  surroundings: Surroundings | undefined;

  constructor(panel: WebviewPanel, extensionUri: Uri, events: AppPanelEvents) {
    this.view = panel;
    this.#extensionUri = extensionUri;
    this.#events = events;
    const subscriptions = [
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readAppMessage(value);
        if (message !== undefined) this.#receive(message);
      }),
      tellMoves(panel),
      // It takes no message any more: to send one throws.
      panel.onDidDispose(() => (this.#isReady = false)),
      onDidType(() => this.#tellTyping()),
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === TextEditorSelectionChangeKind.Keyboard) this.#tellTyping();
      }),
    ];
    for (const subscription of subscriptions) this.#store.add(subscription);
  }

  /**
   * Fills the panel with a page of this policy, once the one before is ready: VS Code may never show a page that it gets while another
   * one is loading. @returns true if it has such a page already; otherwise `onReady` follows
   */
  loadPage(policy: PagePolicy): boolean {
    this.#wanted = policy;
    if (this.#policy !== undefined && !this.#isReady) return false;
    if (this.#isWanted) return true;
    this.#policy = policy;
    this.#isReady = false;
    const page = { extensionUri: this.#extensionUri, name: 'app', title: this.view.title } as const;
    fillWebviewPanel(this.view, page, policy);
    return false;
  }

  get #isWanted(): boolean {
    return JSON.stringify(this.#policy) === JSON.stringify(this.#wanted);
  }

  /** A page that is not ready gets no message: it asks for all when it is. */
  send(message: AppToPanel): void {
    if (this.#isReady) void this.view.webview.postMessage(message);
  }

  /** Says in the name of the tab that a question is open in it: the person may look elsewhere. */
  markAsking(isAsking: boolean): void {
    if (!this.#isReady) return;
    const name = this.view.title.replace(/^\? /, '');
    const marked = isAsking ? `? ${name}` : name;
    if (this.view.title !== marked) this.view.title = marked;
  }

  /** Brings the tab to the front where it is hidden; the focus stays where it is. */
  reveal(): void {
    if (!this.view.visible) this.view.reveal(undefined, true);
  }

  /** Moves the tab, from a window of its own with all that was moved there. @returns false where this editor cannot */
  async move(from: DisplayMode, to: DisplayMode): Promise<boolean> {
    if (to === 'pip' && !(await commands.getCommands(true)).includes(moves.pip)) return false;
    this.view.reveal();
    this.#isMoving = from === 'pip' || to === 'pip';
    try {
      if (from === 'pip') await commands.executeCommand('workbench.action.restoreEditorsToMainWindow');
      const isBelow =
        to === 'inline' && workspace.getConfiguration('workbench.editor').get('openSideBySideDirection') === 'down';
      await commands.executeCommand(isBelow ? 'workbench.action.moveEditorToBelowGroup' : moves[to]);
    } catch (error) {
      this.#isMoving = false;
      throw error;
    }
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tellTyping(): void {
    if (this.#isReady && this.view.visible) this.send({ type: 'typed' });
  }

  #receive(message: AppFromPanel): void {
    if (message.type === 'surroundings') {
      this.surroundings = message.surroundings;
      return this.#events.onSurroundings(message.surroundings);
    }
    if (message.type !== 'message') return this.#events.onPageMessage(message);
    const said = parseJson(message.text);
    if (isRecord(said) && said['method'] === 'ui/notifications/sandbox-proxy-ready') {
      const { viewColumn } = this.view;
      // A page says so again too where an answer was lost.
      const isMoved = this.#isReady && !this.#isMoving && viewColumn !== this.#column;
      this.#column = viewColumn;
      this.#isMoving = false;
      this.#isReady = true;
      if (this.loadPage(this.#wanted)) this.#events.onReady(isMoved);
    } else if (this.#isReady) this.#events.onAppMessage(said);
  }
}
