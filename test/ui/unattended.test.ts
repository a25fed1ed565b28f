import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { newestVersion, oldestVersion } from '../tools/vscodeHost/versions.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

describe.each(cases([newestVersion], [newestVersion, oldestVersion]))(
  'a folder that wants to run a program by itself, in VS Code %s',
  (version) => {
    /** Written by the program as soon as it runs. */
    const hasRun = (): boolean => existsSync(join(window.workspace, 'ran'));
    const state = async (): Promise<string> => (await window.sidebar.item('notes').getAttribute('aria-label')) ?? '';
    const focused = (): Promise<string> => window.dialogs.dialog.locator(':focus').innerText();
    const hasDialog = (): Promise<boolean> => window.dialogs.dialog.isVisible();

    useWindow(
      () => {
        const server = { command: 'node', args: ['server.js'], patchbay: { autoStart: true } };
        const settings = { 'patchbay.serverOptions': { notes: { autoStart: true } } };
        const program = `require('node:fs').writeFileSync(__dirname + '/ran', ''); process.stdin.resume();`;
        const files = { '.vscode/settings.json': JSON.stringify(settings), 'server.js': program };
        const workspace = folderWith({ notes: server }, { name: 'hostile', files });
        return { version, workspace, companion: true };
      },
      () => window.sidebar.open(),
    );

    /** Types text with keys that could press a button of a dialog, as a person does who does not look at the screen. */
    async function typeIntoEditor(): Promise<void> {
      await window.runCommand('File: New Untitled Text File');
      await window.page.locator('.editor-instance .view-lines').first().waitFor();
      for (let round = 0; round < 10; round += 1) {
        await window.page.keyboard.type('a b\n', { delay: 20 });
        expect(await hasDialog()).toBe(false);
      }
    }

    it('is not listened to: nothing starts, nothing asks, and typing goes to the editor', async () => {
      await window.sidebar.item('notes').waitFor();
      await typeIntoEditor();
      expect(await state()).toMatch(/stopped/);
      expect(hasRun()).toBe(false);
    });

    it('does not get the options a person has for another server of that name', async () => {
      const options = { notes: { for: 'https://notes.example', autoStart: true, roots: 'all' } };
      await window.companion.updateSetting('patchbay.serverOptions', options);
      await expect.poll(state).toMatch(/without your options/);
      await typeIntoEditor();
      await window.screenshot(`options-withheld-${version}`);
      await window.sidebar.contextAction('notes', 'Allow Options for This Server…');
      expect(await window.dialogs.text()).toContain('https://notes.example (and will no longer be)');
      await window.screenshot(`allow-options-${version}`);
      await window.page.keyboard.press('Enter');
      await window.dialogs.dialog.waitFor({ state: 'detached' });
      await expect.poll(state).toMatch(/without your options/);
      expect(hasRun()).toBe(false);
    });

    it('waits for approval where the person has wished for the start, without a dialog', async () => {
      await window.sidebar.contextAction('notes', 'Allow Options for This Server…');
      await window.dialogs.press('Allow Options');
      await expect.poll(state).not.toMatch(/without your options/);
      await window.reload();
      await window.sidebar.open();
      await window.sidebar.item('notes').waitFor();
      await typeIntoEditor();
      await expect.poll(state).toMatch(/needs your approval/);
      await window.page.locator('.statusbar-item', { hasText: /0.*1/ }).first().waitFor();
      await window.sidebar.expand('notes');
      await window.screenshot(`needs-approval-${version}`);
      expect(hasRun()).toBe(false);
    });

    it('is told of in one notification, which asks first', async () => {
      await window.notifications.press(/needs your approval before it starts: “notes”/, 'Review…');
      await window.dialogs.dialog.waitFor();
      expect(await focused()).toBe('Start');
      await window.screenshot(`trust-focus-${version}`);
      await window.page.keyboard.press('Escape');
      await window.dialogs.dialog.waitFor({ state: 'detached' });
      await expect.poll(state).toMatch(/stopped/);
      expect(hasRun()).toBe(false);
    });

    it.each(['Enter', 'Space'])('asks after a click, and takes no %s that comes too early', async (key) => {
      await window.companion.withStoppedClock(async () => {
        await window.sidebar.inlineAction('notes', 'Start MCP Server');
        await window.dialogs.dialog.waitFor();
        expect(await focused()).toBe('Start');
        await window.page.keyboard.press(key);
        await expect.poll(() => window.dialogs.text()).toContain('You answered very quickly.');
        await window.page.keyboard.press('Escape');
        await window.dialogs.dialog.waitFor({ state: 'detached' });
      });
      await expect.poll(state).toMatch(/stopped/);
      expect(hasRun()).toBe(false);
    });

    it('runs when the person presses Start', async () => {
      await window.sidebar.inlineAction('notes', 'Start MCP Server');
      await window.dialogs.press('Start');
      await expect.poll(hasRun).toBe(true);
      await expect.poll(state).not.toMatch(/needs your approval/);
    });
  },
);
