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
import { DisposableStore } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { applyTextEdits } from '../../config/editConfiguration.ts';
import { showPersonsFile } from '../platform/documents.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import type { SavedCallFile, SavedCallFiles } from './savedCallStore.ts';
import { savedCallLimits } from './savedCallText.ts';

const path = '.vscode/mcp-calls.json';

/** The file, and its folder, because deleting a folder deletes its file. */
const watchedPattern = '{.vscode,.vscode/mcp-calls.json}';

/** The files of the workspace folders that are open. */
export function createSavedCallFiles(): SavedCallFiles {
  return {
    files: () =>
      (workspace.workspaceFolders ?? []).map(({ name, uri }) =>
        createFile({ name, path: uri.fsPath }, Uri.joinPath(uri, path)),
      ),
    watch(onChange) {
      const store = new DisposableStore();
      const watchers = store.add(new DisposableStore());
      const watchFolders = (): void => {
        watchers.clear();
        for (const folder of workspace.workspaceFolders ?? []) {
          const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, watchedPattern)));
          watchers.add(watcher.onDidChange(onChange));
          watchers.add(watcher.onDidCreate(onChange));
          watchers.add(watcher.onDidDelete(onChange));
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
}

function createFile(folder: SavedCallFile['folder'], uri: Uri): SavedCallFile {
  return {
    folder,
    async read() {
      await refuseLinks(uri);
      return readTextFile(uri, savedCallLimits.bytes);
    },
    async edit(change) {
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
    show: (isIn) => showPersonsFile(uri, isIn),
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
