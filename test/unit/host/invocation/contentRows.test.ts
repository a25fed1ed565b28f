import { describe, expect, it } from 'vitest';
import type { Server } from '../../../../src/client/server/server.ts';
import { contentRow, startRows } from '../../../../src/host/invocation/contentPicker.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';

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

  it('offers to start servers nothing is known of', () => {
    const servers = [
      hostServer('running', 'running'),
      hostServer('seen', 'stopped', [{}]),
      hostServer('new', 'stopped'),
      hostServer('listing', 'running', [], true),
    ];
    expect(startRows(servers, 'tools').map(({ label }) => label)).toEqual([
      '$(play) Start new',
      '$(watch) Wait for listing',
    ]);
  });
});
