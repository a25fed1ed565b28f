import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import { encodeSegment } from '../../src/host/platform/fileName.ts';
import { fixtureServer } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-addresses-'));
const log = join(folder, 'requests');

/** What a file of a folder, or a server, can write: it knows how addresses are built, and not the key. */
const forged = (uri: string, seal = ''): string => `patchbay-resource://notes/${seal}${encodeSegment(uri)}/schema.json`;
const wrongSeal = `patchbay~${'0'.repeat(32)}/`;

const server = (file: string, env: object) => ({ ...fixtureServer('loggingServer.mjs', `--log=${file}`), env });
const notes = server(log, { API_TOKEN: 'hunter2-is-the-token' });
/** Serves JSON with an address of `notes`. */
const other = server(join(folder, 'other'), { SCHEMA: forged('notes:from-a-server') });

const withSchema = (address: string): string => JSON.stringify({ $schema: address, a: 1 });
const files = {
  'running.json': withSchema(forged('notes:while-running')),
  'sealed.json': withSchema(forged('notes:sealed', wrongSeal)),
  'stopped.json': withSchema(forged('notes:while-stopped')),
  'above.json': withSchema('patchbay-resource://notes/'),
  'skill.json': withSchema(`patchbay-skill://notes/${encodeSegment('notes:skill/SKILL.md')}/skill/SKILL.md`),
  'settings.json': '{ "a": 1 }',
  '.vscode/settings.json': JSON.stringify({
    'json.schemas': [{ fileMatch: ['/settings.json'], url: forged('notes:from-settings') }],
  }),
};

const trusted: readonly [string, boolean] = ['in a trusted workspace', false];

/** The requests that `notes` has got since the log was emptied, and its starts. */
const requests = (): readonly string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean);
const reads = (): readonly string[] => requests().filter((line) => line.startsWith('resources/read'));
const forget = (): void => writeFileSync(log, '');

// Restricted Mode allows less: by default the tests are where more could go wrong.
describe.each(cases([trusted], [['in Restricted Mode', true], trusted]))(
  'an address of a resource, %s',
  (_, workspaceTrust) => {
    const state = async (): Promise<string> => (await window.sidebar.item('notes').getAttribute('aria-label')) ?? '';
    /** Of the active editor; VS Code draws blanks as those that do not break. */
    const text = async (): Promise<string> =>
      (await window.page.locator('.editor-group-container.active .view-lines').first().innerText()).replaceAll(
        '\u00a0',
        ' ',
      );

    beforeEach(forget);

    useWindow(
      () => {
        forget();
        const settings = { 'patchbay.servers': { notes, other } };
        return { workspace: { name: 'folder', files }, workspaceTrust, settings };
      },
      async () => {
        await window.startServer('notes');
        // A row of what it offers.
        await window.sidebar.item(/^Resources/).waitFor();
      },
    );

    async function stop(): Promise<void> {
      await window.sidebar.inlineAction('notes', 'Stop MCP Server');
      await expect.poll(state).toMatch(/stopped/);
      forget();
    }

    /** Opens a file, and waits until VS Code has loaded its schema, or says at its text that it could not. */
    async function openFile(name: string): Promise<void> {
      await window.runCommand('Go to File...');
      await window.quickInput.choose(name);
      await window.page.locator('.tab.active', { hasText: name }).waitFor();
      const problems = window.page.locator('.editor-instance .squiggly-warning');
      await expect.poll(async () => (await problems.count()) + requests().length).toBeGreaterThan(0);
    }

    async function openResource(name: string, start: RegExp): Promise<void> {
      await window.runCommand('MCP Patchbay: Open MCP Resource…');
      await window.quickInput.pick(name);
      await window.page.locator('.tab.active', { hasText: name }).waitFor();
      await expect.poll(text).toMatch(start);
    }

    it.each(['running.json', 'sealed.json', 'above.json', 'skill.json'])(
      'that a folder writes reads nothing of a server that runs: %s',
      async (name) => {
        await openFile(name);
        expect(requests()).toEqual([]);
      },
    );

    it('that another server writes reads nothing', async () => {
      await window.startServer('other');
      await openResource('data', /schema/);
      // VS Code has looked at what was opened before it looks at the next file.
      await openFile('running.json');
      expect(reads()).toEqual([]);
    });

    it('is where a document is found again after a reload, which starts nothing and shows no secret', async () => {
      const tab = (name: string): Locator => window.page.locator('.tab', { hasText: name });
      await openResource('one', /^read \d+/);
      const before = await text();
      // The next one would take the place of a preview.
      await window.runCommand('View: Keep Editor');
      await openResource('secret', /^the token/);
      await window.reload(/notes~3asecret\W/);
      await expect
        .poll(text)
        .toMatch(workspaceTrust ? /^Nothing is read in Restricted Mode/ : /^Start "notes" to read/);
      await window.screenshot(`restored-message-${workspaceTrust ? 'restricted' : 'trusted'}`);
      await tab('one').click();
      await expect.poll(text).toBe(before);
      await window.sidebar.open();
      await expect.poll(state).toMatch(/stopped/);
      expect(requests().filter((line) => line === 'started')).toEqual([]);
      forget();
      await window.sidebar.inlineAction('notes', 'Start MCP Server');
      await expect.poll(state).toMatch(/running/);
      if (workspaceTrust) return expect(reads()).toEqual([]);
      await expect.poll(text).not.toBe(before);
      await expect.poll(requests).toContain('resources/subscribe notes:one');
      await tab('secret').click();
      await expect.poll(text).toMatch(/^the token/);
    });

    it.each(['stopped.json', 'settings.json'])('that a folder writes starts no server: %s', async (name) => {
      await stop();
      await openFile(name);
      expect(requests()).toEqual([]);
      expect(await state()).toMatch(/stopped/);
      await window.sidebar.inlineAction('notes', 'Start MCP Server');
      await expect.poll(state).toMatch(/running/);
    });
  },
);

afterAll(() => rmSync(folder, { recursive: true }));
