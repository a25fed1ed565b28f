import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

describe('an app that attacks', () => {
  const demo = { command: 'node', args: [join(repositoryRoot, 'dist/demoServer.js')] };
  useWindow(
    () => ({ workspace: folderWith({ demo, apps: fixtureServer('appServer.mjs') }), companion: true }),
    async () => {
      await apps.start('demo');
      await apps.start('apps');
    },
  );

  /**
   * The app once it has tried everything, which it says by its height. A call of the driver in a frame counts as a click of the
   * person there, which allows the app more: until then, this looks only at the page around it.
   */
  async function attacked(): Promise<Frame> {
    await (await apps.page('attack')).locator('iframe[style*="777px"]').waitFor();
    return apps.document('attack', 'li:has-text("finished")');
  }

  it('reaches neither the window, nor the network, nor another server [security/sandbox-distinct-origin] [security/sandbox-csp-enforced]', async () => {
    await apps.call('attack');
    const shown = await attacked();
    const lines = await shown.locator('li').allTextContents();
    const refused = lines.slice(0, -1).map((line) => line.replace(/: refused .*/, ': refused'));
    expect(refused).toEqual([
      'parent document: refused',
      'top document: refused',
      'navigate top: refused',
      'fetch: refused',
      'frame: refused',
      'picture: refused',
      'open window: refused',
      'storage of the window: refused',
      'other server: refused',
      'model only: refused',
      'unknown method: refused',
      'undeclared mode: refused',
      'script link: refused',
    ]);
    expect(lines.join('\n')).toMatch(/other server: refused -32000 The server of this app offers no tool "add"/);
    expect(lines.join('\n')).toMatch(/model only: refused -32000 The tool "model_only" is not for apps/);
    expect(window.page.url()).not.toContain('example.com');
    // What it posted to all webviews of the window has done nothing.
    await (await apps.page('attack')).getByText('reaches nothing').waitFor();
    expect(await window.dialogs.dialog.count()).toBe(0);
  });

  it('is shown in no mode that it has not declared [display/no-undeclared-mode] [display/decline-undeclared]', async () => {
    const shown = await attacked();
    expect(await shown.locator('li').allTextContents()).toContain('undeclared mode: refused still inline');
    expect(await window.page.locator('.editor-group-container').count()).toBe(2);
  });

  it('has what it tried in the audit log, as far as a browser tells, and in the log of its server', async () => {
    await window.runCommand('MCP Patchbay: Show Audit Log');
    const log = await window.webviews.frame('h1:has-text("Audit Log")');
    for (const blocked of [
      'connect-src https://example.com/',
      'frame-src https://example.com',
      'img-src https://example.com/picture',
      'window.open https://example.com/',
    ])
      await log.getByText(blocked).first().waitFor();
    await log.getByText('refusal of').first().waitFor();
    await window.screenshot('app-blocked');
    await window.runCommand('View: Close Editor');
  });

  it('holds up nothing but itself where it never rests, and can be replaced', async () => {
    const shown = await attacked();
    await shown.evaluate(() => {
      setTimeout(() => {
        for (;;);
      });
    });
    const page = await apps.page('attack');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => page.childFrames().length).toBe(1);
    await expect.poll(() => shown.isDetached()).toBe(true);
    await attacked();
  });

  it('is stopped where it floods, and the window answers', async () => {
    const shown = await attacked();
    await shown.getByRole('button', { name: 'Flood' }).click();
    await (await apps.page('attack')).getByText('It sent too many messages.').waitFor();
    await window.screenshot('app-stopped');
    await window.runCommand('MCP Patchbay: Show Audit Log');
    const log = await window.webviews.frame('h1:has-text("Audit Log")');
    await log.getByText('stopped: too many messages').first().waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('is stopped where it leaves its page', async () => {
    const page = await apps.page('attack');
    await page.getByRole('button', { name: 'Show Again' }).click();
    const shown = await attacked();
    await shown.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('It tried to leave its page.').waitFor();
  });

  it('is replaced although it does not say goodbye [lifecycle/teardown-await]', async () => {
    await apps.call('stubborn');
    const before = await apps.document('stubborn', 'li:has-text("started")');
    await before.evaluate(() => document.body.append('before'));
    await (await apps.page('stubborn')).getByRole('button', { name: 'Reload' }).click();
    await expect
      .poll(async () => (await apps.document('stubborn', 'li:has-text("started")')).locator('body').textContent())
      .not.toContain('before');
    await window.runCommand('MCP Patchbay: Show Audit Log');
    const log = await window.webviews.frame('h1:has-text("Audit Log")');
    await log.getByText('removed without an answer').first().waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('of a wrong type leaves the result of its tool usable [resources/read-referenced]', async () => {
    const form = await apps.call('broken');
    await form.getByText('Result of broken').first().waitFor();
    await (await apps.page('broken')).getByText(/an app is text\/html;profile=mcp-app/).waitFor();
  });

  it('is asked about before it reaches anything, and again when that changes [security/external-domain-warning] [security/csp-allow-declared]', async () => {
    await window.page
      .context()
      .route('https://declared.example.com/**', (route) =>
        route.fulfill({ body: 'yes', headers: { 'access-control-allow-origin': '*' } }),
      );
    await apps.call('reach');
    const asking = (): Promise<Frame> => window.webviews.frame('h2:has-text("This app asks for permissions")');
    const question = await asking();
    await question.getByText('Send to and get from https://declared.example.com').waitFor();
    await question.getByText('Write to your clipboard').waitFor();
    expect(question.childFrames()).toEqual([]);
    await window.screenshot('app-asks');
    await question.getByRole('button', { name: 'Show Without' }).click();
    const without = await apps.document('reach', 'li:has-text("clipboard")');
    expect(await without.locator('li').allTextContents()).toEqual(['not answered', 'may not write to the clipboard']);
    await apps.act('reach', 'Review Permissions…');
    await (await asking()).getByRole('button', { name: 'Allow This' }).click();
    const allowed = await apps.document('reach', 'li:text-is("may write to the clipboard")');
    await allowed.locator('li:text-is("answered")').waitFor();
    const around = await apps.page('reach');
    await around.getByText('may reach 1 place, has 1 permission').waitFor();
    // Something was blocked in the document before this one.
    expect(await around.getByText(/blocked/).count()).toBe(0);
    await window.runCommand('Patchbay: Focus on Approvals View');
    const row = window.page.getByRole('treeitem', { name: 'apps → reach, 2 permissions' });
    await row.click();
    await window.screenshot('app-approval');
    await window.page.keyboard.press('Delete');
    await row.waitFor({ state: 'detached' });
    const page = await apps.page('reach');
    await page.getByText('You reset its permissions.').waitFor();
    await page.getByRole('button', { name: 'Show Again' }).click();
    await (await asking()).getByRole('button', { name: 'Allow This' }).click();
    await apps.document('reach', 'li:text-is("may write to the clipboard")');
    await apps.call('change');
    // The tool was opened in front of it.
    await window.page.getByRole('tab', { name: 'App: reach' }).click();
    await (await apps.page('reach')).getByRole('button', { name: 'Reload' }).click();
    await window.webviews.frame('h2:has-text("other places than before")');
  });
});
