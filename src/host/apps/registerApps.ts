import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SamplingMessage } from '../../protocol/mcp/sampling.ts';
import { CommandIds } from '../commandIds.ts';
import { type ActingCommandContext, registerActingCommand, registerCommand } from '../platform/registerCommand.ts';
import type { AppFeature } from './appFeature.ts';
import type { AppPorts } from './appPorts.ts';

export interface RegisteredApps extends Disposable {
  readonly load: () => Promise<AppFeature>;
  /** See {@link AppFeature.contextOf}; loads nothing. */
  contextOf(server: string): readonly SamplingMessage[];
}

/** What they need of the host, with what is loaded with the first app. */
export interface RegisterAppsOptions extends Omit<AppPorts, 'answers'>, ActingCommandContext {
  readonly answers: () => Promise<AppPorts['answers']>;
}

/** *Open App…*, *App Actions…*, and the tabs that were open before the window was reloaded. */
export function registerApps(options: RegisterAppsOptions): RegisteredApps {
  const store = new DisposableStore();
  let loaded: AppFeature | undefined;
  const load = memoizeAsync(async () => {
    const [{ createAppFeature }, answers] = await Promise.all([import('./appFeature.ts'), options.answers()]);
    return (loaded = store.add(await createAppFeature({ ...options, answers })));
  });
  store.add(registerActingCommand(options, CommandIds.openApp, async (argument) => (await load()).open(argument)));
  store.add(registerCommand(options, CommandIds.appActions, async () => (await load()).chooseAction()));
  store.add(
    window.registerWebviewPanelSerializer('patchbay.app', {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
  );
  return Object.assign(store, { load, contextOf: (server: string) => loaded?.contextOf(server) ?? [] });
}
