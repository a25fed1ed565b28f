import {
  type Event,
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  type FileType,
  type Uri,
} from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { ReadOnlyFileSystem } from '../resources/readOnlyFileSystem.ts';
import type { SkillFolders } from './skillFolders.ts';

/** Skills as read-only files, of which nothing is loaded until somebody looks at one. */
export class SkillFileSystem extends ReadOnlyFileSystem implements FileSystemProvider, Disposable {
  readonly #load: () => Promise<SkillFolders>;
  readonly #onDidChangeFile = new EventEmitter<FileChangeEvent[]>();

  readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#onDidChangeFile.event;

  constructor(load: () => Promise<SkillFolders>) {
    super();
    this.#load = load;
  }

  /** No server says when a file of a skill changes. */
  watch(): Disposable {
    return toDisposable(() => {});
  }

  async stat(uri: Uri): Promise<FileStat> {
    return (await this.#load()).stat(uri);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#load()).readFile(uri);
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return (await this.#load()).readDirectory(uri);
  }

  dispose(): void {
    this.#onDidChangeFile.dispose();
  }
}
