import { Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { createNonce, renderWebviewHtml } from './webviewHtml.ts';

/** Which panel to open, and where. */
export interface WebviewPanelOptions {
  readonly extensionUri: Uri;
  /** Names both the built script `dist/webview/<name>.js` and the style `media/<name>.css`. */
  readonly name: 'audit' | 'consent' | 'elicitation' | 'result';
  readonly title: string;
  readonly viewColumn?: ViewColumn;
}

/** Opens a panel with one of the extension's pages. The page can load the built scripts and `media`, and no other files. */
export function openWebviewPanel(options: WebviewPanelOptions): WebviewPanel {
  const { extensionUri, name, title } = options;
  const scripts = Uri.joinPath(extensionUri, 'dist', 'webview');
  const media = Uri.joinPath(extensionUri, 'media');
  const panel = window.createWebviewPanel(`patchbay.${name}`, title, options.viewColumn ?? ViewColumn.Active, {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    enableFindWidget: true,
    retainContextWhenHidden: true,
    localResourceRoots: [scripts, media],
  });
  const address = (uri: Uri): string => panel.webview.asWebviewUri(uri).toString();
  panel.iconPath = {
    light: Uri.joinPath(media, `${name}-light.svg`),
    dark: Uri.joinPath(media, `${name}-dark.svg`),
  };
  panel.webview.html = renderWebviewHtml({
    title,
    cspSource: panel.webview.cspSource,
    nonce: createNonce((bytes) => crypto.getRandomValues(bytes)),
    scriptUri: address(Uri.joinPath(scripts, `${name}.js`)),
    styleUris: [
      Uri.joinPath(scripts, 'codicon.css'),
      Uri.joinPath(media, 'panel.css'),
      Uri.joinPath(media, `${name}.css`),
    ].map(address),
  });
  return panel;
}
