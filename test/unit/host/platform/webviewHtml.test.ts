import { describe, expect, it } from 'vitest';
import { renderWebviewHtml } from '../../../../src/host/platform/webviewHtml.ts';

const options = {
  title: 'A <b> & "c"',
  cspSource: "'self' https://*.vscode-cdn.net",
  scriptUri: 'https://x/a.js',
  styleUris: ['https://x/a.css'],
  nonce: 'abc',
};

describe('renderWebviewHtml', () => {
  it('pins the policy', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(renderWebviewHtml(options))?.[1]
      ?.replaceAll('&#39;', "'");
    expect(policy).toBe(
      "default-src 'none'; script-src 'nonce-abc'; style-src 'self' https://*.vscode-cdn.net; font-src 'self' https://*.vscode-cdn.net; " +
        "img-src data:; media-src data:; base-uri 'none'; form-action 'none'",
    );
  });

  it('escapes what it is given', () => {
    expect(renderWebviewHtml(options)).toContain('<title>A &#60;b&#62; &#38; &#34;c&#34;</title>');
  });
});
