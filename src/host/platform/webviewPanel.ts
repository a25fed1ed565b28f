import { Uri, ViewColumn, type WebviewPanel, window } from 'vscode';

export interface WebviewPanelOptions {
  readonly extensionUri: Uri;
  /** Names both the built script `dist/webview/<name>.js` and the style `media/<name>.css`. */
  readonly name: 'consent' | 'elicitation' | 'result';
  readonly title: string;
  readonly viewColumn?: ViewColumn;
}

/** Opens a panel on one of our pages. It may read our built files and icons, nothing else of the disk. */
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

/** What goes into the page of a panel. URIs and `cspSource` as the webview gives them. */
export interface WebviewHtmlOptions {
  readonly title: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUris: readonly string[];
  /** At least 128 random bits; see {@link createNonce}. */
  readonly nonce: string;
}

/**
 * The page of every panel: no inline script or style, no network, no frames, no forms. Media come as `data:` URIs only.
 */
export function renderWebviewHtml(options: WebviewHtmlOptions): string {
  const { cspSource, nonce } = options;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src data:`,
    `media-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const styles = options.styleUris.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`).join('\n  ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(options.title)}</title>
  ${styles}
</head>
<body>
  <script nonce="${escapeHtml(nonce)}" src="${escapeHtml(options.scriptUri)}"></script>
</body>
</html>
`;
}

/** 128 random bits as hexadecimal text. */
export function createNonce(random: (bytes: Uint8Array<ArrayBuffer>) => unknown): string {
  const bytes = new Uint8Array(16);
  random(bytes);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
