import { EventEmitter, type FileChangeEvent, FileChangeType, FileSystemError, type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import type { FeatureContext } from '../invocation/contentPicker.ts';
import { findServer, whyUnreadable } from '../invocation/contentTarget.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText } from '../platform/displayText.ts';
import { resourceScheme } from '../platform/uriSchemes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createKeptDocuments } from './keptDocuments.ts';
import { createResourceStore, type LoadedResource, type ResourceStore } from './resourceStore.ts';

export interface DocumentsOptions extends FeatureContext {
  readonly documentsFolder: string;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
}

/** Reads what editors ask for by themselves, of the documents of one scheme: from servers that run, else what was shown last. */
export class DocumentReads implements Disposable {
  readonly store: ResourceStore;
  readonly #registry: ServerRegistry;
  readonly #disposables = new DisposableStore();
  readonly #changes = this.#disposables.add(new EventEmitter<FileChangeEvent[]>());
  readonly #kept;
  /** The documents that could not ask their server, by URI. */
  readonly #waiting = new Map<string, { readonly uri: Uri; readonly server: string }>();

  readonly onDidChangeFile = this.#changes.event;

  /** @param read asks a server for what has the key of a document */
  constructor(
    { registry, clock, documentsFolder, knownSecrets, logger }: DocumentsOptions,
    read: (host: HostServer, key: string, signal: AbortSignal | undefined) => Promise<ReadResourceResult>,
  ) {
    this.#registry = registry;
    this.store = createResourceStore(
      clock,
      (label) => registry.get(label)?.server.identity,
      async (label, key, signal) => read(findServer(registry, label), key, signal),
    );
    const hasSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
    this.#kept = this.#disposables.add(createKeptDocuments(documentsFolder, hasSecret, logger));
    this.#disposables.add(registry.onDidChangeState(() => this.#readAgain()));
    this.#disposables.add(workspace.onDidGrantWorkspaceTrust(() => this.#readAgain()));
  }

  /**
   * @param server the label of a server
   * @returns a text that says what to do where the server cannot be asked and nothing is kept
   * @throws {FileSystemError} `FileNotFound`, or `Unavailable` with the reason
   */
  async read(uri: Uri, server: string, key: string): Promise<LoadedResource> {
    const why = whyUnreadable(this.#registry.get(server));
    if (why !== undefined) this.#waiting.set(uri.toString(), { uri, server });
    const load = (): Promise<LoadedResource> =>
      this.store.load(server, key).catch((error: unknown) => {
        throw toFileSystemError(uri, error);
      });
    const fresh = why === undefined ? await load() : this.store.last(server, key);
    if (fresh !== undefined) void this.#kept.keep(uri, fresh);
    return fresh ?? (await this.#kept.find(uri)) ?? toNote(uri, why ?? '');
  }

  /** Says that documents may have other contents, or that their server can be asked now. */
  announce(uris: readonly Uri[]): void {
    const changed = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
    if (changed.length > 0) this.#changes.fire(changed.map((uri) => ({ type: FileChangeType.Changed, uri })));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #readAgain(): void {
    const ready = [...this.#waiting].filter(
      ([, { server }]) => whyUnreadable(this.#registry.get(server)) === undefined,
    );
    for (const [key] of ready) this.#waiting.delete(key);
    this.announce(ready.map(([, { uri }]) => uri));
  }
}

function toFileSystemError(uri: Uri, error: unknown): FileSystemError {
  // What a skill lacks is said in words.
  if (uri.scheme === resourceScheme && isResourceNotFound(error)) return FileSystemError.FileNotFound(uri);
  const why = isCancellation(error) ? 'Reading was cancelled.' : notificationText(describeError(error).message, 1_000);
  return FileSystemError.Unavailable(why);
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

/** VS Code shows no message of a file system in the editor of a document, so the document is the message. */
function toNote(uri: Uri, text: string): LoadedResource {
  const name = uri.path.split('/').at(-1) ?? '';
  // Older than any contents, so that they replace it.
  return {
    changedAt: 1,
    parts: [{ name, uri: '', mimeType: 'text/plain', isBinary: false, bytes: Buffer.from(`${text}\n`) }],
  };
}
