import { MarkdownString, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import { readyServer } from '../input/readyServer.ts';
import type { Storage } from '../input/recentItems.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import { createResourceStore } from './resourceStore.ts';
import { resourceScheme } from './resourceUri.ts';

export interface ResourcesOptions {
  readonly registry: ServerRegistry;
  /** Remembers which resources were opened. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** *Open Resource…* and the file system of the documents it opens. */
export function registerResources({ registry, storage, clock, logger }: ResourcesOptions): Disposable {
  const disposables = new DisposableStore();
  const store = createResourceStore({ clock, read });

  async function read(label: string, uri: string, signal: AbortSignal | undefined): Promise<ReadResourceResult> {
    const server = await readyServer(registry, label, signal);
    return server.readResource(uri, signal && { signal });
  }

  const fileSystem = disposables.add(new ResourceFileSystem({ registry, store, logger }));
  disposables.add(
    workspace.registerFileSystemProvider(resourceScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A resource of an MCP server can only be read.'),
    }),
  );
  const load = lazy(async () => {
    const { createResourceOpener } = await import('./resourceOpener.ts');
    return createResourceOpener({ registry, store, storage, clock, logger });
  });
  disposables.add(registerCommand({ logger }, CommandIds.openResource, async (argument) => (await load())(argument)));
  return disposables;
}
