import type { Clock } from '../../base/clock.ts';
import { ensureRunning } from '../invocation/ensureRunning.ts';
import { createResourceStore, type LoadedResource } from '../resources/resourceStore.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** A file of a skill of a server, each by its label or URI. */
export interface SkillFileTarget {
  readonly server: string;
  readonly skill: string;
  readonly file: string;
}

/** Keeps what was read and verified for as long as one look at it takes. */
export interface SkillStore {
  /** @throws {PatchbayError} `notVerified`; what reading throws */
  load(target: SkillFileTarget, signal?: AbortSignal): Promise<LoadedResource>;
}

export function createSkillStore(registry: ServerRegistry, clock: Clock): SkillStore {
  const store = createResourceStore({
    clock,
    async read(label, key, signal) {
      const [skill, file] = JSON.parse(key) as [skill: string, file: string];
      const server = await ensureRunning(registry, label, 'skills', signal);
      const { contents } = await server.readSkillFile(skill, file, signal && { signal });
      return { contents: [contents] };
    },
  });
  return { load: ({ server, skill, file }, signal) => store.load(server, JSON.stringify([skill, file]), signal) };
}
