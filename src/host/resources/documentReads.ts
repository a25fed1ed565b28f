import { EventEmitter, type FileChangeEvent, FileChangeType, FileSystemError, type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { whyUnreadable } from '../invocation/contentTarget.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createKeptDocuments } from './keptDocuments.ts';
import type { LoadedResource } from './resourceStore.ts';

export interface DocumentsOptions {
  readonly registry: ServerRegistry;
  readonly logger: Logger;
  readonly documentsFolder: string;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
}

/** Reads what editors ask for by themselves, of the documents of one scheme: from servers that run, else what was shown last. */
export class DocumentReads implements Disposable {
  readonly #registry: ServerRegistry;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new EventEmitter<FileChangeEvent[]>());
  readonly #kept;
  /** The documents that could not ask their server, by URI. */
  readonly #waiting = new Map<string, { readonly uri: Uri; readonly server: string }>();

  /** The server of documents that could not ask it can be asked now. */
  readonly onDidChangeFile = this.#changes.event;

  constructor({ registry, documentsFolder, knownSecrets, logger }: DocumentsOptions) {
    this.#registry = registry;
    const hasSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
    this.#kept = this.#store.add(createKeptDocuments(documentsFolder, hasSecret, logger));
    this.#store.add(registry.onDidChangeState(() => this.#readAgain()));
    this.#store.add(workspace.onDidGrantWorkspaceTrust(() => this.#readAgain()));
  }

  /**
   * @param server the label of a server
   * @param load asks the server, or takes what it gave just before
   * @param last returns what it gave last in this window
   * @returns a text that says what to do where the server cannot be asked and nothing is kept
   * @throws {FileSystemError} that of `load`, or `Unavailable` with the reason
   */
  async read(
    uri: Uri,
    server: string,
    load: () => Promise<LoadedResource>,
    last: () => LoadedResource | undefined,
  ): Promise<LoadedResource> {
    const why = whyUnreadable(this.#registry.get(server));
    if (why !== undefined) this.#waiting.set(uri.toString(), { uri, server });
    const fresh = why === undefined ? await load().catch(unavailable) : last();
    if (fresh !== undefined) void this.#kept.keep(uri, fresh);
    return fresh ?? (await this.#kept.find(uri)) ?? toNote(uri, why ?? '');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #readAgain(): void {
    const ready = [...this.#waiting.values()].filter(
      ({ server }) => whyUnreadable(this.#registry.get(server)) === undefined,
    );
    for (const { uri } of ready) this.#waiting.delete(uri.toString());
    if (ready.length > 0) this.#changes.fire(ready.map(({ uri }) => ({ type: FileChangeType.Changed, uri })));
  }
}

function unavailable(error: unknown): never {
  if (error instanceof FileSystemError) throw error;
  const why = isCancellation(error) ? 'Reading was cancelled.' : notificationText(describeError(error).message, 1_000);
  throw FileSystemError.Unavailable(why);
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
