import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cases, inFull } from '../fixtures/cases.ts';
import { freePort } from '../fixtures/network.ts';
import { repositoryRoot } from '../tools/vscodeHost/paths.mjs';
import { folderWith } from './driver/newWorkspace.ts';
import { apps, useWindow, window } from './driver/useWindow.ts';

const script = (name: string): string =>
  join(repositoryRoot, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

type Transport = 'stdio' | 'http';

describe('published servers with apps', () => {
  const processes: ChildProcess[] = [];

  async function entry(name: string, transport: Transport): Promise<object> {
    if (transport === 'stdio') return { type: 'stdio', command: 'node', args: [script(name), '--stdio'] };
    const port = await freePort();
    const child = spawn(process.execPath, [script(name)], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    processes.push(child);
    return { type: 'http', url: `http://127.0.0.1:${port}/mcp` };
  }

  afterAll(() => {
    for (const child of processes) child.kill();
  });
  useWindow(async () => {
    const workspace = folderWith({
      vanilla: await entry('basic-vanillajs', 'stdio'),
      react: await entry('basic-react', 'http'),
      monitor: await entry('system-monitor', 'http'),
      video: await entry('video-resource', 'stdio'),
    });
    return { workspace, companion: true };
  });

  it.each([...cases<readonly [string, string][]>([], [['vanilla', 'stdio']]), ['react', 'http']])(
    '%s, over %s, shows the time, and asks for it again',
    async (label) => {
      await apps.start(label);
      await apps.call('Get Time', label);
      const shown = await apps.document('get-time', 'button:has-text("Get Server Time")');
      const text = (): Promise<string> => shown.locator('body').innerText();
      await expect.poll(text).toMatch(/\d{4}-\d\d-\d\dT/);
      const before = await text();
      await shown.getByRole('button', { name: 'Get Server Time' }).click();
      await apps.answer('get-time', 'Call');
      await expect.poll(text).not.toBe(before);
      await window.screenshot(`app-${label}`);
      await window.runCommand('View: Close All Editors');
    },
  );

  it('monitor, over http, polls a tool for apps only, once it is allowed', async () => {
    await apps.start('monitor');
    await apps.call('Get System Info');
    const question = await apps.question('get-system-info');
    expect(await question.innerText()).toContain('poll-system-stats');
    // It polls: the question about its next call may stand in the place of this one at once.
    await question.getByRole('button', { name: 'Call', exact: true, disabled: false }).click();
    await window.allowAlways('monitor', 'poll-system-stats');
    const shown = await apps.document('get-system-info', 'canvas');
    await expect.poll(() => shown.locator('body').innerText()).toMatch(/\d+%/);
    await window.screenshot('app-monitor');
    await window.runCommand('View: Close All Editors');
  });

  // In every run: restored.test.ts has an app that reads a resource.
  inFull(() => {
    it('video, over stdio, is shown, and reads its resource through the host', async () => {
      await apps.start('video');
      await apps.call('Play Video via Resource');
      await apps.document('play_video', 'body');
      await (await apps.page('play_video')).getByText('reaches nothing').waitFor();
      await window.runCommand('MCP Patchbay: Show Audit Log');
      const log = await window.webviews.frame('h1:has-text("Audit Log")');
      await log.getByText('resources/read').first().waitFor();
      await window.screenshot('app-video');
    });
  });
});
