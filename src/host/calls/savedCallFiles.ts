import {
  FileSystemError,
  FileType,
  Range,
  RelativePattern,
  Uri,
  workspace,
  WorkspaceEdit,
  type TextDocument,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import type { TextRange } from '../../config/configuredServer.ts';
import { applyTextEdits } from '../../config/editConfiguration.ts';
import type { TextEdit } from '../../config/memberEdits.ts';
import { showPersonsFile } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import type { FolderPath } from './savedCallArguments.ts';
import { savedCallLimits } from './savedCallText.ts';

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
  return {
    folder,
    /** As it was last saved. @throws an error where it cannot be read, or should not be */
    async read(): Promise<string | undefined> {
      await refuseLinks(uri);
      return readTextFile(uri, savedCallLimits.bytes);
    },
    /** Changes the file as it is in the editor, and saves it. @param change gets '' where there is no file */
    async edit(change: (text: string) => readonly TextEdit[]): Promise<void> {
      await refuseLinks(uri);
      const document = openDocument(uri);
      const text = document?.getText() ?? (await readTextFile(uri, savedCallLimits.bytes)) ?? '';
      const edits = change(text);
      if (edits.length === 0) return;
      if (document === undefined) {
        await workspace.fs.createDirectory(Uri.joinPath(uri, '..'));
        await workspace.fs.writeFile(uri, new TextEncoder().encode(applyTextEdits(text, edits)));
        return;
      }
      const edit = new WorkspaceEdit();
      for (const { offset, length, text: replacement } of edits) {
        const range = new Range(document.positionAt(offset), document.positionAt(offset + length));
        edit.replace(uri, range, replacement);
      }
      if ((await workspace.applyEdit(edit)) && (await document.save())) return;
      throw new PatchbayError(
        'configuration',
        `${path} could not be saved. Look at it in the editor and save it there.`,
      );
    },
    show: (isIn: (text: string) => TextRange | undefined): Promise<void> => showPersonsFile(uri, isIn),
  };
}

function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((open) => open.uri.toString() === uri.toString() && !open.isClosed);
}

/** A folder that somebody else made may have a link there that leads out of it: it would be read, or worse, written. */
async function refuseLinks(uri: Uri): Promise<void> {
  for (const place of [Uri.joinPath(uri, '..'), uri]) {
    const type = await typeOf(place);
    if (type !== undefined && (type & FileType.SymbolicLink) !== 0)
      throw new PatchbayError('configuration', `${path} is a link to another place. It is not used.`);
  }
}

async function typeOf(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory'))
      return undefined;
    throw error;
  }
}
