import { workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { type ConfiguredServer, isPersonal } from '../../config/configuredServer.ts';
import type { ConfigurationService } from './configurationService.ts';
import type { TrustOptions } from './launchTrust.ts';
import type { RequestedBy } from './requester.ts';

export type TrustService = ReturnType<typeof createTrustService>;

/** Decides whether a definition may run: by Workspace Trust, by what the person trusted before, or by asking. */
export function createTrustService(options: TrustOptions) {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => {
    const { LaunchTrust } = await import('./launchTrust.ts');
    return store.add(new LaunchTrust(options));
  });
  return {
    /** The records and the question. Loaded with the first start. */
    load,
    /**
     * Refuses servers of an untrusted workspace, before it asks or reads anything for them.
     * @throws {PatchbayError} `needsTrust`
     */
    checkWorkspace({ label, source }: ConfiguredServer): void {
      if (workspace.isTrusted || isPersonal(source)) return;
      const message = `Server "${label}" was not started, because this workspace is in Restricted Mode. Choose Manage Workspace Trust to trust it, then start the server.`;
      throw new PatchbayError('needsTrust', message);
    },
    /** Whether the workspace files that the server runs may change without a question. */
    filesMayChange: async (server: ConfiguredServer) => (await load()).filesMayChange(server),
    dispose: () => store.dispose(),
  };
}

/** @returns the launch plan of a definition that the person trusts, with the program that was inspected */
export type PrepareLaunch = (
  server: ConfiguredServer,
  requestedBy: () => RequestedBy,
  signal: AbortSignal,
) => Promise<LaunchPlan>;

/**
 * Makes a launch plan of a definition: checks Workspace Trust, confirms the launch, then asks for its inputs. No input is
 * asked for, and no command run for one, before the person has agreed to what gets it.
 */
export function createLaunchPreparation(
  configuration: Pick<ConfigurationService, 'resolve'>,
  trust: Pick<TrustService, 'checkWorkspace' | 'load'>,
): PrepareLaunch {
  return async (server, requestedBy, signal) => {
    trust.checkWorkspace(server);
    const written = await configuration.resolve(server, undefined, signal);
    // A recorded session starts no program, and sends nothing: there is nothing to agree to.
    if (written.plan.kind === 'stdio' && written.plan.replay !== undefined) return written.plan;
    const launches = await trust.load();
    const plan = await launches.confirm(server, written, { requestedBy, signal });
    if (written.view.variables.every(({ kind }) => kind !== 'input')) return plan;
    const launch = await configuration.resolve(server, requestedBy, signal);
    return launches.confirmValues(server, written, launch, { requestedBy, signal });
  };
}
