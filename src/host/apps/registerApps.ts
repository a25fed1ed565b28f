import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { AppCallEnd } from '../../client/apps/appBridge.ts';
import { appUriOf } from '../../protocol/mcp/apps.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { SamplingMessage } from '../../protocol/mcp/sampling.ts';
import type { CallToolResult, Tool } from '../../protocol/mcp/tools.ts';
import type { AppTarget } from '../../shared/appMessages.ts';
import { CommandIds } from '../commandIds.ts';
import { type ActingCommandContext, registerActingCommand, registerCommand } from '../platform/registerCommand.ts';
import { isSwitchedOn } from '../platform/settings.ts';
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

/** *Open App*, *App Actions…*, and the tabs that were open before the window was reloaded. */
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

interface PresentedCall extends Pick<AppTarget, 'server' | 'occurrence'> {
  /** Who the server was: an app of another one under the label is not shown with this call. */
  readonly identity: string;
  readonly tool: Tool;
  readonly args: JsonObject;
}

/** The apps of tools, for what calls tools. */
export class AppPresenter {
  readonly #load: () => Promise<AppFeature>;

  /** @param load loads the code of apps, with the first one */
  constructor(load: () => Promise<AppFeature>) {
    this.#load = load;
  }

  /** Shows the app of a tool beside, while its call is on its way. @returns what is told its end, and its id in the history */
  begin(call: PresentedCall): ((end: AppCallEnd, kept: Promise<string | undefined>) => void) | undefined {
    const { identity, tool, args } = call;
    if (!this.canShow(tool) || !isSwitchedOn('apps.openWithCall')) return undefined;
    const target = targetOf(call);
    const shown = this.#load().then((apps) => {
      apps.show(target, toolDisplayName(tool), { identity, args });
      return apps;
    });
    return (end, kept) => void shown.then((apps) => apps.endCall(target, { identity, args, end }, kept));
  }

  canShow(tool: Tool): boolean {
    return isSwitchedOn('apps.enabled') && appUriOf(tool) !== undefined;
  }

  async show(call: PresentedCall, result: CallToolResult, kept: Promise<string | undefined>): Promise<void> {
    const { identity, tool, args } = call;
    const shown = { identity, args, end: { kind: 'result', result } } as const;
    (await this.#load()).show(targetOf(call), toolDisplayName(tool), shown, kept);
  }
}

function targetOf({ server, occurrence, tool }: PresentedCall): AppTarget {
  return { server, tool: tool.name, occurrence };
}
