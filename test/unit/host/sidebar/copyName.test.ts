import { expect, it } from 'vitest';
import { env } from 'vscode';
import { CommandIds } from '../../../../src/host/commandIds.ts';
import { createServerCommands, type ServerCommandsOptions } from '../../../../src/host/sidebar/serverCommands.ts';

it('copies the name of its row, for a key that of the row which the keyboard is on', async () => {
  const host: Partial<ServerCommandsOptions> = {
    view: { focused: () => ({ kind: 'server', server: 'focused' }) } as never,
  };
  const copy = createServerCommands(host as ServerCommandsOptions)[CommandIds.copyName];
  await copy({ kind: 'server', server: 'given' });
  expect(await env.clipboard.readText()).toBe('given');
  await copy('selection');
  expect(await env.clipboard.readText()).toBe('focused');
});
