import { homedir } from 'node:os';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ImportPlace } from '../../config/importCandidates.ts';
import { type ConfigurationCommandsOptions, registerConfigurationCommands } from './configurationCommands.ts';
import type { LanguageFeaturesOptions } from './languageFeatures.ts';

export type ConfigurationFeaturesOptions = Omit<ConfigurationCommandsOptions, 'place'> &
  LanguageFeaturesOptions & {
    /** Settled when the configuration was read once: what is said about its text can wait that long. */
    readonly ready: Promise<void>;
  };

/** Everything that helps writing configuration: problems with fixes, code lenses, and the commands that add servers. */
export function registerConfigurationFeatures(options: ConfigurationFeaturesOptions): Disposable {
  const store = new DisposableStore();
  void options.ready.then(async () => {
    const { createLanguageFeatures } = await import('./languageFeatures.ts');
    store.add(createLanguageFeatures(options));
  });
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
