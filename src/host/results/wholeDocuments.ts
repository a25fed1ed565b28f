import { randomUUID } from 'node:crypto';
import {
  EventEmitter,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type FileStat,
  MarkdownString,
  Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { ReadOnlyFileSystem, readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import { showOwnFile } from '../platform/documents.ts';
import { fileName } from '../platform/fileName.ts';
import { ownFolder } from '../platform/ownLanguages.ts';
import { wholeBytes } from './wholeBytes.ts';

const scheme = 'patchbay-whole';

/** Values kept for documents that may still be open; the oldest go first. */
const maximumDocuments = 8;

/** The whole of a value of which an editor shows a part. `title` names the tab. */
export interface WholeValue {
  readonly title: string;
  /** Shown as JSON; bytes as the file that they are, whose name is the title. */
  readonly value: unknown;
}

/** Opens whole values in a read-only editor. @param now milliseconds since the epoch */
export function createWholeDocuments(now: () => number) {
  const store = new DisposableStore();
  const files = new WholeFiles();
  store.add(
    workspace.registerFileSystemProvider(scheme, files, {
      isCaseSensitive: true,
      isReadonly: new MarkdownString('What a server gave can only be read.'),
    }),
  );
  return {
    async open({ title, value }: WholeValue): Promise<void> {
      // An address that can be guessed is one that others can write.
      const uri = Uri.from({ scheme, path: `${ownFolder}/${randomUUID()}/${nameOf(title, value)}` });
      files.add(uri, { value, openedAt: now() });
      await showOwnFile(uri);
    },
    dispose: (): void => store.dispose(),
  };
}

function nameOf(title: string, value: unknown): string {
  return value instanceof Uint8Array ? fileName(title) : fileName(title, 'application/json');
}

interface WholeFile {
  readonly value: unknown;
  readonly openedAt: number;
  bytes?: Promise<Uint8Array>;
}

class WholeFiles extends ReadOnlyFileSystem implements FileSystemProvider {
  readonly onDidChangeFile = new EventEmitter<never>().event;
  readonly #files = new Map<string, WholeFile>();

  add(uri: Uri, file: WholeFile): void {
    this.#files.set(uri.path, file);
    for (const oldest of this.#files.keys()) if (this.#files.size > maximumDocuments) this.#files.delete(oldest);
  }

  /** Nothing here changes. */
  watch(): Disposable {
    return toDisposable(() => {});
  }

  async stat(uri: Uri): Promise<FileStat> {
    const file = this.#find(uri);
    return readOnlyStat(FileType.File, file.openedAt, (await this.readFile(uri)).length);
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    const file = this.#find(uri);
    file.bytes ??= file.value instanceof Uint8Array ? Promise.resolve(file.value) : wholeBytes(file.value);
    return file.bytes;
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  #find(uri: Uri): WholeFile {
    const file = this.#files.get(uri.path);
    if (file === undefined) throw FileSystemError.FileNotFound(uri);
    return file;
  }
}
