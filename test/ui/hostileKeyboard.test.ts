import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

/** Between two keys, in milliseconds. */
const keyMs = 50;

/** Right after keys elsewhere, a click in an app is not enough to type in it. Nothing says when that is over, in milliseconds. */
const keyPauseMs = 1_100;

/** How an app takes the keyboard, and what the person types in meanwhile. */
const attempts = [
  ['nested', 'editor'],
  ['forge', 'palette'],
  ['forge', 'form'],
  ['fast', 'editor'],
  ...cases([], [
    ['repeat', 'editor'],
    ['forge', 'editor'],
    ['forge', 'search'],
    ['fast', 'form'],
  ] as const),
] as const;

// Where the keys of a person go does not depend on the origin.
const attemptsWithOrigin = cases(
  attempts.filter(([tool]) => tool === 'nested'),
  attempts.filter(([, place]) => place === 'editor'),
);

describe('an app that wants the keyboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-keys-'));
  const seen = join(folder, 'seen');
  const go = join(folder, 'go');

  beforeEach(() => {
    writeFileSync(seen, '');
    rmSync(go, { force: true });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const keyboard = { ...fixtureServer('keyboardAppServer.mjs'), env: { SEEN: seen, GO: go } };
  useWindow(
    () => ({
      workspace: folderWith({ keyboard }, { files: { 'code.txt': '\n' } }),
      settings: {
        'editor.quickSuggestions': { other: 'off' },
        'editor.wordBasedSuggestions': 'off',
        'editor.wordWrap': 'on',
      },
      companion: true,
    }),
    () => apps.start('keyboard'),
  );

  /** The keys that apps have got. */
  const keys = (): readonly string[] =>
    readFileSync(seen, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => decodeURIComponent(line.replace(/^keys:\/\/\w+\//, '')));

  const editor = () => window.page.locator('.monaco-editor .view-lines').first();

  /**
   * As a person types: no faster than 20 keys a second. The browser never confirms a key that was on its way to a frame that is
   * taken out, so none is waited for.
   */
  const type = async (text: string): Promise<void> => {
    for (const key of text) {
      window.page.keyboard.type(key).catch(() => undefined);
      await window.page.waitForTimeout(keyMs);
    }
  };

  const toEditor = async (): Promise<void> => {
    await window.page.getByRole('tab', { name: /code\.txt/ }).click();
    await window.page.locator('.monaco-editor').first().click();
  };

  /** Where a person types, and how they come there. */
  const places = {
    editor: toEditor,
    palette: () => window.quickInput.openPalette(),
    form: async () => {
      await (await window.chooseTool('plain')).getByRole('textbox').first().click();
    },
    search: async () => {
      await window.runCommand('Search: Focus on Search View');
      await window.page.locator('.search-view textarea').first().click();
    },
  };

  /**
   * Types in a place, and lets the app of a tool begin to take the keyboard meanwhile. Resolves once it is out, or has a cover.
   * @returns how many keys it may have got: one, and those of the time in which this machine let the page around it not look, before
   *   each of three attempts
   */
  async function typeWhileItTakes(tool: string, place: keyof typeof places): Promise<number> {
    await apps.call(tool);
    const page = await apps.page(tool);
    await apps.document(tool, '#field');
    await places[place]();
    await type('before ');
    expect(keys()).toEqual([]);
    await page.evaluate(() => {
      let last = performance.now();
      let longest = 0;
      setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        document.body.dataset['longest'] = String(longest);
      }, 4);
    });
    writeFileSync(go, '');
    // An app that could not try a second time is asked about with one more click.
    const isOut = page.getByText('It took the keyboard focus').or(page.locator('.cover')).first().waitFor();
    await type(`my ${tool} password is hunter2 and some more text`);
    await isOut;
    await type('.');
    const longest = await page.evaluate(() => Number(document.body.dataset['longest']));
    return 1 + 3 * Math.floor(longest / keyMs);
  }

  describe.each([
    ['without an origin', false, attempts],
    ['with an origin of its own', true, attemptsWithOrigin],
  ] as const)('%s', (_name, ownOrigin, tried) => {
    beforeAll(async () => {
      await window.companion.updateSetting('patchbay.apps.ownOrigin', ownOrigin);
      await window.runCommand('View: Close All Editors');
      await window.runCommand('Go to File...');
      await window.quickInput.choose('code.txt');
      await editor().waitFor();
    });

    it.each(tried)('gets no more than one key of what is typed, and is taken out: %s, %s', async (tool, place) => {
      const most = await typeWhileItTakes(tool, place);
      expect(keys().length).toBeLessThanOrEqual(most);
      await expect.poll(() => window.quickInput.widget.isVisible()).toBe(false);
      await toEditor();
      await type('!');
      await expect.poll(() => editor().innerText()).toContain('!');
    });

    it('gets no more than the keys of the moment in which it keeps its page busy', async () => {
      await typeWhileItTakes('busy', 'editor');
      // What it may send in a second keeps the page busy for a part of it; 20 keys a second are typed.
      expect(keys().length).toBeLessThanOrEqual(20);
      await toEditor();
      await type('ZZZZ');
      await expect.poll(() => editor().innerText()).toContain('ZZZZ');
      expect(keys()).not.toContain('Z');
    });

    it('gets what is typed after a click in it, and no more after a key that leads out of it', async () => {
      await apps.call('honest');
      const page = await apps.page('honest');
      const app = await apps.document('honest', 'button');
      await window.page.waitForTimeout(keyPauseMs);
      await apps.typeInto('honest', app.getByLabel('Field'));
      await type('abc');
      await expect.poll(keys).toEqual(['a', 'b', 'c']);
      expect(await app.getByLabel('Field').inputValue()).toBe('abc');
      await window.page.keyboard.press('F1');
      await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('whose');
      await type('d');
      expect(keys()).not.toContain('d');
    });
  });
});
