import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVSCode } from './driver/openVSCode.ts';
import { pictureFailures } from './driver/pictureFailures.ts';
import type { Workbench } from './driver/workbench.ts';

describe('the diagnosis of a server that does not start', () => {
  let folder: string;
  let window: Workbench;

  pictureFailures(() => window);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-diagnosis-'));
    await mkdir(join(folder, 'workspace'), { recursive: true });
    await writeFile(
      join(folder, 'workspace', '.mcp.json'),
      JSON.stringify({ mcpServers: { notes: { command: 'no-such-notes-server', env: { API_KEY: 'sk-hidden-1' } } } }),
    );
    window = await openVSCode({ workspace: join(folder, 'workspace') });
    await window.sidebar.open();
    await window.sidebar.item('notes').waitFor();
  });

  afterAll(async () => {
    await window?.close();
    await rm(folder, { recursive: true });
  });

  const line = (text: string) => window.page.locator('.view-line').filter({ hasText: text }).first();

  it('says what is wrong, with a button that leads to where it can be mended', async () => {
    await window.runCommand('Patchbay: Diagnose Server…');
    await window.dialogs.press('Start Server');
    await line('Command').waitFor();
    await line('The first problem is at').waitFor();
    await window.screenshot('diagnosis');
    await window.page.getByRole('button', { name: 'Copy as Text' }).click();
    const copied = await window.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('✗ Command');
    expect(copied).not.toContain('sk-hidden-1');
    await window.page.getByRole('button', { name: 'Open Configuration' }).click();
    await window.page.getByRole('tab', { name: '.mcp.json' }).waitFor();
  });
});
