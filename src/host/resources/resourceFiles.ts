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
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { whyUnreadable } from '../invocation/contentTarget.ts';
import type { DocumentReads } from './documentReads.ts';
import { type LoadedFiles, readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { LoadedResource, ResourcePart, ResourceStore } from './resourceStore.ts';
import { readResourceUri, type ResourceAddress } from './resourceUri.ts';
import { ResourceWatches } from './resourceWatches.ts';

/** Resources as read-only files; one with several contents is a folder of them. */
export class ResourceFiles implements LoadedFiles, Disposable {
  readonly #seal: AddressSeal;
  readonly #store: ResourceStore;
  readonly #reads: DocumentReads;
  readonly #onDidChangeFile = new EventEmitter<FileChangeEvent[]>();
  readonly #watches: ResourceWatches;
  readonly #subscription;

  readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#onDidChangeFile.event;

  constructor(seal: AddressSeal, registry: ServerRegistry, store: ResourceStore, reads: DocumentReads, logger: Logger) {
    this.#seal = seal;
    this.#store = store;
    this.#reads = reads;
    this.#subscription = reads.onDidChangeFile((events) => this.#onDidChangeFile.fire(events));
    this.#watches = new ResourceWatches({
      registry,
      logger,
      onChange: (server, uri) => this.#announce(server, uri),
      mayAsk: (server, uri) => whyUnreadable(registry.get(server)) === undefined && this.#isAddressed(server, uri),
      onDidGrantTrust: workspace.onDidGrantWorkspaceTrust,
    });
  }

  watch(uri: Uri): Disposable {
    const address = readResourceUri(this.#seal, uri);
    return address === undefined ? toDisposable(() => {}) : this.#watches.watch(address.server, address.uri, uri);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { address, resource } = await this.#load(uri);
    if (address.part === undefined && resource.parts.length > 1)
      return readOnlyStat(FileType.Directory, resource.changedAt);
    const part = findPart(uri, address, resource);
    return readOnlyStat(FileType.File, resource.changedAt, part?.bytes.length);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { address, resource } = await this.#load(uri);
    if (address.part === undefined && resource.parts.length > 1) throw FileSystemError.FileIsADirectory(uri);
    return findPart(uri, address, resource)?.bytes ?? new Uint8Array();
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const { address, resource } = await this.#load(uri);
    if (address.part !== undefined || resource.parts.length < 2) throw FileSystemError.FileNotADirectory(uri);
    return resource.parts.map(({ name }) => [name, FileType.File]);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#watches.dispose();
    this.#onDidChangeFile.dispose();
  }

  #announce(server: string, uri: string): void {
    this.#store.invalidate(server, uri);
    const documents = new Map(this.#watches.documentsOf(server, uri).map((each) => [each.toString(), each]));
    const changes = [...documents.values()].map((each) => ({ type: FileChangeType.Changed, uri: each }));
    if (changes.length > 0) this.#onDidChangeFile.fire(changes);
  }

  /** False once the label stands for another definition: what was watched is nothing to it. */
  #isAddressed(server: string, uri: string): boolean {
    return this.#watches.documentsOf(server, uri).some((each) => readResourceUri(this.#seal, each) !== undefined);
  }

  async #load(uri: Uri): Promise<{ readonly address: ResourceAddress; readonly resource: LoadedResource }> {
    const address = readResourceUri(this.#seal, uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    const load = (): Promise<LoadedResource> =>
      this.#store.load(address.server, address.uri).catch((error: unknown) => {
        throw isResourceNotFound(error) ? FileSystemError.FileNotFound(uri) : error;
      });
    const last = (): LoadedResource | undefined => this.#store.last(address.server, address.uri);
    return { address, resource: await this.#reads.read(uri, address.server, load, last) };
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
