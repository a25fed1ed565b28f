import type { ConfiguredServer } from '../../config/configuredServer.ts';
import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { Attendance } from '../attendance.ts';
import type { ConfigurationService } from './configurationService.ts';
import type { TrustService } from './trust.ts';

/** Makes a definition ready to run: Workspace Trust, then variables and inputs, then the question about what will run. */
export function createLaunchPreparation(
  configuration: Pick<ConfigurationService, 'resolve'>,
  trust: Pick<TrustService, 'checkWorkspace' | 'confirm'>,
): (server: ConfiguredServer, whoWaits: () => Attendance, signal: AbortSignal) => Promise<LaunchPlan> {
  return async (server, whoWaits, signal) => {
    trust.checkWorkspace(server);
    const launch = await configuration.resolve(server, whoWaits, signal);
    return trust.confirm(server, launch, whoWaits, signal);
  };
}
