import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { registerActingCommand } from '../platform/registerCommand.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { ToolFeature, ToolFeatureOptions } from './toolFeature.ts';

/** What {@link registerTools} needs of the host. */
export type RegisterToolsOptions = Omit<ToolFeatureOptions, 'seal'> & {
  readonly loadSeal: () => Promise<AddressSeal>;
};

/** Commands about tools, and their tabs. */
export interface RegisteredTools extends Disposable {
  /** The result in the active tab of a tool, whole. */
  readonly active: WholeValue | undefined;
}

/** *Open Tool…*, *Call Tool…* and their kin, and the custom editor of the scheme `patchbay-tool`. */
export function registerTools(options: RegisterToolsOptions): RegisteredTools {
  const store = new DisposableStore();
  let active = (): WholeValue | undefined => undefined;
  const load = memoizeAsync(async () => {
    const [{ createToolFeature }, seal] = await Promise.all([import('./toolFeature.ts'), options.loadSeal()]);
    const feature = store.add(await createToolFeature({ ...options, seal }));
    active = () => feature.active;
    return feature;
  });
  store.add(
    workspace.registerFileSystemProvider(toolScheme, new LazyFileSystem(async () => (await load()).files), {
      isCaseSensitive: true,
    }),
  );
  store.add(
    window.registerCustomEditorProvider(
      'patchbay.tool',
      { resolveCustomTextEditor: async (document, panel) => (await load()).resolve(document, panel) },
      {
        webviewOptions: { enableFindWidget: true, retainContextWhenHidden: true },
        supportsMultipleEditorsPerDocument: true,
      },
    ),
  );
  const register = (id: CommandId, run: (feature: ToolFeature, argument: unknown) => unknown): void => {
    store.add(registerActingCommand(options, id, async (argument) => run(await load(), argument)));
  };
  register(CommandIds.callTool, (feature, argument) => feature.call(argument));
  register(CommandIds.openTool, (feature, argument) => feature.open(argument, false));
  register(CommandIds.openAnotherTool, (feature, argument) => feature.open(argument, true));
  register(CommandIds.openSavedCall, (feature, argument) => feature.openSaved(argument));
  register(CommandIds.showSavedCall, (feature, argument) => feature.showSaved(argument));
  register(CommandIds.deleteSavedCall, (feature, argument) => feature.deleteSaved(argument));
  register(CommandIds.saveCall, (feature) => feature.saveActive());
  register(CommandIds.forgetCallHistory, (feature) => feature.forgetHistory());
  return {
    get active() {
      return active();
    },
    dispose: () => store.dispose(),
  };
}
