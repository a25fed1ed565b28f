import { expect, it, vi } from 'vitest';
import { createLogger } from '../../../../src/base/logger.ts';
import { createConfigurationService } from '../../../../src/host/configuration/configurationService.ts';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

/** The reading of the one file there is: each waits until it is let go. */
const reads = vi.hoisted((): ((text: string) => void)[] => []);
vi.mock('vscode', () => {
  const event = () => ({ dispose: () => {} });
  class FileSystemError extends Error {
    readonly code = 'FileNotFound';
  }
  const watcher = { onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => {} };
  const uriOf = (path: string) => ({ path, fsPath: path, toString: () => `file://${path}` });
  return {
    FileSystemError,
    RelativePattern: Object,
    Uri: { joinPath: ({ path }: { path: string }, name: string) => uriOf(`${path}/${name}`) },
    workspace: {
      workspaceFolders: [{ name: 'w', uri: uriOf('/w') }],
      getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
      createFileSystemWatcher: () => watcher,
      onDidChangeWorkspaceFolders: event,
      onDidSaveTextDocument: event,
      onDidChangeConfiguration: event,
      onDidGrantWorkspaceTrust: event,
      fs: {
        stat: async ({ path }: { path: string }) => {
          if (path.endsWith('.vscode/mcp.json')) return { size: 1 };
          throw new FileSystemError();
        },
        readFile: () =>
          new Promise((resolve) => {
            reads.push((text) => resolve(new TextEncoder().encode(text)));
          }),
      },
    },
  };
});

it('has read what is there now when a refresh is done, even one that a newer one has overtaken', async () => {
  const service = createConfigurationService({
    demo: () => undefined,
    inputs: {} as InputStore,
    environment: async () => ({}),
    userHome: '/',
    clock: createManualClock(),
    logger: createLogger(() => {}),
  });
  const first = service.refresh();
  const second = service.refresh();
  await vi.waitUntil(() => reads.length === 2);
  reads[0]?.('{"servers": {}}');
  const labels = first.then(() => service.snapshot.servers.map(({ label }) => label));
  await Promise.race([labels, new Promise((resolve) => setImmediate(resolve))]);
  reads[1]?.('{"servers": {"a": {"command": "x"}}}');
  expect(await labels).toEqual(['a']);
  await second;
  service.dispose();
});
