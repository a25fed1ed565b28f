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
