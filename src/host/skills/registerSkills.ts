import { MarkdownString, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import type { Storage } from '../input/recentItems.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { SkillFileSystem } from './skillFileSystem.ts';
import { createSkillStore } from './skillStore.ts';
import { skillScheme } from './skillUri.ts';

export interface SkillsOptions {
  readonly registry: ServerRegistry;
  /** Remembers which skills were opened. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** *Open Skill…* and the file system of the documents it opens. */
export function registerSkills({ registry, storage, clock, logger }: SkillsOptions): Disposable {
  const disposables = new DisposableStore();
  const store = createSkillStore(registry, clock);
  const fileSystem = disposables.add(new SkillFileSystem(registry, store));
  disposables.add(
    workspace.registerFileSystemProvider(skillScheme, fileSystem, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('A skill of an MCP server can only be read. It was written by a stranger.'),
    }),
  );
  const load = lazy(async () => {
    const { createSkillOpener } = await import('./skillOpener.ts');
    return createSkillOpener({ registry, store, storage, clock });
  });
  disposables.add(registerCommand({ logger }, CommandIds.openSkill, async (argument) => (await load())(argument)));
  return disposables;
}
