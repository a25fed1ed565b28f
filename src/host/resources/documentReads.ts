import { EventEmitter, type FileChangeEvent, FileChangeType, type Uri, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { whyUnreadable } from '../invocation/contentTarget.ts';
import { createKeptDocuments } from './keptDocuments.ts';
import type { LoadedResource } from './resourceStore.ts';

export interface DocumentsOptions {
  readonly documentsFolder: string;
  /** What is not kept. */
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
}

/** Reads what editors ask for by themselves, of the documents of one scheme: from servers that run, else what was shown last. */
export function createDocumentReads({
  registry,
  documentsFolder,
  knownSecrets,
  logger,
}: DocumentsOptions & { readonly registry: ServerRegistry; readonly logger: Logger }) {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<FileChangeEvent[]>());
  const hasSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
  const kept = store.add(createKeptDocuments(documentsFolder, hasSecret, logger));
  /** The documents that could not ask their server, by URI. */
  const waiting = new Map<string, { readonly uri: Uri; readonly server: string }>();

  function readAgain(): void {
    const ready = [...waiting.values()].filter(({ server }) => whyUnreadable(registry.get(server)) === undefined);
    for (const { uri } of ready) waiting.delete(uri.toString());
    if (ready.length > 0) changes.fire(ready.map(({ uri }) => ({ type: FileChangeType.Changed, uri })));
  }

  store.add(registry.onDidChangeState(readAgain));
  store.add(workspace.onDidGrantWorkspaceTrust(readAgain));
  return {
    /** The server of documents that could not ask it can be asked now. */
    onDidChangeFile: changes.event,
    /**
     * @param server the label of a server
     * @param load asks the server, or takes what it gave just before
     * @param last returns what it gave last in this window
     * @returns a text that says what to do where the server cannot be asked and nothing is kept
     * @throws what `load` throws
     */
    async read(
      uri: Uri,
      server: string,
      load: () => Promise<LoadedResource>,
      last: () => LoadedResource | undefined,
    ): Promise<LoadedResource> {
      const why = whyUnreadable(registry.get(server));
      if (why !== undefined) waiting.set(uri.toString(), { uri, server });
      const fresh = why === undefined ? await load() : last();
      if (fresh !== undefined) void kept.keep(uri, fresh);
      return fresh ?? (await kept.find(uri)) ?? toNote(uri, why ?? '');
    },
    dispose: (): void => store.dispose(),
  };
}

export type DocumentReads = ReturnType<typeof createDocumentReads>;

/** VS Code shows no message of a file system in the editor of a document, so the document is the message. */
function toNote(uri: Uri, text: string): LoadedResource {
  const name = uri.path.split('/').at(-1) ?? '';
  // Older than any contents, so that they replace it.
  return {
    changedAt: 1,
    parts: [{ name, uri: '', mimeType: 'text/plain', isBinary: false, bytes: Buffer.from(`${text}\n`) }],
  };
}
