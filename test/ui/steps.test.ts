import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serverCommand } from '../bench/serverCommand.mjs';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { focusedName } from './driver/focus.ts';
import { fixtureServer, folderWith } from './driver/newWorkspace.ts';
import { StepCounter, type Steps } from './driver/stepCounter.ts';
import { useWindow, window } from './driver/useWindow.ts';

const none: Steps = { clicks: 0, keys: 0, questions: 0 };

/** Each task, with the most that it may take, and what it takes elsewhere, as counted by hand. */
const tasks = {
  'configured server, its tools seen, first time': { clicks: 1, questions: 1, elsewhere: '3 k, none seen | 2 c' },
  'configured server, its tools seen, later': { clicks: 1, elsewhere: '3 k, none seen | 2 c' },
  'first call of a tool with one argument': { clicks: 1, keys: 1, elsewhere: '– | 4 c' },
  'the same call again': { keys: 1, elsewhere: '– | 1 c' },
  'what went over the wire of a call': { clicks: 1, elsewhere: 'output | 0 c' },
  'seven servers, first time': { clicks: 2, questions: 1, elsewhere: '3 k each | one at a time' },
  'seven servers, next window': { clicks: 1, elsewhere: 'by a setting | –' },
  'prompt with completion, from the palette': { keys: 5, elsewhere: 'chat only | –' },
  'one tool of 119': { keys: 1, elsewhere: '– | per server' },
  'why a server fails': { clicks: 1, elsewhere: 'output | a message' },
  'add a server by a pasted command, started': { clicks: 1, keys: 2, questions: 1, elsewhere: '– | –' },
  'remove a server, with undo': { keys: 1, clicks: 1, elsewhere: 'not found | –' },
} as const satisfies Readonly<Record<string, Partial<Steps> & { readonly elsewhere: string }>>;

type Task = keyof typeof tasks;

const measured: Partial<Record<Task, Steps>> = {};

/** Counts what a task takes, and holds it against the most that it may take. */
async function measure(task: Task, act: () => Promise<unknown>): Promise<void> {
  const counter = await StepCounter.of(window.page);
  const steps = await counter.measure(act);
  measured[task] = steps;
  const { elsewhere: _, ...most } = tasks[task];
  const allowed = { ...none, ...most };
  for (const kind of ['clicks', 'keys', 'questions'] as const)
    expect(steps[kind], `${kind} of: ${task}`).toBeLessThanOrEqual(allowed[kind]);
}

const wordsOf = ({ clicks, keys, questions }: Steps): string =>
  [clicks > 0 && `${clicks} c`, keys > 0 && `${keys} k`, questions > 0 && `${questions} q`].filter(Boolean).join(' ') ||
  '0';

/** Written where `npm run bench steps` finds it. */
afterAll(async () => {
  const folder = join(repositoryRoot, '.bench');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'steps.json'), `${JSON.stringify(measured, undefined, 2)}\n`);
  const lines = Object.entries(measured).map(
    ([task, steps]) => `${task.padEnd(48)} ${wordsOf(steps).padEnd(14)} ${tasks[task as Task].elsewhere}`,
  );
  console.log([`${''.padEnd(48)} ${'Patchbay'.padEnd(14)} VS Code | Inspector`, ...lines].join('\n'));
});

const state = async (label: string): Promise<string> =>
  (await window.sidebar.item(label).getAttribute('aria-label')) ?? '';

/** A click on a button of a row, which shows under the mouse. */
async function clickInline(row: string | RegExp, button: string): Promise<void> {
  const item = window.sidebar.item(row);
  await item.hover();
  await item.getByRole('button', { name: button, exact: true }).click();
}

/** A click on a button of the title of the view, which shows under the mouse. */
async function clickTitle(button: string): Promise<void> {
  await window.sidebar.container.getByRole('button', { name: 'Servers Section', exact: true }).hover();
  await window.sidebar.container.getByRole('button', { name: button, exact: true }).click();
}

describe('the steps of one server', () => {
  const servers = {
    calculator: fixtureServer('articleServer.mjs'),
    many: serverCommand(119),
    broken: { command: 'no-such-mcp-server' },
  };
  useWindow(
    () => ({ workspace: folderWith(servers), colorTheme: 'light', settings: { 'patchbay.demoServer': true } }),
    () => window.sidebar.open(),
  );

  it('to its tools', async () => {
    const start = async (): Promise<void> => clickInline('calculator', 'Start MCP Server');
    await measure('configured server, its tools seen, first time', async () => {
      await start();
      await window.dialogs.press('Start');
      await window.sidebar.item('calculate').waitFor();
    });
    await window.sidebar.inlineAction('calculator', 'Stop MCP Server');
    await expect.poll(() => state('calculator')).toMatch(/stopped/);
    await window.sidebar.collapse('calculator');
    await measure('configured server, its tools seen, later', async () => {
      await start();
      await window.sidebar.item('calculate').waitFor();
    });
  });

  it('to a result, once more, and to its messages', async () => {
    await window.sidebar.item('calculate').waitFor();
    await measure('first call of a tool with one argument', async () => {
      await clickInline('calculate', 'Call MCP Tool…');
      const form = await window.webviews.frame('h1:has-text("calculate")');
      await expect.poll(() => focusedName(form)).toContain('expression');
      await window.page.keyboard.type('6*7');
      await window.page.keyboard.press('Control+Enter');
      await form.getByText('42', { exact: true }).waitFor();
    });
    const form = await window.webviews.frame('h1:has-text("calculate")');
    await expect.poll(() => form.locator('.history li').count()).toBe(1);
    await measure('the same call again', async () => {
      await window.page.keyboard.press('Control+Enter');
      await expect.poll(() => form.locator('.history li').count()).toBe(2);
    });
    await measure('what went over the wire of a call', async () => {
      await form.getByRole('button', { name: 'Show Exchange' }).first().click();
      await window.page.locator('.monaco-editor .view-lines').getByText('tools/call').first().waitFor();
    });
  });

  it('to a prompt with completion', async () => {
    await window.sidebar.inlineAction('demo', 'Start MCP Server');
    await expect.poll(() => state('demo')).toMatch(/running/);
    await measure('prompt with completion, from the palette', async () => {
      const { quickInput, page } = window;
      const enter = async (text: string, match: string): Promise<void> => {
        await page.keyboard.type(text);
        await quickInput.rows.first().filter({ hasText: match }).waitFor();
        await page.keyboard.press('Enter');
      };
      await page.keyboard.press('F1');
      await quickInput.field.waitFor();
      await enter('run mcp prompt', 'Run MCP Prompt');
      await quickInput.row('Plan a Trip').waitFor();
      await enter('plan', 'Plan a Trip');
      await quickInput.row('Japan').waitFor();
      await enter('jap', 'Japan');
      await quickInput.row('Kyoto').waitFor();
      await enter('kyo', 'Kyoto');
      await (await window.webviews.frame('text=Kyoto')).getByText('Kyoto').first().waitFor();
    });
  });

  it('to one tool of many', async () => {
    await window.sidebar.inlineAction('many', 'Start MCP Server');
    await window.dialogs.press('Start');
    await expect.poll(() => state('many')).toMatch(/119 tools/);
    await window.sidebar.item('many').click();
    await measure('one tool of 119', async () => {
      await window.page.keyboard.press('Control+f');
      await window.quickInput.field.waitFor();
      await window.page.keyboard.type('77');
      await window.sidebar.item(/77/).waitFor();
    });
    await window.quickInput.cancel();
  });

  it('to why it fails', async () => {
    await window.sidebar.inlineAction('broken', 'Start MCP Server');
    await window.dialogs.press('Start');
    await expect.poll(() => state('broken')).toMatch(/failed|not found/);
    await measure('why a server fails', async () => {
      await clickInline('broken', 'Show Why');
      await window.webviews.frame('h1:has-text("Diagnosis of broken")');
    });
  });

  it('to a server that is added, and removed again', async () => {
    const { command, args } = fixtureServer('articleServer.mjs');
    await measure('add a server by a pasted command, started', async () => {
      await clickTitle('Add MCP Server…');
      await window.quickInput.field.waitFor();
      await window.page.keyboard.insertText([command, ...args].join(' '));
      await window.page.keyboard.press('Enter');
      await window.dialogs.press('Start');
      await expect.poll(() => state('articleserver')).toMatch(/running/);
    });
    await window.sidebar.item('articleserver').click();
    await measure('remove a server, with undo', async () => {
      await window.page.keyboard.press('Delete');
      await window.sidebar.item('articleserver').waitFor({ state: 'detached' });
      await window.notifications.press(/Removed “articleserver”/, 'Undo');
      await window.sidebar.item('articleserver').waitFor();
    });
  });
});

describe('the steps of seven servers', () => {
  const labels = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const servers = Object.fromEntries(labels.map((label) => [label, fixtureServer('articleServer.mjs')]));
  useWindow(
    () => ({ workspace: folderWith(servers), colorTheme: 'hc-black' }),
    () => window.sidebar.open(),
  );
  const run = async (): Promise<void> => {
    for (const label of labels) await expect.poll(() => state(label)).toMatch(/running/);
  };

  it('to all of them running, now and in the next window', async () => {
    await window.sidebar.item('seven').waitFor();
    await measure('seven servers, first time', async () => {
      await clickTitle('Start All Servers');
      const page = await window.webviews.frame('.reviews');
      await page.getByRole('button', { name: 'Start 7 Servers', disabled: false }).click();
      await run();
    });
    await window.reload();
    await window.sidebar.open();
    await expect.poll(() => state('seven')).toMatch(/stopped/);
    await measure('seven servers, next window', async () => {
      await clickTitle('Start All Servers');
      await run();
    });
  });
});
