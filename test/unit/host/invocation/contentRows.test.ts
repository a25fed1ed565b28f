import { describe, expect, it } from 'vitest';
import type { Server } from '../../../../src/client/server/managedServer.ts';
import { contentRow, createContentPicker, startRows } from '../../../../src/host/invocation/contentPicker.ts';
import { createSystemClock } from '../../../../src/base/clock.ts';
import type { HostServer, ServerRegistry } from '../../../../src/host/servers/serverRegistry.ts';
import { editor, window } from '../../../fixtures/vscode.ts';

function hostServer(
  label: string,
  kind: 'running' | 'stopped',
  tools: readonly object[] = [],
  isLoading = false,
): HostServer {
  const contents = { tools, resources: [], resourceTemplates: [], prompts: [] };
  const server = { label, state: { kind }, contents, listState: () => ({ isLoading }) };
  return { label, server: server as unknown as Server } as HostServer;
}

const noChange = (): { dispose(): void } => ({ dispose() {} });

const pick = (servers: readonly HostServer[]) => {
  editor.input.title = '';
  for (const { server } of servers) Object.assign(server, { refreshStale() {} });
  const registry = { servers, onDidChangeAny: noChange, onDidChangeServers: noChange };
  const picker = createContentPicker({
    registry: registry as unknown as ServerRegistry,
    storage: { get: () => undefined, update: async () => {} },
    clock: createSystemClock(),
    placeholder: '',
    noun: 'tools',
    storageKey: '',
    takesOnly: true,
    itemsOf: ({ tools }) => tools.map((item) => ({ item, icon: 'tools', label: 'a', name: 'a', about: undefined })),
  });
  const picked = picker.pick('Run Prompt');
  const isAsked = editor.input.title === 'Run Prompt';
  editor.input.selectedItems = editor.input.items;
  if (isAsked) editor.input.do('accept');
  return { picked, isAsked };
};

describe('a content picker', () => {
  it('shows what is known before it reads stale lists again', async () => {
    const steps: string[] = [];
    const host = hostServer('demo', 'running', [{}]);
    const { createQuickPick } = window;
    Object.assign(window, { createQuickPick: () => (steps.push('show'), createQuickPick()) });
    Object.assign(host.server, { refreshStale: (list: string) => steps.push(`refresh ${list}`) });
    const picker = createContentPicker({
      registry: {
        servers: [host],
        onDidChangeAny: noChange,
        onDidChangeServers: noChange,
      } as unknown as ServerRegistry,
      storage: { get: () => undefined, update: async () => {} },
      clock: createSystemClock(),
      placeholder: '',
      noun: 'tools',
      storageKey: '',
      itemsOf: ({ tools }) => tools.map((item) => ({ item, icon: 'tools', label: 'a', name: 'a', about: undefined })),
    });
    const picked = picker.pick('');
    editor.input.selectedItems = editor.input.items;
    editor.input.do('accept');
    expect(await picked).toMatchObject({ host: { label: 'demo' }, name: 'a' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual(['show', 'refresh tools']);
  });
});

it('lists what runs before what is stopped, in the order of the servers', async () => {
  const servers = [
    hostServer('off', 'stopped', [{}]),
    hostServer('one', 'running', [{}]),
    hostServer('other off', 'stopped', [{}]),
    hostServer('two', 'running', [{}]),
  ];
  const { picked } = pick(servers);
  const shown = editor.input.items.map((row) => (row as { readonly description?: string }).description);
  expect(shown).toEqual(['one', 'two', 'off (not running)', 'other off (not running)']);
  expect(await picked).toMatchObject({ host: { label: 'one' } });
});

describe('a picker that takes the only item', () => {
  it('asks where there may be others: of a second server, of one nothing is known of, or in a list on its way', async () => {
    const one = hostServer('demo', 'running', [{}]);
    const alone = pick([one]);
    expect(alone.isAsked).toBe(false);
    expect(await alone.picked).toMatchObject({ host: { label: 'demo' }, name: 'a' });
    const others = [
      hostServer('second', 'running', [{}]),
      hostServer('unknown', 'stopped'),
      hostServer('listing', 'running', [], true),
    ];
    for (const other of others) {
      const { isAsked, picked } = pick([one, other]);
      expect(isAsked).toBe(true);
      await picked;
    }
  });
});

describe('rows of a content picker', () => {
  const content = {
    item: undefined,
    icon: 'tools',
    label: 'Title $(bug)',
    name: 'tool_name',
    about: 'Line one\nline two $(bug)',
  };

  it('shows title, server, name and description, and no icon but our own', () => {
    expect(contentRow({ content, host: hostServer('demo', 'running') })).toMatchObject({
      label: '$(tools) Title \\$(bug)',
      description: 'demo',
      detail: 'tool_name · Line one line two \\$(bug)',
    });
    expect(contentRow({ content, host: hostServer('demo', 'stopped') }).description).toBe('demo (not running)');
  });

  it('offers to start servers nothing is known of, and to wait for what is being listed whatever is typed', () => {
    const servers = [
      hostServer('running', 'running'),
      hostServer('seen', 'stopped', [{}]),
      hostServer('new', 'stopped'),
      hostServer('listing', 'running', [{}], true),
    ];
    expect(startRows(servers, 'tools')).toMatchObject([
      { label: '$(play) Start new' },
      { label: '$(watch) Wait for listing', alwaysShow: true },
    ]);
  });
});
