import { describe, expect, it } from 'vitest';
import { Uri } from 'vscode';
import { createConfigurationCommands } from '../../../../src/host/configuration/configurationCommands.ts';
import { createDemoSource } from '../../../../src/host/configuration/demoServer.ts';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { sampleState } from '../sampleState.ts';

type Options = Parameters<typeof createConfigurationCommands>[0];

function createWindow(workspaceState = sampleState()) {
  const acts: string[] = [];
  const act = (name: string) => async (label?: string) => void acts.push([name, label].filter(Boolean).join(' '));
  const commands = createConfigurationCommands({
    workspaceState,
    configuration: { refresh: act('refresh') },
    reveal: act('reveal'),
    start: act('start'),
  } as unknown as Options);
  const demo = createDemoSource(Uri.file('/extension'), '/usr/bin/node', workspaceState);
  return { acts, commands, isOffered: () => demo() !== undefined };
}

describe('the demo server', () => {
  it('is added to this workspace only, shown and started at once, and removed from it', async () => {
    const { acts, commands, isOffered } = createWindow();
    expect(isOffered()).toBe(false);
    await commands[CommandIds.tryDemoServer]();
    expect(isOffered()).toBe(true);
    expect(acts).toEqual(['refresh', 'reveal demo', 'start demo']);
    expect(createWindow().isOffered()).toBe(false);
    await commands[CommandIds.removeDemoServer]();
    expect(isOffered()).toBe(false);
    expect(editor.settings['demoServer']).toBeUndefined();
  });

  it.each([
    [true, undefined, true],
    [undefined, true, true],
    [false, true, false],
    [true, false, false],
  ])(
    'is offered by a setting as before (person: %s, folder: %s), until it is removed here',
    async (own, shared, is) => {
      editor.settings['demoServer'] = own;
      editor.folderSettings['demoServer'] = shared;
      const { commands, isOffered } = createWindow();
      expect(isOffered()).toBe(is);
      await commands[CommandIds.removeDemoServer]();
      expect(isOffered()).toBe(false);
    },
  );

  it('runs what the extension has, whatever a folder sets', () => {
    Object.assign(editor.folderSettings, {
      demoServer: true,
      serverOptions: { demo: { autoStart: true } },
      servers: { demo: { command: 'evil', env: { NODE_OPTIONS: 'x' } } },
    });
    const demo = createDemoSource(Uri.file('/extension'), '/usr/bin/node', sampleState())();
    expect(demo?.parsed.servers).toEqual([
      {
        label: 'demo',
        definition: {
          type: 'stdio',
          command: '/usr/bin/node',
          args: ['/extension/dist/demoServer.js'],
          env: { ELECTRON_RUN_AS_NODE: '1' },
        },
        options: {},
        range: undefined,
      },
    ]);
  });
});
