import {
  type Event,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  FileType,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText } from '../platform/displayText.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { whyUnreadable } from '../invocation/contentTarget.ts';
import type { DocumentReads } from './documentReads.ts';
import { type LoadedFiles, readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { LoadedResource, ResourcePart, ResourceStore } from './resourceStore.ts';
import { readResourceUri, type ResourceAddress } from './resourceUri.ts';
import { createResourceWatches } from './resourceWatches.ts';

export interface ResourceFilesOptions {
  readonly seal: AddressSeal;
  readonly reads: DocumentReads;
  readonly registry: ServerRegistry;
  readonly store: ResourceStore;
  readonly logger: Logger;
}

/** Resources as read-only files; one with several contents is a folder of them. */
export class ResourceFiles implements LoadedFiles, Disposable {
  readonly #options: ResourceFilesOptions;
  readonly #onDidChangeFile = new EventEmitter<FileChangeEvent[]>();
  /** The URIs under which a resource is being looked at, by server and resource. */
  readonly #watched = new Map<string, Map<string, { uri: Uri; count: number }>>();
  readonly #watches;
  readonly #reads;

  readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#onDidChangeFile.event;

  constructor(options: ResourceFilesOptions) {
    this.#options = options;
    const { registry, reads } = options;
    this.#reads = reads.onDidChangeFile((events) => this.#onDidChangeFile.fire(events));
    this.#watches = createResourceWatches({
      ...options,
      onChange: (server, uri) => this.#announce(server, uri),
      mayAsk: (server, uri) => whyUnreadable(registry.get(server)) === undefined && this.#isAddressed(server, uri),
      onDidGrantTrust: workspace.onDidGrantWorkspaceTrust,
    });
  }

  watch(uri: Uri): Disposable {
    const address = readResourceUri(this.#options.seal, uri);
    if (address === undefined) return toDisposable(() => {});
    const key = keyOf(address);
    const watched = this.#watched.get(key) ?? new Map<string, { uri: Uri; count: number }>();
    this.#watched.set(key, watched);
    const entry = watched.get(uri.toString()) ?? { uri, count: 0 };
    watched.set(uri.toString(), entry);
    entry.count += 1;
    const watch = this.#watches.watch(address.server, address.uri);
    return toDisposable(() => {
      watch.dispose();
      entry.count -= 1;
      if (entry.count === 0) watched.delete(uri.toString());
      if (watched.size === 0) this.#watched.delete(key);
    });
  }

  async stat(uri: Uri): Promise<FileStat> {
    const address = this.#addressOf(uri);
    const resource = await this.#load(uri, address);
    if (address.part === undefined && resource.parts.length > 1)
      return readOnlyStat(FileType.Directory, resource.changedAt);
    const part = findPart(uri, address, resource);
    return readOnlyStat(FileType.File, resource.changedAt, part?.bytes.length);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const address = this.#addressOf(uri);
    const resource = await this.#load(uri, address);
    if (address.part === undefined && resource.parts.length > 1) throw FileSystemError.FileIsADirectory(uri);
    return findPart(uri, address, resource)?.bytes ?? new Uint8Array();
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const address = this.#addressOf(uri);
    const { parts } = await this.#load(uri, address);
    if (address.part !== undefined || parts.length < 2) throw FileSystemError.FileNotADirectory(uri);
    return parts.map(({ name }) => [name, FileType.File]);
  }

  dispose(): void {
    this.#reads.dispose();
    this.#watches.dispose();
    this.#onDidChangeFile.dispose();
  }

  #announce(server: string, uri: string): void {
    this.#options.store.invalidate(server, uri);
    const watched = this.#watched.get(keyOf({ server, uri }));
    if (watched === undefined) return;
    this.#onDidChangeFile.fire(
      [...watched.values()].map((entry) => ({ type: FileChangeType.Changed, uri: entry.uri })),
    );
  }

  /** False once the label stands for another definition: what was watched is nothing to it. */
  #isAddressed(server: string, uri: string): boolean {
    const watched = this.#watched.get(keyOf({ server, uri }));
    return [...(watched?.values() ?? [])].some((entry) => readResourceUri(this.#options.seal, entry.uri) !== undefined);
  }

  #addressOf(uri: Uri): ResourceAddress {
    const address = readResourceUri(this.#options.seal, uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    return address;
  }

  async #load(uri: Uri, address: ResourceAddress): Promise<LoadedResource> {
    const { store, reads } = this.#options;
    try {
      return await reads.read(
        uri,
        address.server,
        () => store.load(address.server, address.uri),
        () => store.last(address.server, address.uri),
      );
    } catch (error) {
      if (isResourceNotFound(error)) throw FileSystemError.FileNotFound(uri);
      throw FileSystemError.Unavailable(
        isCancellation(error) ? 'Reading was cancelled.' : notificationText(describeError(error).message, 1_000),
      );
    }
  }
}

/** @returns `undefined` for a resource without any contents: an empty file */
function findPart(
  uri: Uri,
  { part: name }: { readonly part: string | undefined },
  { parts }: LoadedResource,
): ResourcePart | undefined {
  if (name === undefined) return parts[0];
  const part = parts.find((candidate) => candidate.name === name);
  if (part === undefined) throw FileSystemError.FileNotFound(uri);
  return part;
}

function keyOf({ server, uri }: { readonly server: string; readonly uri: string }): string {
  return JSON.stringify([server, uri]);
}

/**
 * True for the answers to `resources/read` that mean "there is no such resource": -32002 in all revisions up to
 * 2025-11-25, -32602 since, and what servers written from drafts and articles say instead.
 */
export function isResourceNotFound(error: unknown): boolean {
  if (!(error instanceof JsonRpcError)) return false;
  if (error.code === ErrorCodes.resourceNotFound) return true;
  if (error.code !== -32001 && error.code !== ErrorCodes.invalidParams) return false;
  return (isRecord(error.data) && 'uri' in error.data) || /not found|unknown resource/i.test(error.message);
}
