import { homedir } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ImportPlace } from '../../config/importCandidates.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import { registerCodeLenses } from './codeLenses.ts';
import { type ConfigurationCommandsOptions, registerConfigurationCommands } from './configurationCommands.ts';
import type { ConfigurationService } from './configurationService.ts';
import { createDiagnostics } from './diagnostics.ts';
import { registerQuickFixes } from './quickFixes.ts';

export interface ConfigurationFeaturesOptions extends Omit<ConfigurationCommandsOptions, 'place'> {
  readonly configuration: ConfigurationService;
  readonly registry: ServerRegistry;
  readonly clock: Clock;
}

/** Everything that helps writing configuration: problems with fixes, code lenses, and the commands that add servers. */
export function registerConfigurationFeatures(options: ConfigurationFeaturesOptions): Disposable {
  const { configuration, registry, clock } = options;
  const store = new DisposableStore();
  store.add(createDiagnostics(configuration, clock));
  store.add(registerQuickFixes());
  store.add(registerCodeLenses(registry, clock));
  store.add(registerConfigurationCommands({ ...options, place: importPlace() }));
  return store;
}

/** Where this machine's user keeps the settings of other clients. */
function importPlace(): ImportPlace {
  const { platform, env } = process;
  return {
    platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    userHome: homedir(),
    environment: env,
  };
}
