import { window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { LazyFileSystem } from '../platform/readOnlyFileSystem.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import { toolScheme } from '../platform/uriSchemes.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { ToolFeature } from './toolFeature.ts';
import type { RegisterToolsOptions } from './toolPorts.ts';

export interface RegisteredTools extends Disposable {
  readonly active: WholeValue | undefined;
  /** What the traffic needs of the tabs of tools and of the history. */
  readonly calls: () => Promise<Pick<ToolFeature, 'callAgain' | 'showCall'>>;
}

const ids = [
  CommandIds.callTool,
  CommandIds.openTool,
  CommandIds.openAnotherTool,
  CommandIds.openSavedCall,
  CommandIds.showSavedCall,
  CommandIds.deleteSavedCall,
  CommandIds.saveCall,
  CommandIds.showExchange,
  CommandIds.forgetCallHistory,
  CommandIds.showCallHistory,
] as const;

/** *Open Tool*, *Call MCP Tool…* and their kin, and the custom editor of the scheme `patchbay-tool`. */
export function registerTools(options: RegisterToolsOptions): RegisteredTools {
  const store = new DisposableStore();
  let loaded: ToolFeature | undefined;
  const load = memoizeAsync(async () => {
    const { createToolFeature } = await import('./toolFeature.ts');
    return (loaded = store.add(await createToolFeature(options)));
  });
  store.add(
    workspace.registerFileSystemProvider(toolScheme, new LazyFileSystem(async () => (await load()).files), {
      isCaseSensitive: true,
    }),
  );
  store.add(
    window.registerCustomEditorProvider(
      'patchbay.tool',
      { resolveCustomTextEditor: async (document, panel) => (await load()).editors.resolve(document, panel) },
      {
        webviewOptions: { enableFindWidget: true, retainContextWhenHidden: true },
        supportsMultipleEditorsPerDocument: true,
      },
    ),
  );
  store.add(registerCommands(options, ids, async () => (await load()).commands));
  return {
    get active() {
      return loaded?.editors.active;
    },
    calls: load,
    dispose: () => store.dispose(),
  };
}
