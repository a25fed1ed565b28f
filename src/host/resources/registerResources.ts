import { MarkdownString, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { type ActingCommandContext, registerActingCommand } from '../platform/registerCommand.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { resourceScheme } from '../platform/uriSchemes.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import type { ResourceFeatureOptions } from './resourceFeature.ts';

/** *Open Resource…*, *Save Resource As…*, *Ask a Model About Resource…* and the file system of the documents they open. */
export function registerResources(
  options: Omit<ResourceFeatureOptions, 'seal'> &
    ActingCommandContext & { readonly loadSeal: () => Promise<AddressSeal> },
): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => {
    const [{ createResourceFeature }, seal] = await Promise.all([import('./resourceFeature.ts'), options.loadSeal()]);
    return store.add(createResourceFeature({ ...options, seal }));
  });
  const fileSystem = store.add(new LazyFileSystem(async () => (await load()).files));
  store.add(
    workspace.registerFileSystemProvider(resourceScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A resource of an MCP server can only be read.'),
    }),
  );
  store.add(registerActingCommand(options, CommandIds.openResource, async (argument) => (await load()).open(argument)));
  store.add(registerActingCommand(options, CommandIds.saveResource, async (argument) => (await load()).save(argument)));
  store.add(
    registerActingCommand(options, CommandIds.askModelAboutResource, async (argument) =>
      (await load()).askModel(argument),
    ),
  );
  return store;
}
