import { MarkdownString, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { Logger } from '../../base/logger.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { Storage } from '../invocation/recentItems.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { resourceScheme } from '../platform/uriSchemes.ts';

export interface ResourcesOptions {
  readonly registry: ServerRegistry;
  /** Remembers which resources were opened. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** *Open Resource…*, *Save Resource As…* and the file system of the documents it opens. */
export function registerResources(options: ResourcesOptions): Disposable {
  const disposables = new DisposableStore();
  const load = memoizeAsync(async () => {
    const { createResourceFeature } = await import('./resourceFeature.ts');
    const feature = createResourceFeature(options);
    disposables.add(feature.files);
    return feature;
  });
  const fileSystem = disposables.add(new LazyFileSystem(async () => (await load()).files));
  disposables.add(
    workspace.registerFileSystemProvider(resourceScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A resource of an MCP server can only be read.'),
    }),
  );
  const register = (id: CommandId, act: 'open' | 'save'): void => {
    disposables.add(registerCommand(options, id, async (argument) => (await load()).opener[act](argument)));
  };
  register(CommandIds.openResource, 'open');
  register(CommandIds.saveResource, 'save');
  return disposables;
}
