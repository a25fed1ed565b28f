import { beforeEach, expect, it } from 'vitest';
import { byPerson } from '../../../../src/host/platform/personArguments.ts';
import type { ServersNode } from '../../../../src/host/servers/serverNodes.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { createRowOpener } from '../../../../src/host/sidebar/openRow.ts';
import { PatchbayError } from '../../../../src/base/errors.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { commands, editor, TabInputCustom, TabInputText } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

const add = { name: 'add', inputSchema: {} };
const tool: ServersNode = { kind: 'tool', server: 'demo', tool: 'add', item: add, occurrence: 0 } as never;
const prompt: ServersNode = {
  kind: 'prompt',
  server: 'demo',
  prompt: 'p',
  item: { name: 'p' },
  occurrence: 0,
} as never;
const uri = 'a://b';
const resource: ServersNode = {
  kind: 'resource',
  server: 'demo',
  uri,
  item: { uri, name: 'b' },
  occurrence: 0,
} as never;
const row: ServersNode = { kind: 'server', server: 'demo' };

const failed = { kind: 'failed', error: new PatchbayError('crashed', 'No.') } as const;

let ran: unknown[][] = [];
let shown: unknown[][] = [];

beforeEach(() => {
  ran = [];
  shown = [];
  editor.activeTab = undefined;
  commands.executeCommand = (...call: unknown[]) => {
    ran.push(call);
    return Promise.resolve();
  };
});

function opener(server: HostServer) {
  const clock = createManualClock();
  const details = {
    showItem: (...call: unknown[]) => {
      shown.push(call);
      return Promise.resolve();
    },
  };
  let pressed: ServersNode | undefined;
  const view = { focused: () => pressed, commandOf: () => 'patchbay.openRow' };
  const open = createRowOpener({ registry: sampleRegistry(server), details: async () => details, clock, view });
  const click = (node: ServersNode): Promise<void> => open(byPerson(node));
  return {
    clock,
    open,
    click,
    doubleClick: async (node: ServersNode): Promise<void> => {
      await click(node);
      ran = [];
      await click(node);
    },
    enter: async (node: ServersNode): Promise<void> => {
      pressed = node;
      await open('selection');
    },
  };
}

it('previews a tool with a click, and opens it with a double click or Enter', async () => {
  const { click, doubleClick, enter, clock } = opener(sampleServer('demo'));
  await click(tool);
  expect(ran).toEqual([['patchbay.openTool', expect.objectContaining({ server: 'demo', tool: 'add', preview: true })]]);
  await clock.advance(1_000);
  for (const gesture of [doubleClick, enter]) {
    ran = [];
    await gesture(tool);
    expect(ran).toHaveLength(1);
    expect(ran[0]).toEqual(['patchbay.openTool', expect.not.objectContaining({ preview: true })]);
    await clock.advance(1_000);
  }
});

it('takes the keyboard back from the page that a preview replaces, unless a double click opens the tool', async () => {
  const { click, clock } = opener(sampleServer('demo'));
  const focus = ['patchbay.servers.focus'];
  editor.activeTab = { input: new TabInputText('a:b') };
  await click(tool);
  expect(ran).not.toContainEqual(focus);
  await clock.advance(1_000);
  editor.activeTab = { input: new TabInputCustom('a:b', 'patchbay.tool') };
  await click(tool);
  expect(ran.at(-1)).toEqual(focus);
  await clock.advance(1_000);
  ran = [];
  const first = click(tool);
  await Promise.all([first, click(tool)]);
  expect(ran).toHaveLength(2);
  expect(ran).not.toContainEqual(focus);
});

it('previews again where two clicks are not a double click', async () => {
  const { click, clock } = opener(sampleServer('demo'));
  await click(tool);
  await clock.advance(600);
  await click(tool);
  expect(ran.map(([, argument]) => argument)).toEqual(Array(2).fill(expect.objectContaining({ preview: true })));
});

it('takes the clicks before and after Enter for two', async () => {
  const { click, enter } = opener(sampleServer('demo', { state: failed }));
  await click(row);
  await enter(row);
  ran = [];
  await click(row);
  expect(ran).toEqual([['list.toggleExpand']]);
});

it.each([
  ['stopped', { kind: 'stopped' }, 'patchbay.startServer'],
  ['not approved', { kind: 'failed', error: new PatchbayError('needsTrust', 'No.') }, 'patchbay.startServer'],
  ['failed', failed, 'patchbay.showWhy'],
  ['disabled', { kind: 'stopped' }, 'patchbay.enableServer'],
] as const)('starts nothing with a click on a server that is %s, and goes on with Enter', async (what, state, next) => {
  const { click, doubleClick, enter, clock } = opener(sampleServer('demo', { state, isDisabled: what === 'disabled' }));
  await click(row);
  expect(ran).toEqual([['list.toggleExpand']]);
  for (const gesture of [doubleClick, enter]) {
    await clock.advance(1_000);
    ran = [];
    await gesture(row);
    expect(ran).toEqual([[next, { kind: 'server', server: 'demo' }]]);
  }
});

it('opens and closes the row of a running server with Enter', async () => {
  const { enter } = opener(sampleServer('demo', { state: running }));
  await enter(row);
  expect(ran).toEqual([['list.toggleExpand']]);
});

it('shows the details of a prompt with a click, and runs it with Enter', async () => {
  const { click, enter } = opener(sampleServer('demo', { state: running }));
  await click(prompt);
  expect(shown).toEqual([[prompt, true]]);
  expect(ran).toEqual([]);
  await enter(prompt);
  expect(ran).toEqual([['patchbay.runPrompt', prompt]]);
});

it('reads a resource of a running server only', async () => {
  const stopped = opener(sampleServer('demo'));
  await stopped.click(resource);
  expect(ran).toEqual([]);
  expect(shown).toEqual([[resource, true]]);
  const started = opener(sampleServer('demo', { state: running }));
  await started.click(resource);
  expect(ran).toEqual([['patchbay.openResource', expect.objectContaining({ uri, preview: true })]]);
});

it('opens no row that another extension passes', async () => {
  const { open } = opener(sampleServer('demo'));
  const elsewhere = { kind: 'server', server: 'demo' };
  for (const given of [elsewhere, 'demo', null]) await open(given);
  await open(undefined);
  // No key was pressed.
  await open('selection');
  expect(ran).toEqual([]);
});
