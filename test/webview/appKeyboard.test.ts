import type { Frame, Page } from 'playwright-core';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadApp, ofType, type Sent } from './appSamples.ts';
import type { PanelPage } from './panelPage.ts';
import { usePanels } from './setUp.ts';

const panels = usePanels();
let frameScript = '';

beforeAll(async () => {
  const built = await build({
    entryPoints: ['src/webview/app/appFrame.ts'],
    bundle: true,
    format: 'iife',
    write: false,
  });
  frameScript = built.outputFiles[0]?.text ?? '';
});

const taken = (panel: PanelPage): readonly Sent[] => ofType(panel, 'keyboardTaken');

/** Opens the page around an app, with the focus on the page. Its policy runs no script of the app: the test does. */
async function openApp(stopClock = false): Promise<{ readonly panel: PanelPage; readonly app: Frame }> {
  const panel = await panels.open('app', { isHurried: false, stopClock });
  const html =
    '<!doctype html><form><input id="field" aria-label="Field" required></form><button>Button</button><p>The app</p><iframe srcdoc="<input id=field>"></iframe>';
  await loadApp(panel, { html, allow: '' });
  await panel.page.getByRole('button', { name: 'Reload' }).focus();
  await panel.page.frameLocator('iframe.app').getByText('The app').waitFor();
  const app = panel.page.frames()[1];
  if (app === undefined) throw new Error('The app has no frame.');
  await app.evaluate(frameScript);
  return { panel, app };
}

/** The page has looked once more where the focus is: its timer is an earlier one. */
async function hasLooked(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
}

/** Runs a script in an app, whose frame may be gone before it answers. */
async function act(frame: Frame | undefined, script: string): Promise<void> {
  await frame?.evaluate(script).catch(() => undefined);
}

const take = '(document.getElementById("field").focus(), window.focus())';

describe('an app that takes the keyboard', () => {
  it.each([
    ['again and again', `void setInterval(() => ${take}, 20)`, ''],
    ['with several calls', `for (let count = 0; count < 5; count += 1) ${take}`, ''],
    ['from a frame in it', '', take],
    ['for a frame in it', 'frames[0].focus(); frames[0].focus(); frames[0].focus(); frames[0].focus();', ''],
    [
      'with a dialog',
      `const dialog = document.createElement('dialog'); dialog.innerHTML = '<input autofocus>'; document.body.append(dialog); dialog.showModal();`,
      '',
    ],
    ['with a field that is not valid', `void document.forms[0].reportValidity()`, ''],
  ])('%s is taken out', async (_name, script, inner) => {
    const { panel, app } = await openApp();
    if (script !== '') await act(app, script);
    if (inner !== '') await act(app.childFrames()[0], inner);
    await expect.poll(() => taken(panel)).toEqual([{ type: 'keyboardTaken', wasHere: true }]);
    expect(await panel.page.locator('iframe').count()).toBe(0);
    for (const problem of panel.takeProblems()) expect(problem).toContain('Blocked autofocusing');
  });

  it.each([
    ['at once', 0],
    ['when the typing is over', 1_700],
  ])('does not have it by a press that it makes up %s with the one key that it got', async (_name, delay) => {
    const { panel, app } = await openApp();
    const { page } = panel;
    await app.evaluate(`addEventListener('keydown', ({ key }) => {
      document.title += key;
      setTimeout(() => parent.postMessage({ patchbay: 'press' }, { targetOrigin: '*', includeUserActivation: true }), ${delay});
    })`);
    await panel.press('z');
    // A page that is busy sees late that the app has taken the focus.
    await page.evaluate(() => {
      setTimeout(() => {
        const end = performance.now() + 400;
        while (performance.now() < end);
      });
    });
    await act(app, take);
    await panel.press('a');
    // On a slow machine the press may come so late that the app is out.
    const isShutOut = async (): Promise<boolean> => app.isDetached() || page.locator('.cover').isVisible();
    await expect.poll(isShutOut).toBe(true);
    await panel.press('b');
    if (!app.isDetached()) expect(await app.title()).toBe('a');
    await act(app, take);
    await expect.poll(() => taken(panel).length).toBe(1);
  });

  it.each([
    ['a second time', 3, false],
    ['a first time, when a key was typed since', 2, true],
  ])('may take it once more at once, as a second click does, but not %s', async (_name, times, isTyping) => {
    const { panel, app } = await openApp(true);
    const { clock } = panel.page;
    for (let count = 1; count <= times; count += 1) {
      expect(taken(panel)).toEqual([]);
      if (isTyping && count > 1) await panel.press('z');
      await act(app, take);
      await clock.runFor(20);
    }
    await expect.poll(() => taken(panel).length).toBe(1);
  });

  it.each(['Tab', 'Shift+Tab'])('does not have it by a %s that leads to something else', async (key) => {
    const { panel, app } = await openApp();
    await panel.press(key);
    await expect.poll(() => panel.page.evaluate(() => document.activeElement?.textContent)).not.toBe('Reload');
    for (let count = 0; count < 2; count += 1) await act(app, `setTimeout(() => ${take}, ${count * 50})`);
    await expect.poll(() => taken(panel).length).toBe(1);
  });

  it('gets the whole click that gives it no keyboard', async () => {
    const { panel, app } = await openApp();
    const { page } = panel;
    await app.evaluate(`addEventListener('click', ({ target }) => document.title += target.textContent)`);
    await panel.press('z');
    const box = await app.locator('button').boundingBox();
    if (box === null) throw new Error('The app has no button.');
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await hasLooked(page);
    expect(await page.locator('.cover').isVisible()).toBe(false);
    await page.mouse.up();
    await page.locator('.cover').waitFor();
    await expect.poll(() => app.title()).toBe('Button');
    // A pointer that stays down is no reason to wait for ever.
    await page.locator('.cover').click();
    await page.getByRole('button', { name: 'Reload' }).focus();
    await hasLooked(page);
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.locator('.cover').waitFor();
    await page.mouse.up();
    expect(taken(panel)).toEqual([]);
  });

  it('stays where it is clicked again before its cover can come', async () => {
    const { panel, app } = await openApp();
    const { page } = panel;
    await app.locator('#field').click();
    await page.getByRole('button', { name: 'Reload' }).focus();
    await hasLooked(page);
    await app.locator('button').hover();
    for (const button of ['left', 'right'] as const) {
      await page.mouse.down({ button });
      await hasLooked(page);
    }
    for (const button of ['left', 'right'] as const) await page.mouse.up({ button });
    await page.locator('.cover').click();
    await expect.poll(() => app.evaluate(() => document.hasFocus())).toBe(true);
    expect(taken(panel)).toEqual([]);
  });

  it('has it after a click, or after Tab, until the person leaves', async () => {
    const { panel, app } = await openApp();
    await app.evaluate(`addEventListener('keydown', ({ key }) => document.title += key.length === 1 ? key : '')`);
    const { page } = panel;
    await app.locator('#field').click();
    await panel.press('a', 'b');
    await expect.poll(() => app.title()).toBe('ab');
    await panel.press('F1');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('whose');
    await panel.press('c');
    await page.getByRole('button', { name: 'More Actions…' }).focus();
    await panel.press('Tab');
    await expect.poll(() => app.evaluate(() => document.hasFocus())).toBe(true);
    await hasLooked(page);
    await panel.press('d');
    await expect.poll(() => app.title()).toBe('abd');
    await panel.press('Shift+Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('More Actions…');
    await hasLooked(page);
    // So soon after, a click alone gives it no keyboard: the app could be the one that says so.
    await app.locator('button').click();
    await page.locator('.cover').waitFor();
    await page.locator('.cover').click();
    await panel.press('e');
    await expect.poll(() => app.title()).toBe('abde');
    expect(taken(panel)).toEqual([]);
    await act(
      app,
      `addEventListener('blur', () => setTimeout(() => { for (let count = 0; count < 5; count += 1) ${take}; }, 30))`,
    );
    await page.getByRole('button', { name: 'Reload' }).focus();
    await expect.poll(() => taken(panel).length).toBe(1);
  });
});
