import { MarkdownString, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { type ActingCommandContext, registerActingCommand } from '../platform/registerCommand.ts';
import { skillScheme } from '../platform/uriSchemes.ts';
import type { SkillFeatureOptions } from './skillFeature.ts';

/** *Open Skill…* and the file system of the documents it opens. */
export function registerSkills(
  options: Omit<SkillFeatureOptions, 'seal'> & ActingCommandContext & { readonly loadSeal: () => Promise<AddressSeal> },
): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => {
    const [{ createSkillFeature }, seal] = await Promise.all([import('./skillFeature.ts'), options.loadSeal()]);
    return store.add(createSkillFeature({ ...options, seal }));
  });
  const fileSystem = store.add(new LazyFileSystem(async () => (await load()).files));
  store.add(
    workspace.registerFileSystemProvider(skillScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A skill of an MCP server can only be read. It was written by a stranger.'),
    }),
  );
  store.add(registerActingCommand(options, CommandIds.openSkill, async (argument) => (await load()).open(argument)));
  return store;
}
