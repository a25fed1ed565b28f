import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Event, extensions, workspace } from 'vscode';
import type { PatchbayApi, ServerHandle } from '../../src/host/api.ts';
import type { CallToolResult } from '../../src/protocol/mcp/tools.ts';

/** Activates the extension. @returns its API */
export async function activatePatchbay(): Promise<PatchbayApi> {
  const extension = extensions.getExtension<PatchbayApi>('patchbay.patchbay');
  assert.ok(extension, 'the extension patchbay.patchbay is not installed');
  return await extension.activate();
}

/** Starts the server of that label, once it is configured. */
export async function startServer(label: string): Promise<ServerHandle> {
  const patchbay = await activatePatchbay();
  await untilEvent(patchbay.onDidChangeServers, () => patchbay.getServer(label) !== undefined);
  const server = patchbay.getServer(label);
  assert.ok(server, `the server ${label} is not configured`);
  await server.start();
  assert.equal(server.state, 'running');
  return server;
}

/** Resolves when `holds` is true, checked now and after each event. */
export function untilEvent(event: Event<void>, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const subscription = event(() => {
      if (!holds()) return;
      subscription.dispose();
      resolve();
    });
  });
}

/** Repeats `ask` until `accept` is true for its answer, up to the timeout of the test. */
export async function askUntil<T>(ask: () => Promise<T>, accept: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (accept(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Resolves when `holds` is true, asked again and again up to the timeout of the test. */
export async function until(holds: () => boolean): Promise<void> {
  await askUntil(() => Promise.resolve(holds()), Boolean);
}

/** The text of all text blocks. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

export function namesOf(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name);
}

/** Settings for test runs only. They are not declared, so VS Code's API cannot write them. */
type TestingSetting = 'trust' | 'consent' | 'toolCalls';

/** Writes a `patchbay.testing` setting to the workspace file and waits until it is effective. `undefined` removes it. */
export async function setTesting(name: TestingSetting, value: string | undefined): Promise<void> {
  await changeWorkspaceSetting(`patchbay.testing.${name}`, value);
  await until(() => workspace.getConfiguration('patchbay.testing').get(name) === value);
}

/** Writes a setting to the workspace file. `undefined` removes it. */
export async function changeWorkspaceSetting(name: string, value: unknown): Promise<void> {
  const path = workspace.workspaceFile?.fsPath;
  assert.ok(path);
  const content = JSON.parse(await readFile(path, 'utf8')) as { settings: Record<string, unknown> };
  content.settings[name] = value;
  await writeFile(path, JSON.stringify(content));
}

/** The second folder of the workspace. */
export function secondFolder(): string {
  return workspace.workspaceFolders?.[1]?.uri.fsPath ?? '';
}

/** Configures servers in the second folder, so that those of the first stay as they are. */
export async function writeServers(mcpServers: Readonly<Record<string, object>>): Promise<void> {
  await mkdir(join(secondFolder(), '.cursor'), { recursive: true });
  await writeFile(join(secondFolder(), '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
}

/** Removes all that {@link writeServers} wrote, and waits until `label`, which was one of them, is gone. */
export async function removeServers(label: string): Promise<void> {
  await rm(join(secondFolder(), '.cursor'), { recursive: true });
  const patchbay = await activatePatchbay();
  await untilEvent(patchbay.onDidChangeServers, () => patchbay.getServer(label) === undefined);
}
