import { type ExtensionContext, type WebviewPanel, window } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups, CommandIds } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { RegisteredTools } from '../tools/registerTools.ts';
import type { RegisterToolsOptions } from '../tools/toolPorts.ts';
import type { Core } from './composeCore.ts';

/** What those need who build a server. Nothing of it is loaded before it is used. */
export function registerWorkshop(
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
    const shared = { extensionUri, registry, knownSecrets, clock, logger, logs, log, creator };
    return store.add(
      new TrafficFeature({
        ...shared,
        callAgain: async (...call) => (await calls()).callAgain(...call),
        showCall: async (...call) => (await calls()).showCall(...call),
      }),
    );
  });
  const deserializeWebviewPanel = async (panel: WebviewPanel): Promise<void> => (await traffic()).restore(panel);
  store.add(window.registerWebviewPanelSerializer('patchbay.traffic', { deserializeWebviewPanel }));
  const commands = memoizeAsync(async () => {
    const feature = await traffic();
    return { [CommandIds.showTraffic]: (argument: unknown) => feature.show(argument) };
  });
  store.add(registerCommands(core, commandGroups.workshop, commands));
  return { showTraffic: async (call, at) => (await traffic()).showCall(call, at) };
}
