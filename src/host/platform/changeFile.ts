import { FileSystemError, FileType, Range, type TextDocument, Uri, workspace, WorkspaceEdit } from 'vscode';
import { messageOf, PatchbayError } from '../../base/errors.ts';
import { textDifference } from '../../base/textDifference.ts';
import { readTextFile } from './readTextFile.ts';

/** A text file of the person, which may not be there yet. */
export interface ChangedFile {
  readonly uri: Uri;
  /** What people know it by. */
  readonly title: string;
  readonly maximumBytes: number;
  /** The names of the file and of its folders, up to a folder of the workspace: none of them may be a link. */
  readonly unlinked: readonly string[];
}

/** The text as it is in the editor, else on disk: '' where there is no file. @throws where it cannot be read, or should not be */
export async function currentText(file: ChangedFile): Promise<string> {
  return (await read(file)).text;
}

/**
 * Changes a file as it is in the editor, and saves it; without an open editor on disk.
 * @param change gets the present text, returns the next one
 * @returns the text after that, as it is saved
 * @throws {PatchbayError} `configuration` where it cannot be changed; what `change` throws, and nothing is changed then
 */
export async function changeFile(file: ChangedFile, change: (text: string) => string): Promise<string> {
  const { uri, title } = file;
  const { text, document } = await read(file);
  const changed = change(text);
  if (changed === text) return text;
  if (document === undefined) {
    try {
      await workspace.fs.createDirectory(Uri.joinPath(uri, '..'));
      await workspace.fs.writeFile(uri, new TextEncoder().encode(changed));
    } catch (error) {
      throw new PatchbayError('configuration', `${title} could not be saved: ${messageOf(error)}`, { cause: error });
    }
    return changed;
  }
  const { start, end, text: inserted } = textDifference(text, changed);
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(document.positionAt(start), document.positionAt(end)), inserted);
  // Saving may format the text.
  if ((await workspace.applyEdit(edit)) && (await document.save())) return document.getText();
  throw new PatchbayError('configuration', `${title} could not be saved. Look at it in the editor and save it there.`);
}

async function read(
  file: ChangedFile,
): Promise<{ readonly text: string; readonly document: TextDocument | undefined }> {
  await refuseLinks(file);
  const { uri, title, maximumBytes } = file;
  const document = workspace.textDocuments.find((open) => open.uri.toString() === uri.toString() && !open.isClosed);
  if (document !== undefined) return { text: document.getText(), document };
  // Its bytes are written again: none may get lost.
  const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return { text: (await readTextFile(uri, maximumBytes, exact)) ?? '', document };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new PatchbayError('configuration', `${title} is not UTF-8 text. Change it in the editor.`);
  }
}

/** A folder that somebody else made may have a link there that leads out of it: it would be read, or worse, written. */
export async function refuseLinks({ uri, title, unlinked }: Omit<ChangedFile, 'maximumBytes'>): Promise<void> {
  for (const [index] of unlinked.entries()) {
    const type = await typeOf(Uri.joinPath(uri, ...unlinked.slice(index + 1).map(() => '..')));
    if (type === undefined || (type & FileType.SymbolicLink) === 0) continue;
    throw new PatchbayError('configuration', `${title} is a link to another place and was not changed.`);
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
