import { homedir } from 'node:os';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ImportPlace } from '../../config/importServers.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ConfigurationService } from './configurationService.ts';
import { demoLabel } from './demoServer.ts';
import type { InputStore } from './inputStore.ts';
import type { LanguageFeaturesOptions } from './languageFeatures.ts';
import type { TrustService } from './trust.ts';

/** What the configuration features need. */
export type ConfigurationFeaturesOptions = Omit<ConfigurationCommandsOptions, 'place'> &
  LanguageFeaturesOptions & {
    /** Settles after the first reading of the configuration; the language features are loaded then. */
    readonly ready: Promise<void>;
  };

/** Registers the language features of configuration files, and the commands about configuration. */
export function registerConfigurationFeatures(options: ConfigurationFeaturesOptions): Disposable {
  const store = new DisposableStore();
  void options.ready.then(async () => {
    const { createLanguageFeatures } = await import('./languageFeatures.ts');
    store.add(createLanguageFeatures(options));
  });
  store.add(registerConfigurationCommands({ ...options, place: importPlace() }));
  return store;
}

/** Where other clients of this user keep their settings. */
function importPlace(): ImportPlace {
  const { platform, env } = process;
  return {
    platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    userHome: homedir(),
    environment: env,
  };
}

/** What the configuration commands need. */
export interface ConfigurationCommandsOptions {
  readonly configuration: Pick<ConfigurationService, 'refresh'>;
  readonly inputs: InputStore;
  readonly trust: Pick<TrustService, 'trustedServers' | 'forget'>;
  /** What is kept of the definitions of tools, prompts and resources. */
  readonly definitions: { reset(): Promise<void> };
  readonly place: ImportPlace;
  /** Shows a server in the sidebar. */
  readonly reveal: (label: string) => Promise<void>;
  /** Starts a server for the person, and shows its errors. */
  readonly start: (label: string) => Promise<void>;
  readonly logger: Logger;
}

/** Registers the commands that add servers, and those that forget trust and inputs. */
function registerConfigurationCommands(options: ConfigurationCommandsOptions): Disposable {
  const { inputs, reveal, place, logger } = options;
  // Loaded when asked for, as the others: most windows never do.
  const forgetCommands = () => import('./forgetCommands.ts');
  const refresh = (): Promise<void> => options.configuration.refresh();
  const store = new DisposableStore();
  store.add(
    registerCommand({ logger }, CommandIds.addServer, async () => {
      const { addServer } = await import('./addServer.ts');
      await addServer({ inputs, refresh, reveal });
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.importServers, async () => {
      const { importFromClients } = await import('./importFromClients.ts');
      await importFromClients({ inputs, place, refresh, reveal });
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.tryDemoServer, async () => {
      await (await import('./demoSetting.ts')).addDemoServer();
      await refresh();
      await reveal(demoLabel);
      await options.start(demoLabel);
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.removeDemoServer, async () => {
      await (await import('./demoSetting.ts')).removeDemoServer();
      await refresh();
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.resetTrust, async () => (await forgetCommands()).resetTrust(options)),
  );
  store.add(
    registerCommand({ logger }, CommandIds.forgetInputs, async () => (await forgetCommands()).forgetInputs(inputs)),
  );
  return store;
}
