import { type ExtensionContext, type WebviewPanel, window } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups, CommandIds } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { RegisteredTools } from '../tools/registerTools.ts';
import type { RegisterToolsOptions } from '../tools/toolPorts.ts';
import type { Core } from './composeCore.ts';

// What those use who build a server. The code of each feature is loaded with its first use.

export function registerTraffic(
  { extensionUri }: ExtensionContext,
  core: Core,
  calls: RegisteredTools['calls'],
  store: DisposableStore,
): { readonly showTraffic: RegisterToolsOptions['showTraffic'] } {
  const traffic = memoizeAsync(async () => {
    const [{ TrafficFeature }, log] = await Promise.all([
      import('../traffic/trafficFeature.ts'),
      core.traffic.log(),
      // What is shown is searched for all secrets of the window.
      core.knownSecrets.collector(),
    ]);
    const { registry, knownSecrets, clock, logger, logs, clientInfo: creator } = core;
    return store.add(
      new TrafficFeature({
        ...{ extensionUri, registry, knownSecrets, clock, logger, log, creator },
        callAgain: async (...call) => (await calls()).callAgain(...call),
        showCall: async (...call) => (await calls()).showCall(...call),
        logs,
      }),
    );
  });
  const deserializeWebviewPanel = async (panel: WebviewPanel): Promise<void> => (await traffic()).restore(panel);
  store.add(window.registerWebviewPanelSerializer('patchbay.traffic', { deserializeWebviewPanel }));
  const commands = memoizeAsync(async () => {
    const feature = await traffic();
    return { [CommandIds.showTraffic]: (argument: unknown) => feature.show(argument) };
  });
  store.add(registerCommands(core, commandGroups.traffic, commands));
  return { showTraffic: async (call, at) => (await traffic()).showCall(call, at) };
}

/** @returns what restarts servers on save, loaded with the first server that runs or fails */
export function registerDevelopment(core: Core, store: DisposableStore) {
  const { registry, configuration, trust, log, clock } = core;
  const development = memoizeAsync(async () => {
    const { Development } = await import('../development/developServers.ts');
    const [states, choices] = [core.development, core.restartChoices];
    return store.add(new Development({ registry, configuration, trust, states, choices, log, clock }));
  });
  store.add(
    registry.onDidChangeState(({ state: { kind } }) => {
      if (kind === 'running' || kind === 'failed') void development();
    }),
  );
  const developing = memoizeAsync(async () => {
    const { createDevelopmentCommands } = await import('../development/developmentCommands.ts');
    return createDevelopmentCommands(registry, await development());
  });
  store.add(registerCommands(core, commandGroups.development, developing));
  return development;
}
