import { RelativePattern, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TextRange } from '../../config/configuredServer.ts';
import { applyTextEdits } from '../../config/editConfiguration.ts';
import type { TextEdit } from '../../config/memberEdits.ts';
import { changeFile, refuseLinks } from '../platform/changeFile.ts';
import { showPersonsFile } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import type { FolderPath } from '../../workshop/savedCalls/savedCallArguments.ts';
import { savedCallLimits } from '../../workshop/savedCalls/savedCallText.ts';

const path = '.vscode/mcp-calls.json';

/** The file, and its folder, because deleting a folder deletes its file. */
const watchedPattern = '{.vscode,.vscode/mcp-calls.json}';

export const savedCallFiles = {
  files: (): readonly SavedCallFile[] =>
    (workspace.workspaceFolders ?? []).map(({ name, uri }) =>
      createFile({ name, path: uri.fsPath }, Uri.joinPath(uri, path)),
    ),
  /** Calls `onChange` for each change of a file on disk, and when folders come or go. */
  watch(onChange: () => void): Disposable {
    const store = new DisposableStore();
    const watchers = store.add(new DisposableStore());
    const watchFolders = (): void => {
      watchers.clear();
      for (const folder of workspace.workspaceFolders ?? []) {
        const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, watchedPattern)));
        for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
          watchers.add(event(onChange));
      }
    };
    store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        watchFolders();
        onChange();
      }),
    );
    watchFolders();
    return store;
  },
};

/** `.vscode/mcp-calls.json` of one workspace folder, which need not be there. */
export type SavedCallFile = ReturnType<typeof createFile>;

function createFile(folder: FolderPath, uri: Uri) {
  const file = { uri, title: path, maximumBytes: savedCallLimits.bytes, unlinked: path.split('/') };
  return {
    folder,
    /** Its path on this machine. */
    path: uri.fsPath,
    /** As it was last saved. @throws an error where it cannot be read, or should not be */
    async read(): Promise<string | undefined> {
      await refuseLinks(file);
      return readTextFile(uri, savedCallLimits.bytes);
    },
    /** Changes the file as it is in the editor, and saves it. @param change gets '' where there is no file */
    async edit(change: (text: string) => readonly TextEdit[]): Promise<void> {
      await changeFile(file, (text) => applyTextEdits(text, change(text)));
    },
    show: (isIn: (text: string) => TextRange | undefined): Promise<void> => showPersonsFile(uri, isIn),
  };
}
