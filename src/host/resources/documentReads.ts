import { EventEmitter, type FileChangeEvent, FileChangeType, FileSystemError, type Uri, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import type { FeatureContext } from '../invocation/contentPicker.ts';
import { findServer, whyUnreadable } from '../invocation/contentTarget.ts';
import { describeError } from '../platform/describeError.ts';
import { notificationText } from '../platform/displayText.ts';
import { resourceScheme } from '../platform/uriSchemes.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createKeptDocuments } from './keptDocuments.ts';
import { createResourceStore, type LoadedResource } from './resourceStore.ts';

export interface DocumentsOptions extends FeatureContext {
  readonly documentsFolder: string;
  readonly knownSecrets: Pick<WindowSecrets, 'collector'>;
}

/**
 * Reads what editors ask for by themselves, of the documents of one scheme: from servers that run, else what was shown last.
 * @param ask a server for what has the key of a document
 */
export function createDocumentReads(
  { registry, clock, documentsFolder, knownSecrets, logger }: DocumentsOptions,
  ask: (host: HostServer, key: string, signal: AbortSignal | undefined) => Promise<ReadResourceResult>,
) {
  const disposables = new DisposableStore();
  const changes = disposables.add(new EventEmitter<FileChangeEvent[]>());
  const store = createResourceStore(
    clock,
    (label) => registry.get(label)?.server.identity,
    async (label, key, signal) => ask(findServer(registry, label), key, signal),
  );
  const hasSecret = async (text: string): Promise<boolean> => (await knownSecrets.collector()).holdsSecret(text);
  const kept = disposables.add(createKeptDocuments(documentsFolder, hasSecret, logger));
  /** The documents that could not ask their server, by URI. */
  const waiting = new Map<string, { readonly uri: Uri; readonly server: string }>();

  /** Says that documents may have other contents, or that their server can be asked now. */
  function announce(uris: readonly Uri[]): void {
    const changed = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
    if (changed.length > 0) changes.fire(changed.map((uri) => ({ type: FileChangeType.Changed, uri })));
  }

  function readAgain(): void {
    const ready = [...waiting].filter(([, { server }]) => whyUnreadable(registry.get(server)) === undefined);
    for (const [key] of ready) waiting.delete(key);
    announce(ready.map(([, { uri }]) => uri));
  }

  /**
   * @param server the label of a server
   * @returns a text that says what to do where the server cannot be asked and nothing is kept
   * @throws {FileSystemError} `FileNotFound`, or `Unavailable` with the reason
   */
  async function read(uri: Uri, server: string, key: string): Promise<LoadedResource> {
    const why = whyUnreadable(registry.get(server));
    if (why !== undefined) waiting.set(uri.toString(), { uri, server });
    const load = (): Promise<LoadedResource> =>
      store.load(server, key).catch((error: unknown) => {
        throw toFileSystemError(uri, error);
      });
    const fresh = why === undefined ? await load() : store.last(server, key);
    if (fresh !== undefined) void kept.keep(uri, fresh);
    return fresh ?? (await kept.find(uri)) ?? toNote(uri, why ?? '');
  }

  disposables.add(registry.onDidChangeState(readAgain));
  disposables.add(workspace.onDidGrantWorkspaceTrust(readAgain));
  return { store, onDidChangeFile: changes.event, read, announce, dispose: (): void => disposables.dispose() };
}

export type DocumentReads = ReturnType<typeof createDocumentReads>;

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
