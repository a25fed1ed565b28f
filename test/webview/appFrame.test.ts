import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isEvaluation, noReach, policyOf } from '../../src/client/apps/appReach.ts';
import { toFrameDocument } from '../../src/client/apps/appResource.ts';
import { sharedBrowser } from '../ui/driver/sharedBrowser.ts';

/** As Vue does it: members are looked at, and objects that can be changed are wrapped too. */
const reactive = `
  const wrapped = new WeakMap();
  function reactive(target) {
    const known = wrapped.get(target);
    if (known !== undefined) return known;
    const made = new Proxy(target, {
      get(object, key, receiver) {
        const value = Reflect.get(object, key, receiver);
        if (value === null || typeof value !== 'object') return value;
        if (value.__v_isRef) return value.value;
        if (value.__v_skip || !Object.isExtensible(value)) return value;
        return ['Object', 'Array'].includes(Object.prototype.toString.call(value).slice(8, -1)) ? reactive(value) : value;
      },
    });
    wrapped.set(target, made);
    return made;
  }`;

let page: Page;
let frameScript = '';
let sdk = '';

async function bundle(options: Parameters<typeof build>[0]): Promise<string> {
  const { outputFiles } = await build({ ...options, bundle: true, format: 'iife', write: false });
  return outputFiles?.[0]?.text ?? '';
}

beforeAll(async () => {
  const contents = `import { App } from '@modelcontextprotocol/ext-apps'; globalThis.App = App;`;
  [frameScript, sdk] = await Promise.all([
    bundle({ entryPoints: ['src/webview/app/appFrame.ts'] }),
    bundle({ stdin: { contents, resolveDir: resolve(import.meta.dirname) } }),
  ]);
  page = await (await (await sharedBrowser()).newContext({ colorScheme: 'light' })).newPage();
});

afterAll(() => page.context().close());

const strict = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'`;

/** Opens an app in a page that answers its `ui/initialize`, and keeps what else it says. */
async function openApp(html: string, theme: 'light' | 'dark' = 'dark', policy = strict): Promise<Frame> {
  await page.setContent('<!doctype html><iframe sandbox="allow-scripts" style="width: 600px; height: 400px"></iframe>');
  await page.evaluate(
    ([srcdoc, first]) => {
      const frame = document.querySelector('iframe');
      const said: unknown[] = [];
      Object.assign(globalThis, { said });
      window.addEventListener('message', ({ data, source }) => {
        if (source !== frame?.contentWindow) return;
        const { id, method } = data as { readonly id?: number; readonly method?: string };
        if (method === 'ui/initialize') {
          const context = { theme: first };
          const hostInfo = { name: 'host', version: '1' };
          const result = { protocolVersion: '2026-01-26', hostInfo, hostCapabilities: {}, hostContext: context };
          frame?.contentWindow?.postMessage({ jsonrpc: '2.0', id, result }, '*');
        } else said.push(data);
      });
      if (frame !== null) frame.srcdoc = srcdoc;
    },
    [toFrameDocument(html, policy, frameScript, theme), theme] as const,
  );
  await page.frameLocator('iframe').getByText('The app').waitFor();
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('The app has no frame.');
  return frame;
}

const said = (): Promise<readonly unknown[]> => page.evaluate(() => Reflect.get(globalThis, 'said') as unknown[]);

/** What the page around the app sends where the theme of the window changes. */
async function changeTheme(theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((now) => {
    const message = { patchbay: 'theme', theme: now };
    document.querySelector('iframe')?.contentWindow?.postMessage(message, '*');
  }, theme);
}

describe('the parent that an app sees', () => {
  it('can be read, is no window, and gets messages as they are', async () => {
    const app = await openApp('<p>The app');
    const seen = await app.evaluate(() => {
      window.parent.postMessage({ jsonrpc: '2.0', method: 'one' }, '*');
      window.parent.postMessage({ jsonrpc: '2.0', method: 'two' }, { targetOrigin: '*' });
      const parent = window.parent as unknown as Record<string, unknown>;
      let top: Window = window;
      while (top !== top.parent) top = top.parent;
      const ends = [top === window.parent, top.top === top, top.length, top.opener === null];
      return [parent['__v_isRef'], parent['location'], window.parent === window, window.parent === window.top, ...ends];
    });
    expect(seen).toEqual([undefined, undefined, false, false, true, true, 0, true]);
    await expect.poll(said).toEqual(['one', 'two'].map((method) => ({ jsonrpc: '2.0', method })));
  });

  it('is the source of what the page says, and of nothing else', async () => {
    const app = await openApp('<p>The app');
    await app.evaluate(() => {
      const sources: unknown[] = [];
      Object.assign(globalThis, { sources });
      window.addEventListener('message', ({ source }) => sources.push(source === window.parent, source === window));
      window.postMessage('own', '*');
    });
    await page.evaluate(() => document.querySelector('iframe')?.contentWindow?.postMessage('of the page', '*'));
    await expect
      .poll(() => app.evaluate(() => Reflect.get(globalThis, 'sources') as unknown))
      .toEqual([false, true, true, false]);
  });

  it('lets an app of the SDK talk that a framework has wrapped', async () => {
    const script = `${sdk};${reactive};
      const app = new App({ name: 'vue', version: '1' }, {});
      const held = reactive({ app });
      app.connect().then(() => held.app.sendLog({ level: 'info', data: 'sent' }));`;
    await openApp(`<p>The app<script>${script.replaceAll('</', String.raw`<\/`)}</script>`);
    await expect
      .poll(said)
      .toContainEqual({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'sent' } });
  });
});

/** The colours of all marked elements, and whether each marked query matches. */
const looks = (app: Frame): Promise<unknown> =>
  app.evaluate(() => {
    const marked = [...document.querySelectorAll('[data-look]')].map(
      (each) => each.shadowRoot?.querySelector('p') ?? each,
    );
    const isDark = marked.map((each) => getComputedStyle(each).color === 'rgb(1, 1, 1)');
    const queries = Reflect.get(globalThis, 'queries') as readonly MediaQueryList[];
    return [...isDark, ...queries.map(({ matches }) => matches)];
  });

const darkRule = (selector: string): string =>
  `@media (prefers-color-scheme: dark) { ${selector} { color: rgb(1, 1, 1) } }`;

const followingApp = `<style>${darkRule('#plain')}
  @supports (color: red) { @layer x { @media screen and (PREFERS-color-scheme:dark) { #nested { color: rgb(1, 1, 1) } } } }
  @media not (prefers-color-scheme: light) { #not { color: rgb(1, 1, 1) } }</style>
  <style media="(prefers-color-scheme: dark)">#whole { color: rgb(1, 1, 1) }</style>
  <p id="plain" data-look>The app<p id="nested" data-look>a<p id="not" data-look>a<p id="whole" data-look>a
  <p id="inserted" data-look>a<p id="adopted" data-look>a<p id="late" data-look>a<div id="tree" data-look></div>
  <script>
    const rule = (selector) => '@media (prefers-color-scheme: dark) { ' + selector + ' { color: rgb(1, 1, 1) } }';
    document.styleSheets[0].insertRule(rule('#inserted'), 0);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule('#adopted'));
    document.adoptedStyleSheets = [sheet];
    const style = document.createElement('style');
    style.textContent = rule('#late');
    document.head.append(style);
    const root = document.querySelector('#tree').attachShadow({ mode: 'open' });
    root.innerHTML = '<style>' + rule('p') + '</style><p>a';
    globalThis.told = [];
    globalThis.queries = ['(prefers-color-scheme: dark)', 'screen and (prefers-color-scheme: dark) and (min-width: 100px)'].map((text) => {
      const list = matchMedia(text);
      list.addEventListener('change', ({ matches, media }) => told.push([matches, media === list.media]));
      return list;
    });
    queries.push(matchMedia('not (prefers-color-scheme: light)'));
  </script>`;

describe('the colour scheme that an app sees', () => {
  it.each(['light', 'dark'] as const)(
    'is the theme of the window, not of the system, from %s to the other and back',
    async (first) => {
      const app = await openApp(followingApp, first);
      const other = first === 'light' ? 'dark' : 'light';
      for (const theme of [first, other, first] as const) {
        const all = Array.from({ length: 11 }, () => theme === 'dark');
        await changeTheme(theme);
        await expect.poll(() => looks(app)).toEqual(all);
      }
      const change = (isDark: boolean): readonly unknown[] => [isDark, true];
      const turns = [other === 'dark', first === 'dark'].flatMap((isDark) => [change(isDark), change(isDark)]);
      expect(await app.evaluate(() => Reflect.get(globalThis, 'told') as unknown)).toEqual(turns);
    },
  );

  it('holds for a document that says it can be both, and leaves one alone that decides', async () => {
    const scheme = (app: Frame): Promise<string> =>
      app.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    for (const html of [
      '<style>:root { color-scheme: light dark }</style>',
      '<meta name="color-scheme" content="dark light">',
    ]) {
      const app = await openApp(`${html}<p>The app`);
      await expect.poll(() => scheme(app)).toBe('dark');
      await changeTheme('light');
      await expect.poll(() => scheme(app)).toBe('light');
    }
    const app = await openApp('<html style="color-scheme: light"><p>The app');
    expect(await scheme(app)).toBe('light');
  });

  it('changes by what the page around it says of it alone, which the app does not get', async () => {
    const app = await openApp('<style>:root { color-scheme: light dark }</style><p>The app');
    const scheme = (): Promise<string> => app.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await expect.poll(scheme).toBe('dark');
    await app.evaluate(() => {
      const got: unknown[] = [];
      const last = new Promise((done) =>
        window.addEventListener('message', ({ data }) => (got.push(data), data === 'last' && done(data))),
      );
      Object.assign(globalThis, { got, last });
    });
    await page.evaluate(() => {
      const others = [
        { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { theme: 'light' } },
        { jsonrpc: '2.0', id: 5, result: { content: [], hostContext: { theme: 'light' } } },
      ];
      for (const message of [...others, 'last'])
        document.querySelector('iframe')?.contentWindow?.postMessage(message, '*');
    });
    await app.evaluate(() => Reflect.get(globalThis, 'last') as Promise<unknown>);
    expect(await scheme()).toBe('dark');
    await changeTheme('light');
    await expect.poll(scheme).toBe('light');
    expect(await app.evaluate(() => (Reflect.get(globalThis, 'got') as readonly unknown[]).length)).toBe(3);
  });

  it('takes one turn for a style sheet that cannot be read, also in an app that follows each change of its root', async () => {
    const other = createServer((_request, response) =>
      response.setHeader('content-type', 'text/css').end(':root { color-scheme: light dark }'),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const script = `globalThis.turns = 0;
      new MutationObserver(() => { turns += 1; document.body.append('x'); })
        .observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });`;
    const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline' ${origin}`;
    const link = `<link rel="stylesheet" href="${origin}/a.css">`;
    const app = await openApp(`${link}<p>The app<script>${script}</script>`, 'dark', policy);
    await expect.poll(() => app.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
    const turns = await app.evaluate(async () => {
      for (let count = 0; count < 20; count += 1) {
        document.body.append('y');
        await new Promise((next) => setTimeout(next, 0));
      }
      return Reflect.get(globalThis, 'turns') as number;
    });
    expect(turns).toBeLessThan(5);
  });

  it('is looked up once for a sheet into which a script has written many rules', async () => {
    const app = await openApp('<style id="own"></style><p>The app');
    const read = await app.evaluate(() => {
      const { sheet } = document.querySelector('style') ?? {};
      const own = Object.getOwnPropertyDescriptor(CSSStyleSheet.prototype, 'cssRules');
      let count = 0;
      Object.defineProperty(CSSStyleSheet.prototype, 'cssRules', {
        configurable: true,
        get(this: CSSStyleSheet) {
          count += 1;
          return own?.get?.call(this) as CSSRuleList;
        },
      });
      for (let rule = 0; rule < 1_000; rule += 1)
        sheet?.insertRule('@media (prefers-color-scheme: dark) { p { color: rgb(1, 1, 1) } }');
      Object.assign(globalThis, { readSheets: () => count });
      return count;
    });
    await changeTheme('light');
    await expect.poll(() => app.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches)).toBe(true);
    expect(await app.evaluate(() => (Reflect.get(globalThis, 'readSheets') as () => number)())).toBeLessThan(read + 5);
  });

  it('leaves other media queries as they are', async () => {
    const app = await openApp('<p>The app');
    const seen = await app.evaluate(() => {
      const list = matchMedia('(min-width: 100px)');
      return [
        list.media,
        list.matches,
        list instanceof MediaQueryList,
        matchMedia('(prefers-color-scheme: dark)').media,
      ];
    });
    expect(seen).toEqual(['(min-width: 100px)', true, true, '(prefers-color-scheme: dark)']);
  });
});

/** In each way that published apps do; what works says so. */
const makingApp = `<p>The app<script>
  const works = (name) => window.parent.postMessage({ works: name }, '*');
  const attempt = (run) => { try { return run(); } catch {} };
  const text = (name) => 'parent.postMessage({ works: ' + JSON.stringify(name) + ' }, "*")';
  const blob = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const script = (src) => document.head.append(Object.assign(document.createElement('script'), { src }));
  const worker = (name, address) => attempt(() => (new Worker(address).onmessage = () => works(name)));
  attempt(() => new Function(text('function'))());
  script('data:text/javascript,' + encodeURIComponent(text('data script')));
  script(blob(text('blob script')));
  import('data:text/javascript,' + encodeURIComponent(text('data module'))).catch(() => {});
  worker('data worker', 'data:text/javascript,postMessage(1)');
  worker('blob worker', blob('postMessage(1)'));
</script>`;

/** Pictures and data that an app makes are no code. */
const drawingApp = `<p>The app<script>
  const works = (name) => window.parent.postMessage({ works: name }, '*');
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const bytes = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
  const image = new Image();
  image.onload = () => works('blob picture');
  image.src = address;
  fetch('data:text/plain,x').then(() => works('data'), () => {});
  fetch(address).then(() => works('blob'), () => {});
</script>`;

describe('code that an app makes', () => {
  const all = ['blob script', 'blob worker', 'data module', 'data script', 'data worker', 'function'];
  const texts = async (key: string): Promise<readonly unknown[]> =>
    [...new Set((await said()).flatMap((message) => (message as Record<string, string>)[key] ?? []))].toSorted((a, b) =>
      a.localeCompare(b),
    );

  it('works in all its ways where the policy allows it', async () => {
    await openApp(makingApp, 'dark', policyOf(noReach, true));
    await expect.poll(() => texts('works')).toEqual(all);
    expect(await texts('text')).toEqual([]);
  });

  it('is told as one thing that can be allowed where the policy does not', async () => {
    await openApp(makingApp, 'dark', policyOf(noReach, false));
    const kinds = ['script-src eval', 'worker-src blob', 'worker-src data'];
    await expect
      .poll(() => texts('text'))
      .toEqual([...kinds, 'script-src-elem blob', 'script-src-elem data'].toSorted());
    expect((await texts('text')).every((told) => isEvaluation(String(told)))).toBe(true);
    expect(await texts('works')).toEqual([]);
  });

  it('is no picture, and nothing that is fetched from what the app has made', async () => {
    await openApp(drawingApp, 'dark', policyOf(noReach, false));
    await expect.poll(() => texts('works')).toEqual(['blob', 'blob picture', 'data']);
    expect(await texts('text')).toEqual([]);
  });

  it('is not what a library only tries, and goes on without', async () => {
    const tries = 'try { new Function("") } catch {} window.parent.postMessage({ works: "last" }, "*")';
    await openApp(`<p>The app<script>${tries}</script>`, 'dark', policyOf(noReach, false));
    await expect.poll(() => texts('works')).toEqual(['last']);
    expect(await texts('text')).toEqual([]);
  });
});
