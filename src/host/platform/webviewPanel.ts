import { randomBytes } from 'node:crypto';
import { Uri, ViewColumn, type WebviewOptions, type WebviewPanel, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord } from '../../base/json.ts';
import { type PagePolicy, type PanelName, panelStyles, renderWebviewHtml } from './webviewHtml.ts';

const typed = new Emitter<void>();
const listened = new WeakSet<WebviewPanel>();

/** The person has pressed a key in a page of Patchbay; VS Code tells no other page of it. */
export const onDidType: Event<void> = typed.event;

/** True for the message of a page that makes {@link onDidType} fire. */
export function isTypedMessage(message: unknown): boolean {
  return isRecord(message) && message['type'] === 'typed';
}

export interface WebviewPanelOptions {
  readonly extensionUri: Uri;
  readonly name: PanelName;
  /** Where tabs of one page are restored after a reload and others are not: VS Code does that by the type. The name by default. */
  readonly type?: string;
  readonly title: string;
  readonly viewColumn?: ViewColumn;
  /** The focus stays where it is. */
  readonly preserveFocus?: boolean;
}

/** Opens a panel with one of the extension's pages. The page can load the built scripts and `media`, and no other files. */
export function openWebviewPanel(options: WebviewPanelOptions): WebviewPanel {
  const { extensionUri, name, type = name, title, viewColumn = ViewColumn.Active, preserveFocus = false } = options;
  const panel = window.createWebviewPanel(
    `patchbay.${type}`,
    title,
    { viewColumn, preserveFocus },
    {
      ...contentOptions(extensionUri),
      enableFindWidget: true,
      retainContextWhenHidden: true,
    },
  );
  fillWebviewPanel(panel, options);
  return panel;
}

/** A page that one tab shows, which disposing closes. @param connect what serves the page while it is open; `isRestored`: since before a reload */
export function createSinglePanel(
  options: WebviewPanelOptions,
  connect: (panel: WebviewPanel, isRestored: boolean) => Disposable,
) {
  let open: WebviewPanel | undefined;
  function serve(panel: WebviewPanel, isRestored: boolean): void {
    const connection = connect(panel, isRestored);
    open = panel;
    panel.onDidDispose(() => {
      connection.dispose();
      open = undefined;
    });
  }
  return {
    show(): void {
      if (open === undefined) serve(openWebviewPanel(options), false);
      else open.reveal();
    },
    /** Takes a tab that was open before the window was reloaded. */
    adopt(panel: WebviewPanel): void {
      if (open !== undefined) return void panel.dispose();
      serve(panel, true);
      fillWebviewPanel(panel, options);
    },
    dispose(): void {
      open?.dispose();
    },
  };
}

export function fillWebviewPanel(
  panel: WebviewPanel,
  { extensionUri, name, title }: Pick<WebviewPanelOptions, 'extensionUri' | 'name' | 'title'>,
  policy: PagePolicy = {},
): void {
  const scripts = Uri.joinPath(extensionUri, 'dist', 'webview');
  const media = Uri.joinPath(extensionUri, 'media');
  const address = (uri: Uri): string => panel.webview.asWebviewUri(uri).toString();
  if (!listened.has(panel)) {
    listened.add(panel);
    panel.webview.onDidReceiveMessage((message: unknown) => isTypedMessage(message) && typed.fire());
  }
  panel.webview.options = contentOptions(extensionUri);
  panel.iconPath = {
    light: Uri.joinPath(media, `${name}-light.svg`),
    dark: Uri.joinPath(media, `${name}-dark.svg`),
  };
  panel.webview.html = renderWebviewHtml({
    title,
    policy,
    cspSource: panel.webview.cspSource,
    nonce: randomBytes(16).toString('hex'),
    scriptUri: address(Uri.joinPath(scripts, `${name}.js`)),
    styleUris: [
      Uri.joinPath(scripts, 'codicon.css'),
      ...['panel', ...panelStyles[name]].map((style) => Uri.joinPath(media, `${style}.css`)),
    ].map(address),
  });
}

/** Tells the page that its tab is in another place of the window, or visible again: see `src/webview/decisionGuard`. */
export function tellMoves(panel: WebviewPanel): Disposable {
  let place = placeOf(panel);
  return panel.onDidChangeViewState(() => {
    const before = place;
    place = placeOf(panel);
    if (place !== before) void panel.webview.postMessage({ type: 'moved' });
  });
}

function placeOf({ visible, viewColumn }: WebviewPanel): string {
  return `${visible} ${viewColumn}`;
}

function contentOptions(extensionUri: Uri): WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [Uri.joinPath(extensionUri, 'dist', 'webview'), Uri.joinPath(extensionUri, 'media')],
  };
}
