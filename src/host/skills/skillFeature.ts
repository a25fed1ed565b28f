import { createSkillOpener, type SkillOpenerOptions } from './skillOpener.ts';
import { SkillFolders } from './skillFolders.ts';
import { createSkillStore } from './skillStore.ts';

/** What is loaded when a skill is first looked at. */
export interface SkillFeature {
  readonly folders: SkillFolders;
  readonly open: (argument?: unknown) => Promise<void>;
}

export function createSkillFeature(options: Omit<SkillOpenerOptions, 'store'>): SkillFeature {
  const { registry, clock } = options;
  const store = createSkillStore(registry, clock);
  return { folders: new SkillFolders(registry, store), open: createSkillOpener({ ...options, store }) };
}
