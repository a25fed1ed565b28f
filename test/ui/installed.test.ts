import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { openVSCode } from './driver/openVSCode.ts';
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

  it('shows the configured servers in the sidebar', async () => {
    await workbench.sidebar.open();
    await workbench.sidebar.item('demo').waitFor();
    await workbench.screenshot('installed');
  });

  it('gives its API to another extension', async () => {
    const outcome = await workbench.companion.callTool({ server: 'nowhere', tool: 'none' });
    expect(outcome).toEqual({ kind: 'error', message: 'There is no server nowhere.' });
  });
});
