import { beforeEach, describe, expect, it } from 'vitest';
import { raceAbort } from '../../../../src/base/abort.ts';
import type { HttpRequest } from '../../../../src/base/httpClient.ts';
import { createPng } from '../../../fixtures/png.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createAnsweringHttpClient } from '../../../fixtures/httpClients.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { fetchIcon, createServerIcons } from '../../../../src/host/icons/serverIcons.ts';
import { editor } from '../../../fixtures/vscode.ts';

const origin = 'https://icons.example';
const png = new Uint8Array(Buffer.from(createPng(32), 'base64'));
const svg =
  '<?xml version="1.0"?>\n<!-- by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
const uriOf = (type: string, body: Uint8Array | string): string =>
  `data:${type};base64,${Buffer.from(body).toString('base64')}`;

type Site = Readonly<Record<string, () => Response>>;

/** Fetches from `site`, responses by address. @returns the icon and the requests */
async function fetchFrom(src: string, site: Site) {
  const sent: HttpRequest[] = [];
  const http = createAnsweringHttpClient(async (request) => {
    sent.push(request);
    const answer = site[request.url.href];
    if (answer === undefined) throw new Error('no such page');
    return answer();
  });
  const icon = await fetchIcon(src, origin, { http, clock: createManualClock() });
  return { icon, sent, urls: sent.map(({ url }) => url.href) };
}

const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
const body = (content: Uint8Array | string) => () =>
  new Response(content as BodyInit, { headers: { 'content-type': 'text/html' } });

describe('an icon at an address of its server', () => {
  it('is fetched without credentials, and is what its bytes say [icons-fetched]', async () => {
    const src = `${origin}/icon`;
    const { icon, sent } = await fetchFrom(src, { [src]: body(png) });
    expect(icon).toBe(uriOf('image/png', png));
    expect(sent).toMatchObject([{ url: new URL(src) }]);
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['accept']);
    const gif = new Uint8Array(Buffer.from('R0lGODlhAgADAAAAACwAAAAAAgADAAACAYQAOw==', 'base64'));
    expect((await fetchFrom(src, { [src]: body(gif) })).icon).toBe(uriOf('image/gif', gif));
    expect((await fetchFrom(src, { [src]: body(svg) })).icon).toBe(uriOf('image/svg+xml', svg));
  });

  it('is followed within the origin', async () => {
    const site = { [`${origin}/a`]: to('/b'), [`${origin}/b`]: to(`${origin}/c`), [`${origin}/c`]: body(png) };
    expect((await fetchFrom(`${origin}/a`, site)).icon).toBe(uriOf('image/png', png));
    const circle = { [`${origin}/a`]: to('/a') };
    const { icon, urls } = await fetchFrom(`${origin}/a`, circle);
    expect([icon, urls.length]).toEqual([undefined, 4]);
  });

  it.each([
    'https://elsewhere.example/icon.png',
    'https://icons.example:8443/icon.png',
    'http://icons.example/icon.png',
    'https://me:secret@icons.example/icon.png',
    'ftp://icons.example/icon.png',
    'file:///etc/passwd',
    '//icons.example/icon.png',
  ])('sends nothing to %s [icons-fetched]', async (address) => {
    const site = { [`${origin}/a`]: to(address) };
    expect(await fetchFrom(address, {})).toMatchObject({ icon: undefined, urls: [] });
    if (!address.startsWith('//')) expect((await fetchFrom(`${origin}/a`, site)).urls).toEqual([`${origin}/a`]);
  });

  const wide = png.slice();
  new DataView(wide.buffer).setUint32(16, 100_000);
  it.each<[string, () => Response]>([
    ['an error', () => new Response(png as BodyInit, { status: 404 })],
    ['a page', body('<!doctype html><svg></svg>')],
    ['a script', body('alert(1)//<svg>')],
    ['an SVG with entities', body(`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg}`)],
    ['many bytes', body(new Uint8Array(70_000))],
    ['many pixels', body(wide)],
    ['nothing', body('')],
  ])('is not taken from %s [icons-fetched]', async (_what, answer) => {
    expect((await fetchFrom(`${origin}/a`, { [`${origin}/a`]: answer })).icon).toBeUndefined();
  });

  it('is not waited for longer than 10 seconds', async () => {
    const clock = createManualClock();
    const http = createAnsweringHttpClient(({ signal }) => raceAbort(new Promise(() => {}), signal));
    const icon = fetchIcon(`${origin}/a`, origin, { http, clock });
    await clock.advance(10_000);
    expect(await icon).toBeUndefined();
  });
});

describe('icons of servers', () => {
  beforeEach(() => void (editor.settings['icons.fetch'] = true));

  function setUp(ofServer: string | undefined) {
    const urls: string[] = [];
    const host = { server: { session: { origin: ofServer } } } as unknown as HostServer;
    const http = createAnsweringHttpClient(async ({ url }) => {
      urls.push(url.href);
      return body(url.href.endsWith('dark') ? svg : png)();
    });
    const icons = createServerIcons({ registry: { get: () => host }, http, clock: createManualClock() });
    const heard: string[] = [];
    icons.onDidArrive((label) => heard.push(label));
    const show = (list: readonly object[]) => icons.of('notes', list);
    return { urls, heard, show };
  }

  it('are fetched once, for the theme and of the size that fits, and shown when they are there', async () => {
    const { urls, heard, show } = setUp(origin);
    const list = [
      { src: `${origin}/huge`, sizes: ['1024x1024'] },
      { src: `${origin}/light`, sizes: ['48x48'], theme: 'light' },
      { src: `${origin}/dark`, sizes: ['any'], theme: 'dark' },
      { src: `${origin}/tiny`, sizes: ['16x16'], theme: 'light' },
    ];
    expect(show(list)).toBeUndefined();
    await expect.poll(() => heard).toEqual(['notes', 'notes']);
    expect(show(list)).toEqual({ light: uriOf('image/png', png), dark: uriOf('image/svg+xml', svg) });
    expect(urls.toSorted()).toEqual([`${origin}/dark`, `${origin}/light`]);
  });

  it.each([
    ['a local server', undefined, true],
    ['a server at http', 'http://icons.example', true],
    ['a server elsewhere', 'https://icons.example.evil', true],
    ['a person who does not want it', origin, false],
    ['a folder that does not want it', origin, true, false],
    ['a folder that overrules the person', origin, false, true],
  ])('are not fetched for %s [icons-fetched]', async (_who, ofServer, isOn, ofFolder?: boolean) => {
    editor.settings['icons.fetch'] = isOn;
    editor.folderSettings['icons.fetch'] = ofFolder;
    const { urls, show } = setUp(ofServer);
    expect(show([{ src: `${origin}/a` }, { src: 'http://icons.example/a' }])).toBeUndefined();
    await settle();
    expect(urls).toEqual([]);
  });

  it('are no more than 50 of one server', async () => {
    const { urls, heard, show } = setUp(origin);
    for (let index = 0; index < 60; index += 1) show([{ src: `${origin}/${index}` }]);
    await expect.poll(() => heard.length).toBe(50);
    expect(urls).toHaveLength(50);
  });
});
