import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { noReach, policyOf } from '../../../../src/client/apps/appReach.ts';
import { readAppResource, toFrameDocument } from '../../../../src/client/apps/appResource.ts';
import { startServer } from '../../../fixtures/scriptedManagedServer.ts';

const uri = 'ui://weather/map';
const mimeType = 'text/html;profile=mcp-app';
const html = '<!doctype html><title>Map</title>';

/** A running server that answers `resources/read` with these contents. */
async function setUp(contents: readonly object[], resources: readonly object[] = []) {
  return startServer({
    capabilities: { resources: {} },
    script: (scripted) => {
      scripted.on('resources/list', () => ({ resources }));
      scripted.on('resources/read', () => ({ contents }));
    },
  });
}

function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

describe('reading an app', () => {
  it('reads the address that its tool names, also if no list has it [resources/read-referenced]', async () => {
    const { server, latest } = await setUp([{ uri, mimeType, text: html }]);
    expect(server.contents.resources).toEqual([]);
    const app = await readAppResource(server, uri);
    expect(app).toMatchObject({ uri, html });
    expect(latest().sentFor('resources/read')).toMatchObject([{ params: { uri } }]);
  });

  it('decodes base64 as UTF-8 [resources/read-referenced]', async () => {
    const text = '<p>Grüße, 世界 👋</p>';
    const { server } = await setUp([{ uri, mimeType, blob: toBase64(text) }]);
    expect(await readAppResource(server, uri)).toMatchObject({ html: text });
  });

  it.each<[string, string, object]>([
    ['text/html', 'is "text/html"', { mimeType: 'text/html', text: html }],
    ['text/plain', 'is "text/plain"', { mimeType: 'text/plain', text: html }],
    ['image/svg+xml', 'is "image/svg+xml"', { mimeType: 'image/svg+xml', text: html }],
    ['no type', 'has no type', { text: html }],
  ])('refuses %s, and says so [resources/read-referenced]', async (_type, said, content) => {
    const { server } = await setUp([{ uri, ...content }]);
    const message = `What the server calls its app ${said}; an app is ${mimeType}. The result of the tool is not affected.`;
    await expect(readAppResource(server, uri)).rejects.toMatchObject({ code: 'invalidMessage', message });
  });

  it.each<[string, readonly object[]]>([
    ['without any contents', []],
    ['not valid base64', [{ uri, mimeType, blob: '<p>not base64</p>' }]],
    ['longer than 20,000,000 characters', [{ uri, mimeType, text: 'x'.repeat(20_000_001) }]],
  ])('refuses what is %s', async (said, contents) => {
    const { server } = await setUp(contents);
    const refused = { code: 'invalidMessage', message: expect.stringContaining(said) };
    await expect(readAppResource(server, uri)).rejects.toMatchObject(refused);
  });

  it('takes the part with the address that was asked for, and else the first', async () => {
    const other = { uri: 'ui://other', mimeType, text: 'other' };
    const both = await setUp([other, { uri, mimeType, text: html }]);
    expect(await readAppResource(both.server, uri)).toMatchObject({ uri, html });
    const one = await setUp([other]);
    expect(await readAppResource(one.server, uri)).toMatchObject({ uri, html: 'other' });
  });

  it('takes the metadata of the contents as a whole before that of the list', async () => {
    const ui = { csp: { connectDomains: ['https://listed.example'] }, permissions: { camera: {} } };
    const listed = { uri, name: 'Map', _meta: { ui } };
    const plain = await setUp([{ uri, mimeType, text: html }], [{ ...listed, uri: 'ui://other' }, listed]);
    expect((await readAppResource(plain.server, uri)).metadata.domains.connect).toEqual(['https://listed.example']);
    const own = { ui: { prefersBorder: true } };
    const described = await setUp([{ uri, mimeType, text: html, _meta: own }], [listed]);
    const { metadata } = await readAppResource(described.server, uri);
    expect(metadata).toMatchObject({ prefersBorder: true, domains: { connect: [] }, permissions: [] });
  });

  it('passes on what the server says, and ends when it is cancelled', async () => {
    const { server, latest } = await setUp([]);
    latest().fail('resources/read', { code: -32002, message: 'No such app' });
    await expect(readAppResource(server, uri)).rejects.toMatchObject({ code: -32002, message: 'No such app' });
    latest().on('resources/read', () => undefined);
    const controller = new AbortController();
    const read = expect(readAppResource(server, uri, controller.signal)).rejects.toBeInstanceOf(CancelledError);
    controller.abort(new CancelledError());
    await read;
  });
});

describe('the document of a frame', () => {
  const script = 'globalThis.ready = 1;';

  it('begins with the policy, then has the script, then all of the app as it is', () => {
    const hostile = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src *">$& $1 ${html}`;
    const policy = policyOf({ ...noReach, connect: ['https://api.example'] }, false);
    expect(toFrameDocument(hostile, policy, script, 'dark')).toBe(
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script data-theme="dark">${script}</script>${hostile}`,
    );
  });

  it('keeps a policy inside its attribute, whatever it contains', () => {
    const document = toFrameDocument('', `a "><script>b</script> &quot; &`, '', 'light');
    expect(document).toBe(
      '<!doctype html><meta http-equiv="Content-Security-Policy" content="a &quot;>&lt;script>b&lt;/script> &amp;quot; &amp;"><script data-theme="light"></script>',
    );
  });

  it('keeps a script inside its element, and its meaning', () => {
    const told = '</script><SCRIPT src=x><!-- <script> --> 1 < 2';
    const document = toFrameDocument('', '', `globalThis.told = ${JSON.stringify(told)};`, 'dark');
    const [, inside = ''] = /<script data-theme="dark">(.*)<\/script>$/s.exec(document) ?? [];
    expect(inside).not.toMatch(/<\/|<!--|<script/i);
    const [, literal = ''] = /^globalThis\.told = "(.*)";$/s.exec(inside) ?? [];
    expect(literal.replaceAll(String.raw`\x3C`, '<')).toBe(told);
  });
});
