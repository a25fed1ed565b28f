import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { ConfigurationService } from './configurationService.ts';
import type { LaunchReview } from './launchTrust.ts';
import type { TrustService } from './trust.ts';

/** @returns `undefined` where a start asks nothing about the definition. Asks and starts nothing itself */
export type ReviewLaunch = (server: ConfiguredServer) => Promise<LaunchReview | undefined>;

/** Looks at what the start of a server would ask about: see `createLaunchPreparation`. */
export function createLaunchReview(
  configuration: Pick<ConfigurationService, 'resolve'>,
  trust: Pick<TrustService, 'checkWorkspace' | 'load'>,
): ReviewLaunch {
  return async (server) => {
    trust.checkWorkspace(server);
    const { signal } = new AbortController();
    const written = await configuration.resolve(server, undefined, signal);
    return (await trust.load()).review(server, written, signal);
  };
}
