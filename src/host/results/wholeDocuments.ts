import { randomUUID } from 'node:crypto';
import { FileSystemError, FileType, Uri, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isRecord, isString } from '../../base/json.ts';
import { writeJsonInPieces } from '../../base/jsonPreview.ts';
import { showOwnFile } from '../platform/documents.ts';
import { fileName } from '../platform/fileName.ts';
import { ownFolder } from '../platform/ownLanguages.ts';
import { readOnlyStat, registerReadOnlyFiles } from '../platform/readOnlyFileSystem.ts';

const scheme = 'patchbay-whole';

/** Values kept for documents that may still be open; the oldest go first. */
const maximumDocuments = 8;

/** The whole of a value of which an editor shows a part. `title` names the tab. */
export interface WholeValue {
  readonly title: string;
  /** Shown as JSON; bytes as the file that they are, whose name is the title. */
  readonly value: unknown;
}

/** *Open Full Content*: opens whole values in a read-only editor. @param active what the active editor shows */
export function createWholeDocuments(clock: Clock, active: () => Promise<WholeValue | undefined>) {
  const files = new Map<string, { readonly openedAt: number; readonly bytes: Promise<Uint8Array> }>();

  function find(uri: Uri) {
    const file = files.get(uri.path);
    if (file === undefined) throw FileSystemError.FileNotFound(uri);
    return file;
  }

  const provider = {
    stat: async (uri: Uri) => {
      const { openedAt, bytes } = find(uri);
      return readOnlyStat(FileType.File, openedAt, (await bytes).length);
    },
    readFile: (uri: Uri) => find(uri).bytes,
    readDirectory: () => [],
  };
  const registration = registerReadOnlyFiles(scheme, async () => provider, 'Content from servers is read-only.');
  return {
    /** @param given what to open; what the active editor shows if it names nothing */
    async open(given: unknown): Promise<void> {
      const shown = readWhole(given) ?? (await active());
      const nothing = 'Open a result or the details of a row first.';
      if (shown === undefined) return void window.showInformationMessage(nothing);
      const { title, value } = shown;
      const isFile = value instanceof Uint8Array;
      const name = isFile ? fileName(title) : fileName(title, 'application/json');
      const bytes = isFile ? Promise.resolve(value) : wholeBytes(value);
      // An address that can be guessed is one that others can write.
      const uri = Uri.from({ scheme, path: `${ownFolder}/${randomUUID()}/${name}` });
      files.set(uri.path, { openedAt: clock.now(), bytes });
      for (const oldest of files.keys()) if (files.size > maximumDocuments) files.delete(oldest);
      await showOwnFile(uri);
    },
    dispose: () => registration.dispose(),
  };
}

/** A value of any size as the bytes of a JSON file. Rests between the pieces, so that the editor goes on however long it takes. */
export async function wholeBytes(value: unknown): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (const piece of writeJsonInPieces(value)) {
    pieces.push(Buffer.from(piece, 'utf8'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Buffer.concat([...pieces, Buffer.from('\n')]);
}

function readWhole(given: unknown): WholeValue | undefined {
  const { title, value } = isRecord(given) ? given : {};
  return isString(title) && value !== undefined ? { title, value } : undefined;
}
