/** The pages of the panels, each with the styles in `media` that it needs besides `panel.css`. */
export const panelStyles = {
  app: ['app'],
  audit: ['records', 'audit'],
  calls: ['form', 'records', 'calls'],
  consent: ['consent'],
  elicitation: ['form', 'elicitation'],
  facts: ['facts'],
  result: ['result'],
  startReview: ['startReview'],
  tool: ['form', 'result', 'tool'],
  traffic: ['result', 'traffic'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of a page: of its script `dist/webview/<name>.js`, and of its icons. */
export type PanelName = keyof typeof panelStyles;

/** How the policy of a page differs from the strict one of all panels. It differs for the page around an app, and no other. */
export interface PagePolicy {
  /** In place of the strict policy: that of an app without an origin, whose frame inherits it. */
  readonly whole?: string;
  readonly frames?: string;
}

export interface WebviewHtmlOptions {
  readonly title: string;
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUris: readonly string[];
  /** At least 128 random bits. */
  readonly nonce: string;
  readonly policy?: PagePolicy;
}

/** The HTML of every panel: no inline scripts or styles, no network, no frames, no forms; media only as `data:` URIs; unless `policy` says otherwise. */
export function renderWebviewHtml(options: WebviewHtmlOptions): string {
  const { cspSource, nonce, policy = {} } = options;
  const strict = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src data:`,
    `media-src data:`,
    ...(policy.frames === undefined ? [] : [`frame-src ${policy.frames}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const styles = options.styleUris.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`).join('\n  ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy.whole ?? strict)}">
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
