import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { openVSCode } from './driver/openVSCode.ts';
import { reportFailures } from './driver/reportFailures.ts';
import type { Workbench } from './driver/workbench.ts';

describe('the packaged extension, installed', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openVSCode({
      workspace: join(repositoryRoot, 'test', 'fixtures', 'workspaces', 'demo'),
      extension: { kind: 'vsix', path: join(repositoryRoot, 'patchbay.vsix') },
      companion: true,
    });
  });

  afterAll(async () => {
    await workbench?.close();
  });

  reportFailures(() => workbench);

  it('shows the configured servers in the sidebar', async () => {
    await workbench.sidebar.open();
    await workbench.sidebar.item('demo').waitFor();
    await workbench.screenshot('installed');
  });

  it('starts its demo server, whose answer reaches another extension', async () => {
    const outcome = workbench.companion.callTool({ server: 'demo', tool: 'add', args: { a: 2, b: 3 } });
    await workbench.dialogs.press('Start Server');
    await workbench.dialogs.press('Call');
    expect(await outcome).toMatchObject({ kind: 'result', result: { isError: false, structuredContent: { sum: 5 } } });
  });

  it('asks in its panel before a server gets a model', async () => {
    const { outcome } = await workbench.callTool({ server: 'demo', tool: 'summarize', args: { text: 'anything' } });
    const panel = await workbench.webviews.frame('h1:has-text("asks for a language model")');
    await panel.getByRole('button', { name: 'Decline' }).click();
    expect(JSON.stringify(await outcome)).toContain('code -1');
  });

  it('says to another extension what is wrong', async () => {
    const outcome = await workbench.companion.callTool({ server: 'nowhere', tool: 'none' });
    expect(outcome).toEqual({ kind: 'error', message: 'There is no server nowhere.' });
  });
});
