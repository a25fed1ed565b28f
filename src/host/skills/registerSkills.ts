import { MarkdownString, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import type { SkillOpenerOptions } from './skillFeature.ts';
import { skillScheme } from '../platform/uriSchemes.ts';

export interface SkillsOptions extends Omit<SkillOpenerOptions, 'store'> {
  readonly logger: Logger;
}

/** *Open Skill…* and the file system of the documents it opens. */
export function registerSkills({ registry, storage, clock, logger }: SkillsOptions): Disposable {
  const disposables = new DisposableStore();
  const load = memoizeAsync(async () =>
    (await import('./skillFeature.ts')).createSkillFeature({ registry, storage, clock }),
  );
  const fileSystem = disposables.add(new LazyFileSystem(async () => (await load()).folders));
  disposables.add(
    workspace.registerFileSystemProvider(skillScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A skill of an MCP server can only be read. It was written by a stranger.'),
    }),
  );
  disposables.add(registerCommand({ logger }, CommandIds.openSkill, async (argument) => (await load()).open(argument)));
  return disposables;
}
