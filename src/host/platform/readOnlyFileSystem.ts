import {
  type Event,
  EventEmitter,
  type FileChangeEvent,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  MarkdownString,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';

/** @param changedAt milliseconds since the epoch */
export function readOnlyStat(type: FileType, changedAt: number, size = 0): FileStat {
  return { type, ctime: changedAt, mtime: changedAt, size, permissions: FilePermission.Readonly };
}

/** Files; each method fails with a `FileSystemError`. */
export interface LoadedFiles {
  stat(uri: Uri): FileStat | Promise<FileStat>;
  readFile(uri: Uri): Uint8Array | Promise<Uint8Array>;
  readDirectory(uri: Uri): [string, FileType][] | Promise<[string, FileType][]>;
  writeFile?(uri: Uri, content: Uint8Array): Promise<void>;
  watch?(uri: Uri): Disposable;
  readonly onDidChangeFile?: Event<FileChangeEvent[]>;
}

/** Registers files that are loaded when one is first read. @param why they are read-only, for the person */
export function registerReadOnlyFiles(scheme: string, load: () => Promise<LoadedFiles>, why: string): Disposable {
  const store = new DisposableStore();
  const files = store.add(new LazyFileSystem(load));
  const options = { isCaseSensitive: true, isReadonly: new MarkdownString(why) };
  store.add(workspace.registerFileSystemProvider(scheme, files, options));
  return store;
}

/** A file system whose files are loaded when one is first read; read-only unless they can be written. */
export class LazyFileSystem implements FileSystemProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChangeFile = this.#store.add(new EventEmitter<FileChangeEvent[]>());
  readonly #files: () => Promise<LoadedFiles>;

  readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#onDidChangeFile.event;

  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  constructor(load: () => Promise<LoadedFiles>) {
    this.#files = memoizeAsync(async () => {
      const files = await load();
      const subscription = files.onDidChangeFile?.((events) => this.#onDidChangeFile.fire(events));
      if (subscription !== undefined) this.#store.add(subscription);
      return files;
    });
  }

  watch(uri: Uri): Disposable {
    const watched = new DisposableStore();
    const begin = async (): Promise<void> => {
      const watch = (await this.#files()).watch?.(uri);
      if (watch !== undefined) watched.add(watch);
    };
    // Looking at the file itself tells what went wrong.
    begin().catch(() => {});
    return watched;
  }

  async stat(uri: Uri): Promise<FileStat> {
    return (await this.#files()).stat(uri);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#files()).readFile(uri);
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return (await this.#files()).readDirectory(uri);
  }

  async writeFile(uri: Uri, content?: Uint8Array): Promise<void> {
    const files = await this.#files();
    if (files.writeFile === undefined || content === undefined) refuse(uri);
    await files.writeFile(uri, content);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
