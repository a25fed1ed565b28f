import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { QuickInput } from './driver/quickInput.ts';
import { Webviews } from './driver/webviews.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

const demo = { type: 'stdio', command: 'node', args: [join(repositoryRoot, 'dist/demoServer.js')] };

/** What becomes of an app that makes code of a text: in a script of its own, as the policy lets the driver do so. */
async function evaluated(app: Frame): Promise<string> {
  await app.evaluate(() => {
    const script = document.createElement('script');
    script.textContent =
      "setTimeout(() => { try { document.title = eval('1 + 1'); } catch { document.title = 'refused'; } })";
    document.title = '';
    document.body.append(script);
  });
  await expect.poll(() => app.title()).not.toBe('');
  return app.title();
}

describe('the app of a tool', () => {
  // Otherwise the editor adds brackets to what a test types.
  const settings = { 'editor.autoClosingBrackets': 'never', 'editor.autoSurround': 'never' };
  useWindow(() => ({ workspace: folderWith({ demo }), companion: true, settings }));

  /** Into the field of the app, by keyboard: it is the first thing in the app that Tab leads to. */
  async function typeCity(shown: Frame, city: string): Promise<void> {
    await (await apps.page('weather_app')).getByText('Call and result as text').focus();
    await window.page.keyboard.press('Tab');
    await expect.poll(() => shown.evaluate(() => document.hasFocus() && document.activeElement?.id)).toBe('city');
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.type(city);
    await expect.poll(() => shown.getByLabel('City').inputValue()).toBe(city);
  }

  it('opens beside the tool with its call, and shows the result [security/sandbox-proxy-required]', async () => {
    await apps.start('demo');
    const form = await apps.call('Weather App');
    await form.getByText('It has an app').waitFor();
    const shown = await apps.document('weather_app', 'h1:has-text("Lisbon")');
    expect(await shown.evaluate(() => globalThis.origin)).toBe('null');
    expect(await shown.evaluate(() => globalThis.parent !== globalThis.top)).toBe(true);
    expect(await evaluated(shown)).toBe('refused');
    const page = await apps.page('weather_app');
    await page.getByText('Call and result as text').click();
    await page.locator('.call-body').getByText('Lisbon').first().waitFor();
    await window.screenshot('app-call');
    await page.getByText('Call and result as text').click();
    await (await apps.page('weather_app')).getByText('reaches nothing').waitFor();
    await window.publishScreenshot('app');
  });

  it('calls a tool after a question that names it, and then without one', async () => {
    const shown = await apps.document('weather_app', 'h1:has-text("Lisbon")');
    await shown.getByRole('button', { name: 'Show', exact: true }).click();
    const question = await apps.question('weather_app');
    expect(await question.innerText()).toMatch(/The app “Weather App” of “demo” wants to call it[^]*Porto/);
    expect(await question.getByRole('button').allInnerTexts()).toEqual([
      'Don’t Call',
      'Call',
      'Always Allow This Tool…',
    ]);
    await window.screenshot('app-question');
    await question.getByRole('button', { name: 'Always Allow This Tool…', disabled: false }).click();
    await question.getByText('without a question from now on').waitFor();
    await window.screenshot('app-question-always');
    await apps.answer('weather_app', 'Always Allow This Tool');
    await shown.getByRole('heading', { name: 'Porto' }).waitFor();
    await typeCity(shown, 'Faro');
    await shown.getByRole('button', { name: 'Show', exact: true }).click();
    await shown.getByRole('heading', { name: 'Faro' }).waitFor();
  });

  it('is told of a refusal, and goes on', async () => {
    const shown = await apps.document('weather_app', 'h1:has-text("Faro")');
    await shown.getByRole('button', { name: 'Suggest' }).click();
    await apps.answer('weather_app', 'Don’t Call');
    await shown.getByText(/Not allowed: .*was declined/).waitFor();
    await shown.getByRole('button', { name: 'Suggest' }).click();
    await apps.answer('weather_app', 'Call');
    await shown.getByText(/^Try /).waitFor();
  });

  it('follows the theme [context/context-changed]', async () => {
    const shown = await apps.document('weather_app', 'h1:has-text("Faro")');
    const scheme = (): Promise<string> => shown.evaluate(() => document.documentElement.style.colorScheme);
    await window.setTheme('dark');
    await expect.poll(scheme).toBe('dark');
    await window.screenshot('app-dark');
    await window.setTheme('hc-black');
    await window.screenshot('app-high-contrast');
    await window.setTheme('light');
    await expect.poll(scheme).toBe('light');
  });

  it('offers what it says for models, and its own tools, one action away [model-context/overwrite-defer-dedupe-display]', async () => {
    await apps.act('weather_app', 'Show Context for Models');
    await window.page.locator('.monaco-editor .view-lines').getByText('weather of Faro').waitFor();
    await window.runCommand('View: Close Editor');
    await apps.act('weather_app', 'Call App Tool…');
    await window.quickInput.pick('shown_city');
    const result = await window.webviews.frame('h1:has-text("shown_city (app)")');
    await result.getByText('Faro').first().waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('fills its tab when it asks for it [display/return-resulting-mode]', async () => {
    const shown = await apps.document('weather_app', 'h1:has-text("Faro")');
    await shown.getByRole('button', { name: 'Fill the Tab' }).click();
    await shown.getByText('Shown fullscreen.').waitFor();
    await expect.poll(() => window.page.locator('.editor-group-container').count()).toBe(1);
    // A tab in italics would be lost to the next document that is opened.
    const tab = window.page.locator('.tab.active', { hasText: 'Weather App' });
    await tab.waitFor();
    expect(await tab.locator('.italic').count()).toBe(0);
  });

  it('puts its message into no chat by itself [messages/consent]', async () => {
    const shown = await apps.document('weather_app', 'h1:has-text("Faro")');
    await shown.getByRole('button', { name: 'Ask in Chat' }).click();
    expect(await (await apps.question('weather_app')).innerText()).toContain('What should I wear in Faro today?');
    await apps.answer('weather_app', 'Discard');
    await shown.getByText('Not sent.').waitFor();
  });

  it('moves to a window of its own, and back', async () => {
    const opened = window.page.context().waitForEvent('page');
    await apps.act('weather_app', 'Show in New Window');
    const page = await opened;
    const webviews = new Webviews(page);
    await apps.document('weather_app', 'h1:has-text("Lisbon")', webviews);
    await page.screenshot({ path: '.vscode-test/screenshots/app-pip.png' });
    const around = await apps.page('weather_app', webviews);
    await around.getByRole('button', { name: 'More Actions…' }).click();
    const closed = page.waitForEvent('close');
    // The window closes, and its box with it, perhaps before the box is looked at again.
    await Promise.all([closed, new QuickInput(page).pick('Show Beside').catch(() => undefined)]);
    await apps.document('weather_app', 'h1:has-text("Lisbon")');
    expect(page.isClosed()).toBe(true);
  });

  it('goes beside in its own window, also while another one has room', async () => {
    await apps.act('weather_app', 'Show in Tab');
    await expect.poll(() => window.page.locator('.editor-group-container').count()).toBe(1);
    const opened = window.page.context().waitForEvent('page');
    await window.runCommand('View: New Empty Editor Window');
    const other = await opened;
    await (await apps.document('weather_app', 'h1:has-text("Lisbon")')).getByRole('heading').first().click();
    await apps.act('weather_app', 'Show Beside');
    await expect.poll(() => window.page.locator('.editor-group-container').count()).toBe(2);
    await apps.document('weather_app', 'h1:has-text("Lisbon")');
    await other.close();
  });

  it('shows an invented call, and says so', async () => {
    await (await apps.page('weather_app')).getByRole('button', { name: 'More Actions…' }).click();
    await window.quickInput.row('Write Mock Call…').waitFor();
    // The other group is active now; the app has to stay in sight all the same.
    const form = await window.webviews.frame('h1:not(.whose):has-text("Weather App")');
    await form.getByRole('heading', { name: 'Result', exact: true }).click();
    await window.quickInput.pick('Write Mock Call…');
    const editor = window.page.locator('.monaco-editor .view-lines', { hasText: '"result"' });
    await editor.waitFor();
    await editor.click();
    await window.page.keyboard.press('Control+a');
    const day = { day: 'today', conditions: 'sunny', lowCelsius: 1, highCelsius: 2 };
    const structuredContent = { city: 'Nowhere', conditions: 'odd', temperatureCelsius: 3, forecast: [day] };
    await window.page.keyboard.insertText(
      JSON.stringify({ arguments: {}, result: { content: [], structuredContent } }),
    );
    await apps.act('weather_app', 'Show Mock Call');
    await apps.document('weather_app', 'h1:has-text("Nowhere")');
    await (await apps.page('weather_app')).getByText('mock call').waitFor();
  });

  it('has all it said and did in the audit log', async () => {
    await window.runCommand('MCP Patchbay: Show Audit Log');
    const log = await window.webviews.frame('h1:has-text("Audit Log")');
    await log.getByText('ui/initialize').first().waitFor();
    await log.getByText('ui/notifications/tool-result').first().waitFor();
    // The goodbye of the document before the invented call: its own tools were asked for twice before.
    await log.getByText('answer to 3').first().waitFor();
    await window.screenshot('app-audit');
    await window.runCommand('View: Close Editor');
  });

  it('waits for a person after the window was reloaded, and shows its call again without another one', async () => {
    await apps.call('Weather App');
    await apps.document('weather_app', 'h1:has-text("Lisbon")');
    await (await apps.page('weather_app')).getByText('mock call').waitFor({ state: 'detached' });
    const callsInLog = async (): Promise<number> => {
      await window.runCommand('MCP Patchbay: Show Audit Log');
      const log = await window.webviews.frame('h1:has-text("Audit Log")');
      await log.getByText('ui/notifications/tool-result').first().waitFor();
      const count = await log.getByText('Tool call').count();
      await window.runCommand('View: Close Editor');
      return count;
    };
    const before = await callsInLog();
    await window.reload(/weather_app\W+occurrence\W+0\W+call\W/);
    const page = await window.webviews.frame('h2:has-text("This app was open before the window was reloaded")');
    await page.getByText('without calling the tool again').waitFor();
    await window.screenshot('app-restored');
    await page.getByRole('button', { name: 'Show App' }).click();
    await apps.document('weather_app', 'h1:has-text("Lisbon")');
    expect(await callsInLog()).toBe(before);
  });

  it('ends with its server, and comes back with it', async () => {
    await window.runCommand('MCP Patchbay: Stop MCP Server');
    const page = await apps.page('weather_app');
    await page.getByText('Its server has stopped.').waitFor();
    await page.getByRole('button', { name: 'Show Again' }).click();
    await apps.document('weather_app', 'h1:has-text("Lisbon")');
  });

  describe('with an origin of its own, which may make code', () => {
    beforeAll(async () => {
      await window.companion.updateSetting('patchbay.apps.ownOrigin', true);
      await window.companion.updateSetting('patchbay.apps.evaluation', true);
      await (await apps.page('weather_app')).getByRole('button', { name: 'Reload' }).click();
    });

    it('is at an address of this computer that is none of the window [security/sandbox-permissions]', async () => {
      const origin = async (): Promise<string> =>
        (await apps.document('weather_app', 'h1:has-text("Lisbon")')).evaluate(() => globalThis.origin);
      await expect.poll(origin).toMatch(/^http:\/\/app-[0-9a-f]{32}\.localhost:\d+$/);
      await (await apps.page('weather_app')).getByText('reaches nothing').waitFor();
      expect(await evaluated(await apps.document('weather_app', 'h1:has-text("Lisbon")'))).toBe('2');
      await window.screenshot('app-own-origin');
    });

    it('is as far from the window, and is loaded again at another address', async () => {
      const shown = await apps.document('weather_app', 'h1:has-text("Lisbon")');
      const reads = await shown.evaluate(() => {
        const attempt = (read: () => unknown): string => {
          try {
            return String(read());
          } catch {
            return 'refused';
          }
        };
        return [attempt(() => globalThis.parent.document.title), attempt(() => globalThis.top?.document.title)];
      });
      expect(reads).toEqual(['refused', 'refused']);
      const before = shown.url();
      await (await apps.page('weather_app')).getByRole('button', { name: 'Reload' }).click();
      await expect
        .poll(async () => (await apps.document('weather_app', 'h1:has-text("Lisbon")')).url())
        .not.toBe(before);
    });

    it('has none any more after the setting is off and it is loaded again', async () => {
      await window.companion.updateSetting('patchbay.apps.ownOrigin', false);
      await (await apps.page('weather_app')).getByRole('button', { name: 'Reload' }).click();
      const origin = async (): Promise<string> =>
        (await apps.document('weather_app', 'h1:has-text("Lisbon")')).evaluate(() => globalThis.origin);
      await expect.poll(origin).toBe('null');
    });
  });
});
