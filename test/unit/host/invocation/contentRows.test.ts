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
