import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../fixtures/cases.ts';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { useWindow, window } from './driver/useWindow.ts';

const program = (name: string): string =>
  join(repositoryRoot, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

/** A call of one tool, by its title. */
interface FormCall {
  readonly args?: JsonObject;
  /** What the result says where all of it is in sight. */
  readonly says?: RegExp;
  /** The server asks the person something meanwhile, who declines. */
  readonly asks?: true;
  /** It has fields of a kind that no other has: called always, the others with `PATCHBAY_TEST_ALL=1`. */
  readonly isTypical?: true;
}

const ada = { name: 'Ada', entityType: 'person', observations: ['wrote a program'] };
const knows = { from: 'Ada', to: 'Ada', relationType: 'knows' };

/** Every tool of the three servers, in an order in which each has what it needs. FOLDER is the workspace. */
const calls: Readonly<Record<string, Readonly<Record<string, FormCall>>>> = {
  memory: {
    'Create Entities': { isTypical: true, args: { entities: [ada] } },
    'Create Relations': { args: { relations: [knows] } },
    'Add Observations': {
      args: { observations: [{ entityName: 'Ada', contents: ['lived in London'] }] },
    },
    'Read Graph': {},
    'Search Nodes': { args: { query: 'London' } },
    'Open Nodes': { args: { names: ['Ada'] } },
    'Delete Observations': {
      args: { deletions: [{ entityName: 'Ada', observations: ['lived in London'] }] },
    },
    'Delete Relations': { args: { relations: [knows] } },
    'Delete Entities': { args: { entityNames: ['Ada'] } },
  },
  filesystem: {
    'List Allowed Directories': { says: /Allowed directories/ },
    'Create Directory': { isTypical: true, args: { path: 'FOLDER/new' }, says: /created/ },
    'Write File': { isTypical: true, args: { path: 'FOLDER/new/a.txt', content: 'one\ntwo' }, says: /wrote/ },
    'Edit File': {
      isTypical: true,
      args: { path: 'FOLDER/new/a.txt', edits: [{ oldText: 'two', newText: 'three' }], dryRun: false },
      says: /three/,
    },
    'Read File (Deprecated)': { args: { path: 'FOLDER/new/a.txt', head: 1 }, says: /one/ },
    'Read Text File': { args: { path: 'FOLDER/new/a.txt' }, says: /three/ },
    'Read Multiple Files': { args: { paths: ['FOLDER/new/a.txt'] }, says: /three/ },
    'Read Media File': { args: { path: 'FOLDER/dot.png' } },
    'Move File': { args: { source: 'FOLDER/new/a.txt', destination: 'FOLDER/new/b.txt' }, says: /moved/ },
    'List Directory': { args: { path: 'FOLDER/new' }, says: /b\.txt/ },
    'List Directory with Sizes': { isTypical: true, args: { path: 'FOLDER/new', sortBy: 'size' }, says: /\.txt/ },
    'Directory Tree': { args: { path: 'FOLDER/new', excludePatterns: ['*.png'] }, says: /b\.txt/ },
    'Search Files': { args: { path: 'FOLDER', pattern: '**/b.txt' }, says: /b\.txt/ },
    'Get File Info': { args: { path: 'FOLDER/new/b.txt' }, says: /size/ },
  },
  everything: {
    'Echo Tool': { args: { message: 'hello' }, says: /hello/ },
    'Get Annotated Message Tool': {
      isTypical: true,
      args: { messageType: 'debug', includeImage: true },
      says: /Debug/,
    },
    'Print Environment Tool': { says: /PATH/ },
    'Get Resource Links Tool': { args: { count: 2 }, says: /resource/ },
    'Get Resource Reference Tool': { args: { resourceType: 'Blob', resourceId: 2 }, says: /Resource/ },
    'Get Structured Content Tool': { args: { location: 'Chicago' }, says: /temperature/ },
    'Get Sum Tool': { isTypical: true, args: { a: 2, b: -0.5 }, says: /1\.5/ },
    'Get Tiny Image Tool': { says: /image/ },
    'GZip File as Resource Tool': {
      args: { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' },
    },
    'Toggle Simulated Logging': { says: /logging/ },
    'Toggle Subscriber Updates': { says: /updates/ },
    'Trigger Long Running Operation Tool': { args: { duration: 1, steps: 2 }, says: /completed/ },
    'Get Roots List Tool': { says: /[Rr]oots/ },
    'Trigger Sampling Request Tool': { args: { prompt: 'Hello?', maxTokens: 5 }, asks: true },
    'Simulate Research Query': {
      isTypical: true,
      args: { topic: 'tea', ambiguous: true },
      says: /declined - using default interpretation/,
      asks: true,
    },
    'Trigger Elicitation Request Tool': { says: /declined/, asks: true },
    'Trigger URL Elicitation Tool': {
      args: { url: 'https://example.com/', errorPath: false },
      says: /declin/,
      asks: true,
    },
  },
};

describe('the forms of three published servers', () => {
  let folder: string;

  useWindow(
    () => {
      const server = (name: string, ...args: readonly string[]): object => ({
        command: 'node',
        args: [program(name), ...args],
        env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' },
      });
      const workspace = folderWith(
        {
          memory: server('memory'),
          filesystem: server('filesystem', '${workspaceFolder}'),
          everything: server('everything'),
          forms: { command: process.execPath, args: [join(repositoryRoot, 'test/fixtures/servers/formServer.mjs')] },
        },
        { files: { 'dot.png': 'no picture' } },
      );
      return { workspace };
    },
    async () => {
      folder = await realpath(window.workspace);
    },
  );

  it.each(Object.entries(calls))(
    'take the arguments of the tools of %s',
    { timeout: 300_000 },
    async (label, tools) => {
      await window.startServer(label);
      // No tool is left out.
      await window.sidebar.item(new RegExp(`${label}.*(?<!\\d)${Object.keys(tools).length} tools`)).waitFor();
      await window.sidebar.expand('Tools');
      await window.sidebar.item(Object.keys(tools)[0] ?? '').waitFor();
      for (const [title, call] of Object.entries(tools)) {
        if (cases(call.isTypical, true) === true) await callThroughForm(title, call);
      }
      await window.sidebar.collapse(label);
    },
  );

  async function callThroughForm(title: string, { args = {}, says, asks }: FormCall): Promise<void> {
    // Not by a click: VS Code loses one on a row that it is drawing anew, as it does when a tool adds a resource.
    const frame = await window.chooseTool(title);
    const text = JSON.stringify(args).replaceAll('FOLDER', folder);
    await fillMembers(frame.locator('.form'), JSON.parse(text) as JsonObject);
    // A tool that takes nothing was called at once.
    const hasFields = (await frame.locator('.form').locator('input, select, textarea').count()) > 0;
    if (hasFields) await frame.getByRole('button', { name: 'Call', exact: true }).click();
    const outcome = frame.locator('.outcome');
    const again = frame.locator('[aria-disabled="false"]', { hasText: 'Call Anyway' });
    const ended = outcome.locator('.lead', { hasText: 'took' });
    await expect
      .poll(
        async () => {
          if (await again.isVisible()) await again.click();
          if (asks === true) await decline();
          return ended.count();
        },
        { message: `${title} has ended` },
      )
      .toBe(1);
    if (asks !== true) expect(await outcome.locator('.banner.error').allInnerTexts()).toEqual([]);
    if (says !== undefined) expect((await outcome.textContent()) ?? '').toMatch(says);
    await window.page
      .locator('.tab.active')
      .getByRole('button', { name: /^Close/ })
      .click();
    await window.webviews.waitUntilGone(`h1:has-text("${title}")`);
  }

  /** Answers the panel of a question, if one is open. */
  async function decline(): Promise<void> {
    for (const frame of window.page.frames()) {
      const button = frame.getByRole('button', { name: 'Decline', exact: true, disabled: false });
      if (await button.isVisible().catch(() => false)) await button.click();
    }
  }

  describe('of a tool with alternatives, and of one with a table', () => {
    beforeAll(async () => {
      await window.startServer('forms');
      await window.sidebar.expand('Tools');
    });

    it('keeps the values of each alternative, back and forth, and sends those of the last one', async () => {
      await window.sidebar.click('Find a Place');
      const frame = await window.webviews.frame('h1:has-text("Find a Place")');
      const where = frame.getByRole('combobox', { name: 'where' });
      await where.selectOption('Point');
      await frame.getByRole('textbox', { name: 'lat' }).fill('38.7');
      await frame.getByRole('textbox', { name: 'lon' }).fill('-9.1');
      await where.selectOption('Address');
      await frame.locator('.form-branch-place textarea').fill('Rua Augusta');
      await where.selectOption('Point');
      expect(await frame.getByRole('textbox', { name: 'lon' }).inputValue()).toBe('-9.1');
      await where.selectOption('Address');
      expect(await frame.locator('.form-branch-place textarea').inputValue()).toBe('Rua Augusta');
      await where.selectOption('Point');
      await window.screenshot('tool-union');
      await window.page.keyboard.press('Control+Enter');
      await frame.getByText('38.7', { exact: true }).first().waitFor();
      expect(await frame.locator('.outcome').textContent()).not.toContain('Rua Augusta');
    });

    it('shows a list of like objects as a table, and what breaks the output schema at its place', async () => {
      await window.sidebar.doubleClick('List Cities');
      const frame = await window.webviews.frame('h1:has-text("List Cities")');
      await frame.getByText('This takes no arguments.').waitFor();
      await window.page.keyboard.press('Control+Enter');
      await frame.getByText(/does not match the tool's output schema in 1 place/).waitFor();
      await frame.getByRole('button', { name: 'Table' }).last().click();
      await frame.getByRole('columnheader', { name: /high/ }).waitFor();
      await frame.getByRole('cell', { name: 'Athens' }).waitFor();
      await window.screenshot('tool-table');
    });
  });
});

async function fillMembers(place: Locator, members: JsonObject): Promise<void> {
  for (const [name, value] of Object.entries(members)) if (value !== undefined) await fill(place, name, value);
}

/** Fills the field of that name as a person does. */
async function fill(place: Locator, name: string, value: JsonValue): Promise<void> {
  const within = (role: 'textbox' | 'combobox' | 'group', label: string): Locator =>
    place.getByRole(role, { name: label, exact: true }).first();
  if (Array.isArray(value)) return fillList(place, name, value as readonly JsonValue[]);
  if (typeof value === 'object' && value !== null) return fillMembers(within('group', name), value as JsonObject);
  const [select, input] = [within('combobox', name), within('textbox', name)];
  await select.or(input).first().waitFor();
  if (await select.isVisible()) await select.selectOption(String(value));
  else await input.fill(String(value));
}

async function fillList(place: Locator, name: string, items: readonly JsonValue[]): Promise<void> {
  const list = place.getByRole('group', { name, exact: true });
  for (const [index, item] of items.entries()) {
    await place.getByRole('button', { name: `Add Item to ${name}`, exact: true }).click();
    await fill(list, `${name} ${index + 1}`, item);
  }
}
