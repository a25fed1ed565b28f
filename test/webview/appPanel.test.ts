import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AppView, Surroundings } from '../../src/shared/appMessages.ts';
import { appView, askingView, loadApp, ofType, postApp, type Sent } from './appSamples.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();

/** The JSON-RPC messages that the page gave to the extension. */
function passedUp(panel: PanelPage): readonly Sent[] {
  return ofType(panel, 'message').map(({ text }) => JSON.parse(String(text)) as Sent);
}

/** Opens the page with an app whose document is plain; scripts of it are run by the test. */
async function openApp(allow = ''): Promise<{ readonly panel: PanelPage; readonly frame: Frame }> {
  const panel = await panels.open('app');
  await loadApp(panel, { html: '<!doctype html><title>x</title><p>The app', sandbox: 'allow-scripts', allow });
  await panel.page.frameLocator('iframe.app').getByText('The app').waitFor();
  const frame = panel.page.frames()[1];
  if (frame === undefined) throw new Error('The app has no frame.');
  return { panel, frame };
}

describe('the page around an app', () => {
  it('says that it is ready, and sends no request of its own [security/sandbox-proxy-ready]', async () => {
    const { panel } = await openApp();
    expect(passedUp(panel)).toEqual([{ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }]);
  });

  it('says so once it is loaded, as VS Code may never show a page that it gets while another one is loading', async () => {
    const panel = await panels.openAlone('app');
    await panel.page.addInitScript(() => {
      const { acquireVsCodeApi } = globalThis as unknown as {
        acquireVsCodeApi: () => { postMessage: (said: Sent) => void };
      };
      const api = acquireVsCodeApi();
      const postMessage = (said: Sent): void => {
        if (said.type === 'message') document.title += document.readyState;
        api.postMessage(said);
      };
      Object.assign(globalThis, { acquireVsCodeApi: () => ({ ...api, postMessage }) });
    });
    await panel.load();
    await expect.poll(() => passedUp(panel).length).toBe(1);
    expect(await panel.page.title()).toMatch(/complete$/);
  });

  it('says so again after ten seconds, as long as it gets no answer', async () => {
    const panel = await panels.open('app', { stopClock: true });
    await panel.load();
    const { clock } = panel.page;
    const after = async (seconds: number): Promise<number> => {
      await clock.runFor(seconds * 1_000);
      return passedUp(panel).length;
    };
    expect(await after(9)).toBe(1);
    // No answer.
    await panel.post({ type: 'typed' });
    expect(await after(1)).toBe(2);
    await postApp(panel, appView);
    expect(await after(30)).toBe(2);
  });

  it('shows the document it is given in a frame that only runs scripts [security/iframe-sandboxed] [security/sandbox-resource-ready]', async () => {
    const { panel } = await openApp();
    const frame = panel.page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
    expect(await frame.getAttribute('allow')).toBe(null);
  });

  it('allows what a person has allowed [security/permissions-allow-attr]', async () => {
    const { panel } = await openApp('clipboard-write');
    expect(await panel.page.locator('iframe').getAttribute('allow')).toBe('clipboard-write');
  });

  it('passes messages on as they are, both ways [security/sandbox-message-forwarding]', async () => {
    const { panel, frame } = await openApp();
    const params = { name: 'a', arguments: { b: ['ä', null] } };
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    await frame.evaluate((value) => window.parent.postMessage(value, '*'), message);
    await expect.poll(() => passedUp(panel)).toContainEqual(message);
    await frame.evaluate(() => {
      window.addEventListener('message', ({ data }) => (document.title = JSON.stringify(data)));
    });
    const answer = { jsonrpc: '2.0', id: 7, result: { content: [] } };
    await panel.post({ type: 'message', message: answer });
    await expect.poll(() => frame.title()).toBe(JSON.stringify(answer));
  });

  it('tells its frame of a new theme at once, also where the app has not connected', async () => {
    const { panel, frame } = await openApp();
    await frame.evaluate(() => {
      window.addEventListener('message', ({ data }) => (document.title = JSON.stringify(data)));
    });
    for (const theme of ['light', 'dark'] as const) {
      await panel.setLook({ theme: `${theme}-modern` });
      await expect.poll(() => frame.title()).toBe(JSON.stringify({ patchbay: 'theme', theme }));
    }
  });

  it('keeps messages about the sandbox to itself [security/sandbox-no-self-requests]', async () => {
    const { panel, frame } = await openApp();
    const before = passedUp(panel).length;
    await frame.evaluate(() => {
      for (const name of ['proxy-ready', 'resource-ready', 'other'])
        window.parent.postMessage(
          { jsonrpc: '2.0', method: `ui/notifications/sandbox-${name}`, params: { html: 'x' } },
          '*',
        );
      window.parent.postMessage({ jsonrpc: '2.0', method: 'last' }, '*');
    });
    await expect.poll(() => passedUp(panel).slice(before)).toEqual([{ jsonrpc: '2.0', method: 'last' }]);
  });

  it('removes an app that floods it, and goes on', async () => {
    const { panel, frame } = await openApp();
    await frame.evaluate(() => {
      for (let count = 0; count < 20_000; count += 1) window.parent.postMessage({ jsonrpc: '2.0', method: 'x' }, '*');
    });
    await expect.poll(() => ofType(panel, 'dropped').some(({ isOver }) => isOver === true)).toBe(true);
    expect(passedUp(panel).length).toBeLessThan(500);
    expect(await panel.page.locator('iframe').count()).toBe(0);
    await panel.page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => ofType(panel, 'reload').length).toBe(1);
  });

  it('drops a small message that would be endless as JSON, many of them too', async () => {
    const { panel, frame } = await openApp();
    await frame.evaluate(() => {
      let part: unknown[] = [];
      for (let level = 0; level < 6; level += 1) part = Array.from({ length: 100 }, () => part);
      for (let count = 0; count < 50; count += 1)
        window.parent.postMessage({ jsonrpc: '2.0', method: 'x', params: { part } }, '*');
    });
    await expect.poll(() => ofType(panel, 'dropped').reduce((sum, { count }) => sum + Number(count), 0)).toBe(50);
    expect(passedUp(panel).filter(({ method }) => method === 'x')).toEqual([]);
  });

  it('drops what is no message, and what another window says', async () => {
    const { panel, frame } = await openApp();
    const before = panel.sent.length;
    await frame.evaluate(() => {
      for (const value of ['text', 5, null]) window.parent.postMessage(value, '*');
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      window.parent.postMessage(circle, '*');
      window.parent.postMessage({ patchbay: 'key', key: 'F1' }, '*');
    });
    await panel.page.evaluate(() => window.postMessage({ jsonrpc: '2.0', method: 'own' }, '*'));
    await frame.evaluate(() => window.parent.postMessage({ jsonrpc: '2.0', method: 'last' }, '*'));
    await expect.poll(() => passedUp(panel).at(-1)).toEqual({ jsonrpc: '2.0', method: 'last' });
    const kinds = (panel.sent.slice(before) as readonly Sent[]).map(({ type }) => type);
    expect(kinds.filter((kind) => kind !== 'surroundings' && kind !== 'dropped')).toEqual(['message']);
  });

  it('is as high as the app says below its call, and fills the tab otherwise [dimensions/listen-size-changed]', async () => {
    const { panel } = await openApp();
    const { page } = panel;
    const height = async (): Promise<number> =>
      Math.round((await page.locator('iframe.app').boundingBox())?.height ?? 0);
    const show = (change: Partial<AppView>): Promise<void> => postApp(panel, { ...appView, ...change });
    const call = { args: '{"city":"Bern"}', result: '<b>Rain</b>' };
    await show({ call });
    await panel.post({ type: 'size', height: 3_000 });
    expect(await height()).toBe(3_000);
    await panel.post({ type: 'size', height: 120 });
    expect(await height()).toBe(120);
    await page.getByText('Call and result as text').click();
    await page.getByText('<b>Rain</b>').waitFor();
    await show({ call, isFilling: true });
    expect(await page.getByText('Call and result as text').isVisible()).toBe(false);
    const tab = page.viewportSize()?.height ?? 0;
    expect(await height()).toBeGreaterThan(tab * 0.8);
    expect(await height()).toBeLessThanOrEqual(tab);
    await show({ call });
    expect(await height()).toBe(120);
  });

  it.each([446, 1_280])('leaves the app its room, at %i pixels', async (width) => {
    const { panel } = await openApp();
    const { page } = panel;
    await panel.setLook({ width, height: 698 });
    await postApp(panel, { ...appView, call: { args: '{}', result: 'Done' } });
    await panel.post({ type: 'size', height: 600 });
    const box = async (selector: string) =>
      (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await panel.screenshot(`app-room-${width}`);
    const above = (await box('.strip')).height + (await box('.call')).height;
    expect(above).toBeLessThanOrEqual(48);
    const app = await box('iframe.app');
    expect([app.height, app.x, width - app.x - app.width]).toEqual([600, 10, 10]);
    expect(app.y - above).toBe(8);
    expect(app.y + app.height).toBeLessThanOrEqual(698);
    const place = page.locator('.place');
    expect(await place.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    // A longer one has a column for its scroll bar, which stays when it is shorter again.
    await panel.post({ type: 'size', height: 900 });
    const column = (): Promise<string> => place.evaluate((each) => getComputedStyle(each).overflowY);
    await expect.poll(column).toBe('scroll');
    await panel.post({ type: 'size', height: 300 });
    expect(await column()).toBe('scroll');
    await panel.setLook({ width, height: 690 });
    await expect.poll(column).toBe('hidden');
    // A question takes room, and gives it back.
    await panel.post({ type: 'size', height: 600 });
    const call = { args: '{}', result: 'Done' };
    const question = { id: 1, message: 'Call it?', detail: ['x'], body: '{}', safe: 'Don’t Call', actions: ['Call'] };
    await postApp(panel, { ...appView, call, question });
    await expect.poll(column).toBe('scroll');
    await postApp(panel, { ...appView, call });
    await expect.poll(column).toBe('hidden');
    await page.getByText('Call and result as text').click();
    await page.getByRole('heading', { name: 'Arguments' }).waitFor();
  });

  it('has what it can be asked for in its strip: its call, more room, what it has logged', async () => {
    const { panel } = await openApp();
    const { page } = panel;
    await postApp(panel, { ...appView, logged: ['info: one', 'A script failed: <b>two</b>'] });
    await page.getByText('2 logged').click();
    await page.getByText('A script failed: <b>two</b>').waitFor();
    await postApp(panel, { ...appView, muted: ['Tool calls'] });
    await page.getByText('muted', { exact: true }).first().click();
    await page.getByText('run “Unmute MCP Server”').waitFor();
    await page.getByText('Tool calls').waitFor();
    await postApp(panel, appView);
    await page.getByText('Tool calls').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Call…' }).click();
    await page.getByRole('button', { name: 'Wider' }).click();
    await postApp(panel, { ...appView, isWide: true, call: { args: '{}', result: undefined } });
    expect(await page.getByRole('button', { name: 'Call…' }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Beside');
    await page.getByRole('button', { name: 'Beside' }).click();
    await expect.poll(() => [ofType(panel, 'call').length, ofType(panel, 'widen').length]).toEqual([1, 2]);
  });

  it.each([441, 461])(
    'names the app and its server in one line at %i pixels, beside what can be opened',
    async (width) => {
      const { panel } = await openApp();
      const { page } = panel;
      await panel.setLook({ width, height: 698 });
      const reach = { places: ['Load from https://a.example'], permissions: ['Use your camera'] };
      const names = { title: 'Budget Allocator', server: 'budget-allocator', tool: 'get-budget-data' };
      const call = { args: '{}', result: 'Done' };
      await postApp(panel, { ...appView, ...names, call, reach, logged: ['info: one'], isKeptFromCode: true });
      await panel.screenshot(`app-strip-${width}`);
      const height = (selector: string): Promise<number> =>
        page.locator(selector).evaluate((each) => each.getBoundingClientRect().height);
      expect(await height('.strip')).toBeLessThanOrEqual(26);
      const [app, server] = await page
        .locator('.whose > .name:not(.muted)')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect(app).toBe(0);
      expect(server).toBeLessThan(60);
      // Two lines of text.
      expect(await height('.notice')).toBeLessThanOrEqual(48);
      // A long name leaves room for that of the other.
      await postApp(panel, { ...appView, ...names, title: 'W'.repeat(200), call, reach });
      expect(
        await page
          .locator('.whose > span.name')
          .first()
          .evaluate((each) => each.clientWidth),
      ).toBeGreaterThan(60);
      await page.getByText('may reach 1 place, has 1 permission', { exact: true }).waitFor();
      await page.locator('.chip summary', { hasText: 'may reach 1 place' }).click();
      await page.getByText('Use your camera').waitFor();
    },
  );

  it('tells how high an app can be, whatever stands above it for a while', async () => {
    const { panel } = await openApp();
    const call = { args: '{}', result: 'Done' };
    const room = (): number | undefined => {
      const sent = ofType(panel, 'surroundings').at(-1)?.['surroundings'] as Surroundings | undefined;
      return sent?.room;
    };
    await postApp(panel, { ...appView, call });
    await panel.setLook({ width: 446, height: 698 });
    const filled = (): Promise<number> => panel.page.locator('.slot').evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(async () => (room() ?? 0) - (await filled())).toBe(0);
    const before = room();
    await panel.post({ type: 'size', height: 900 });
    const question = { id: 1, message: 'Call it?', detail: ['x'], body: '{}', safe: 'Don’t Call', actions: ['Call'] };
    await postApp(panel, { ...appView, call, question });
    await panel.page.getByText('Call and result as text').click();
    const count = ofType(panel, 'surroundings').length;
    await panel.setLook({ width: 450, height: 690 });
    await expect.poll(() => ofType(panel, 'surroundings').length).toBeGreaterThan(count);
    expect(room()).toBe((before ?? 0) - 8);
  });

  it.each([
    [['Send to and get from https://a.example', 'Load from https://b.example'], [], 'may reach 2 places'],
    [['Send to and get from https://a.example'], ['Use your camera'], 'may reach 1 place, has 1 permission'],
    [[], ['Use your camera', 'Use your microphone'], 'has 2 permissions'],
    [[], [], 'reaches nothing'],
  ])('counts places and permissions apart: %j, %j', async (places, permissions, words) => {
    const { panel } = await openApp();
    await postApp(panel, { ...appView, reach: { places, permissions } });
    await panel.page.getByText(words, { exact: true }).waitFor();
  });

  it('tells what was blocked and what failed, cut, and shows what was blocked', async () => {
    const { panel, frame } = await openApp();
    await frame.evaluate(() => {
      window.parent.postMessage({ patchbay: 'blocked', text: 'x'.repeat(10_000) }, '*');
      window.parent.postMessage({ patchbay: 'failed', text: 'Error: y' }, '*');
      window.parent.postMessage({ patchbay: 'other', text: 'z' }, '*');
      window.parent.postMessage({ patchbay: 'link', href: `https://example.com/${'x'.repeat(10_000)}` }, '*');
      window.parent.postMessage({ jsonrpc: '2.0', method: 'last' }, '*');
    });
    await expect.poll(() => passedUp(panel).at(-1)).toEqual({ jsonrpc: '2.0', method: 'last' });
    expect(ofType(panel, 'report').map(({ kind, text }) => [kind, String(text).length])).toEqual([
      ['blocked', 4_000],
      ['failed', 8],
    ]);
    expect(ofType(panel, 'link')).toEqual([]);
    await postApp(panel, { ...appView, blocked: ['img-src https://example.com/a'] });
    await panel.page.getByText('1 blocked').waitFor();
  });

  it('lists what an app reaches, by keyboard, and keeps the list open and in focus while the app is busy', async () => {
    const { panel, frame } = await openApp();
    const { page } = panel;
    const show = (blocked: readonly string[]): Promise<void> =>
      postApp(panel, { ...appView, reach: { places: ['Send to a\u202eb'], permissions: [] }, blocked });
    await show(['x']);
    const reached = page.locator('summary', { hasText: 'may reach 1' });
    await reached.press('Enter');
    await page.getByText('Send to aU+202Eb').waitFor();
    await show(['x', 'y']);
    const blocked = page.locator('summary', { hasText: '2 blocked' });
    await blocked.waitFor();
    expect(await reached.evaluate((summary) => document.activeElement === summary)).toBe(true);
    await page.getByText('Send to').waitFor();
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
    expect(await blocked.evaluate((summary) => document.activeElement === summary)).toBe(true);
    await page.getByText('Send to').waitFor({ state: 'hidden' });
    await page.keyboard.press('Space');
    const row = page.getByRole('listitem').filter({ hasText: 'y' });
    await row.waitFor();
    await page.keyboard.press('Escape');
    await row.waitFor({ state: 'hidden' });
    expect(await blocked.evaluate((summary) => document.activeElement === summary)).toBe(true);
    await blocked.click();
    await row.click();
    expect(await row.isVisible()).toBe(true);
    await frame.locator('body').click();
    await row.waitFor({ state: 'hidden' });
  });

  it('gives up a served document that does not show that it is the right one, and passes nothing on', async () => {
    const panel = await panels.open('app');
    const address = `http://app-x.localhost:${new URL(panels.address('app')).port}/app`;
    await loadApp(panel, { address, proof: 'right', sandbox: '', allow: '' });
    await expect.poll(() => ofType(panel, 'unreachable').length).toBe(1);
    expect(await panel.page.locator('iframe').count()).toBe(0);
    expect(passedUp(panel).map(({ method }) => method)).toEqual(['ui/notifications/sandbox-proxy-ready']);
    expect(panel.takeProblems().join('\n')).toMatch(/^Framing .*\n.*frame-src/s);
  });

  it('tells shadows for both themes, and the fonts of the window by names of their own', async () => {
    const { panel } = await openApp();
    const told = (): Surroundings | undefined => {
      const sent = ofType(panel, 'surroundings').at(-1);
      return sent === undefined ? undefined : (sent['surroundings'] as Surroundings);
    };
    const shadows = (): readonly string[] =>
      Object.values(told()?.variables ?? {}).filter((value) => value.includes('light-dark('));
    expect(shadows()).toHaveLength(3);
    await expect
      .poll(() => told()?.fonts)
      .toBe(
        [
          '@font-face { font-family: "VS Code"; font-weight: 400; src: local("Ubuntu"), local("Droid Sans"), local("DejaVu Sans") }',
          '@font-face { font-family: "VS Code"; font-weight: 600 900; src: local("Ubuntu Bold"), local("Droid Sans Bold"), local("DejaVu Sans Bold") }',
          '@font-face { font-family: "VS Code Editor"; font-weight: 400; src: local("DejaVu Sans Mono") }',
          '@font-face { font-family: "VS Code Editor"; font-weight: 600 900; src: local("DejaVu Sans Mono Bold") }',
        ].join('\n'),
      );
    expect([told()?.variables['--font-sans'], told()?.variables['--font-mono']]).toEqual([
      'system-ui, "VS Code", Ubuntu, "Droid Sans", "DejaVu Sans", sans-serif',
      '"VS Code Editor", "DejaVu Sans Mono", monospace',
    ]);
  });

  it('says so when the app has left its document', async () => {
    const { panel, frame } = await openApp();
    await frame.evaluate(() => (location.href = 'about:blank')).catch(() => {});
    await expect.poll(() => ofType(panel, 'left').length).toBe(1);
    expect(await panel.page.locator('iframe').count()).toBe(0);
  });
});

describe('an app that makes code', () => {
  it('is said to be kept from it, with a button that waits and leads to the question', async () => {
    const panel = await panels.open('app', { stopClock: true });
    await loadApp(panel, { html: '<!doctype html><p>The app', allow: '' });
    await postApp(panel, { ...appView, isKeptFromCode: true });
    const { page } = panel;
    await page.getByText('not allowed to run generated code').waitFor();
    const allow = page.getByRole('button', { name: 'Allow for This App…' });
    expect(await allow.isDisabled()).toBe(true);
    await panel.untilEnabled();
    await allow.click();
    await expect.poll(() => ofType(panel, 'askCode').length).toBe(1);
    const permissions = ['Run generated code: from text, as WebAssembly, in workers'];
    const state = { kind: 'asking', isChanged: false, isCode: true, id: 3 } as const;
    await postApp(panel, { ...appView, state, reach: { places: [], permissions } });
    await page.getByRole('heading', { name: 'This app wants to run generated code' }).waitFor();
    expect(await page.getByText('not allowed to run').isVisible()).toBe(false);
    expect(await page.getByText('can be sent there').count()).toBe(0);
    await panel.untilEnabled();
    await page.getByRole('button', { name: 'Allow for This App' }).click();
    await expect.poll(() => ofType(panel, 'allow')).toEqual([{ type: 'allow', id: 3 }]);
  });
});

describe('the question what an app may reach', () => {
  it('takes no click or key at first, and then an answer', async () => {
    const panel = await panels.open('app', { stopClock: true });
    await panel.load();
    await postApp(panel, askingView);
    const { page } = panel;
    expect(await page.getByRole('button', { disabled: true }).allInnerTexts()).toEqual(['Allow This', 'Show Without']);
    await panel.untilEnabled();
    await panel.press('Enter', 'Space', 'Escape');
    expect([ofType(panel, 'allow'), ofType(panel, 'refuse')]).toEqual([[], []]);
    await page.getByRole('button', { name: 'Show Without' }).click();
    await expect.poll(() => ofType(panel, 'refuse').length).toBe(1);
    expect(ofType(panel, 'allow')).toEqual([]);
  });

  it('shows nothing of a server as HTML', async () => {
    const panel = await panels.open('app');
    await panel.load();
    const text = '<img src=x onerror=alert(1)>';
    await postApp(panel, {
      ...askingView,
      server: text,
      title: text,
      tool: text,
      reach: { places: [text], permissions: [] },
      notices: [text],
    });
    await panel.page.getByRole('heading', { level: 2 }).waitFor();
    expect(await panel.page.locator('img').count()).toBe(0);
    expect(await panel.page.getByText(text).count()).toBeGreaterThan(2);
  });
});
