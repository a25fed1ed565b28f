import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { Apps } from './driver/apps.ts';
import { folderWith } from './driver/newWorkspace.ts';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

describe.each([
  ['without an origin', {}],
  ['with an origin of its own', { 'patchbay.apps.ownOrigin': true }],
] as const)('an app %s that wants the keyboard', (_name, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-keys-'));
  const seen = join(folder, 'seen');
  let window: Workbench;
  let apps: Apps;

  beforeAll(async () => {
    const keyboard = {
      type: 'stdio',
      command: 'node',
      args: [join(repositoryRoot, 'test/fixtures/servers/keyboardAppServer.mjs')],
      env: { SEEN: seen },
    };
    window = await openVSCode({
      workspace: folderWith({ keyboard }, { files: { 'code.txt': '\n' } }),
      settings: {
        'editor.quickSuggestions': { other: 'off' },
        'editor.wordBasedSuggestions': 'off',
        'editor.wordWrap': 'on',
        ...settings,
      },
    });
    apps = new Apps(window);
    await apps.start('keyboard');
    await window.runCommand('Go to File...');
    await window.quickInput.choose('code.txt');
    await window.page.locator('.monaco-editor .view-lines').first().waitFor();
  });

  beforeEach(() => writeFileSync(seen, ''));

  afterAll(async () => {
    await window?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  reportFailures(() => window);

  /** The keys that apps have got. */
  const keys = (): readonly string[] =>
    readFileSync(seen, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => decodeURIComponent(line.replace(/^keys:\/\/\w+\//, '')));

  const editor = () => window.page.locator('.monaco-editor .view-lines').first();

  /** As a person types: no faster than 20 keys a second. */
  const type = (text: string): Promise<void> => window.page.keyboard.type(text, { delay: 50 });

  const toEditor = async (): Promise<void> => {
    await window.page.getByRole('tab', { name: /code\.txt/ }).click();
    await window.page.locator('.monaco-editor').first().click();
  };

  const isOut = async (tool: string): Promise<void> =>
    (await apps.page(tool)).getByText('It took the keyboard.').waitFor();

  it.each(['repeat', 'nested', 'forge'])(
    'gets no more than one key that is typed into the editor, and is taken out: %s',
    async (tool) => {
      await apps.call(tool);
      await apps.page(tool);
      await toEditor();
      const text = `my ${tool} password is hunter2 and some more text`;
      await type(text);
      await isOut(tool);
      await type('.');
      await expect.poll(() => editor().innerText()).toContain('.');
      expect(keys().length).toBeLessThanOrEqual(1);
    },
  );

  it('gets what is typed after a click in it, and no more after a key that leads out of it', async () => {
    await apps.call('honest');
    const page = await apps.page('honest');
    const app = await apps.document('honest', 'button');
    await app.getByLabel('Field').click();
    await type('abc');
    await expect.poll(keys).toEqual(['a', 'b', 'c']);
    await window.page.keyboard.press('F1');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('whose');
    await type('d');
    expect(keys()).not.toContain('d');
  });
});
