import { type ExtensionContext, type WebviewPanel, window } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups } from '../commandIds.ts';
import { createRestartApprovals } from '../servers/restartChoices.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { RegisterToolsOptions } from '../tools/toolPorts.ts';
import type { Core } from './composeCore.ts';
import type { composeWorkshop, WorkshopParts } from './composeWorkshop.ts';

/** What those use who build a server: its commands, and the rest after the start of the window. */
export function registerWorkshop(
  context: ExtensionContext,
  core: Core,
  parts: WorkshopParts,
  ready: Promise<void>,
  store: DisposableStore,
) {
  let loaded: ReturnType<typeof composeWorkshop> | undefined;
  const workshop = memoizeAsync(async () => {
    const { composeWorkshop: compose } = await import('./composeWorkshop.ts');
    return (loaded = compose(context, core, parts, store));
  });
  const traffic = async () => (await workshop()).traffic();
  store.add(registerCommands(core, commandGroups.workshop, async () => (await workshop()).commands));
  const deserializeWebviewPanel = async (panel: WebviewPanel): Promise<void> => (await traffic()).restore(panel);
  store.add(window.registerWebviewPanelSerializer('patchbay.traffic', { deserializeWebviewPanel }));
  void ready.then(async () => (await workshop()).follow());
  const showTraffic: RegisterToolsOptions['showTraffic'] = async (sent) => (await traffic()).showCall(sent);
  const development = async () => (await workshop()).development();
  return {
    showTraffic,
    showSavedCallTests: async () => (await workshop()).savedCallTests(),
    restarts: createRestartApprovals(core.registry, core.restartChoices, development),
    /** What the page in front shows. */
    active: (): WholeValue | undefined => loaded?.active(),
  };
}
