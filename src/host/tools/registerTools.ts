import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { ToolFeatureOptions } from './toolFeature.ts';

/** Commands about tools, and their tabs. */
export interface RegisteredTools extends Disposable {
  /** The result in the active tab of a tool, whole. */
  readonly active: WholeValue | undefined;
}

/** *Open Tool…*, *Call Tool…* and their kin, and the custom editor of the scheme `patchbay-tool`. */
export function registerTools(options: ToolFeatureOptions): RegisteredTools {
  const store = new DisposableStore();
  let active = (): WholeValue | undefined => undefined;
  const load = memoizeAsync(async () => {
    const feature = store.add((await import('./toolFeature.ts')).createToolFeature(options));
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
  store.add(registerCommand(options, CommandIds.callTool, async (argument) => (await load()).call(argument)));
  store.add(registerCommand(options, CommandIds.openTool, async (argument) => (await load()).open(argument, false)));
  store.add(
    registerCommand(options, CommandIds.openAnotherTool, async (argument) => (await load()).open(argument, true)),
  );
  return Object.assign(store, {
    get active() {
      return active();
    },
  });
}
