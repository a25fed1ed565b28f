import { Uri, window } from 'vscode';
import { expect, it, onTestFinished } from 'vitest';
import type { FactsToPanel } from '../../../../src/shared/factsMessages.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { DetailsPages } from '../../../../src/host/sidebar/detailsPages.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor, type WebviewPanel } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

const add = { name: 'add', title: 'Add', inputSchema: {} };
const contents = { tools: [add, { ...add, title: 'Add more' }] };
const demo = sampleServer('demo', { contents, isRemembered: true });

function open(...servers: readonly HostServer[]) {
  const never = () => ({ dispose() {} });
  const host = {
    registry: sampleRegistry(...servers),
    clock: createManualClock(),
    logger: {},
    trust: { filesMayChange: async () => false },
    approvals: { onDidChange: never, current: async () => undefined, loaded: undefined },
    sampling: { onDidChange: never, rules: async () => undefined, tokensOfToday: async () => undefined },
    mutes: { muted: [] },
    restarts: { all: [] },
    chosenModels: async () => ({ all: [] }),
  };
  const pages = new DetailsPages(Uri.file('/extension'), host as never, async () => ({ all: [] }) as never);
  onTestFinished(() => pages.dispose());
  return pages;
}

/** What the last tab was told to show, and to keep. */
function shown(panel = editor.panels.at(-1)): FactsToPanel {
  panel?.said.fire({ type: 'ready' });
  return panel?.posted.at(-1) as FactsToPanel;
}

function tabOfBefore(): WebviewPanel {
  return window.createWebviewPanel('patchbay.details', 'Details of it', 1, {}) as unknown as WebviewPanel;
}

it('shows after a reload the same item again, by what its page has kept', async () => {
  const item = { kind: 'tool', server: 'demo', tool: 'add', item: contents.tools[1], occurrence: 1 } as const;
  await open(demo).showItem(item as never);
  const { kept, view } = shown();
  expect(view.title).toBe('Add more');
  // No words of the server but the name.
  expect(JSON.stringify(kept)).toBe('{"server":"demo","item":{"kind":"tool","key":"add","occurrence":1}}');
  const panel = tabOfBefore();
  await open(demo).restore(panel as never, kept);
  expect(panel.title).toBe('Details of Add more');
  expect(shown(panel)).toMatchObject({ view: { title: 'Add more' }, kept });
});

it.each([
  ['that is not configured any more', { server: 'other' }],
  ['whose item is gone', { server: 'demo', item: { kind: 'tool', key: 'gone', occurrence: 0 } }],
  ['that has kept nothing', undefined],
  ['that has kept something else', { server: 1, item: 'add' }],
])('closes the tab of a server %s', async (_what, kept) => {
  const panel = tabOfBefore();
  await open(demo).restore(panel as never, kept);
  expect(panel.active).toBe(false);
});

it('opens the instructions of a server by a button, where it has some', async () => {
  const labels = (): readonly string[] => shown().view.actions.map(({ label }) => label);
  await open(sampleServer('demo', { state: running, session })).showServer('demo');
  expect(labels()).toEqual(['Open Full Content', 'Copy as Text']);
  const live = sampleServer('demo', { state: running, session: { ...session, instructions: 'Call add.' } });
  await open(live).showServer('demo');
  expect(labels()).toEqual(['Show Instructions', 'Open Full Content', 'Copy as Text']);
  editor.panels.at(-1)?.said.fire({ type: 'action', id: 'showInstructions' });
  expect(editor.executed.at(-1)).toEqual(['patchbay.showInstructions', { server: 'demo' }]);
});
