import type { Uri } from 'vscode';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { KnownSecret } from '../../secrets/knownValues.ts';
import type { SecretCollector, SecretSources } from './knownSecrets.ts';

/**
 * The secrets of this window: the one list for all that is shown, kept and sent. What collects and finds them is loaded with the
 * first of them.
 */
export interface WindowSecrets extends SecretSources {
  readonly collector: () => Promise<SecretCollector>;
  /** What is known now; nothing before {@link collector} is loaded. */
  readonly current: () => readonly KnownSecret[];
}

/** @param folders the workspace folders. @param pause lets other work run, and resolves soon */
export function createWindowSecrets(folders: () => readonly Uri[], pause: () => Promise<void>): WindowSecrets {
  const sources: SecretSources = { plans: new Map(), tokens: new Map(), modelKeys: new Map() };
  let loaded: SecretCollector | undefined;
  const collector = memoizeAsync(async () => {
    const { createSecretCollector } = await import('./knownSecrets.ts');
    return (loaded = createSecretCollector(sources, folders, pause));
  });
  return { ...sources, collector, current: () => loaded?.current() ?? [] };
}
