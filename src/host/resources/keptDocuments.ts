import { type Tab, Uri, window, workspace } from 'vscode';
import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { createKeptFiles, type KeptFiles } from '../platform/keptFiles.ts';
import type { LoadedResource, ResourcePart } from './resourceStore.ts';

/** Documents that are kept, and that wait for their tabs. */
const maximumDocuments = 30;

/** Bytes of the contents of one document. */
const maximumBytes = 1_000_000;

/** Bytes of a file, in which contents are encoded. */
const maximumFileBytes = 2 * maximumBytes;

/**
 * The contents of the documents that are open, for after a reload of the window, when their servers do not run yet. Nothing here
 * fails: what cannot be kept is logged. The address of a document has a seal, which binds what is kept to a definition. Follows the
 * tabs of the window until disposed.
 * @param folder in the extension's own storage; made with the first document
 * @param hasSecret true for text with a secret that Patchbay knows: such contents are not kept
 */
export function createKeptDocuments(folder: string, hasSecret: (text: string) => Promise<boolean>, logger: Logger) {
  /** What was read for documents whose tabs are still to come. */
  const waiting = new Map<string, LoadedResource>();
  const files = createKeptFiles(folder, { files: maximumDocuments, bytes: maximumFileBytes }, logger);

  const write = (key: string, { parts, changedAt }: LoadedResource): Promise<void> =>
    files.write(key, async () => {
      if (sizeOf(parts) > maximumBytes || (await hasSecret(parts.map(textOf).join('\n\n')))) return undefined;
      return {
        changedAt,
        parts: parts.map((part) => ({ ...part, bytes: Buffer.from(part.bytes).toString('base64') })),
      };
    });

  removeClosed(files);
  const subscription = window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const uri of closed.map(tabUri)) {
      if (uri === undefined || !uri.scheme.startsWith('patchbay-') || isOpen(uri)) continue;
      waiting.delete(uri.toString());
      void files.write(uri.toString(), async () => undefined);
    }
    for (const [key, loaded] of waiting) {
      if (!isOpen(Uri.parse(key))) continue;
      waiting.delete(key);
      void write(key, loaded);
    }
  });

  return {
    find: async (uri: Uri): Promise<LoadedResource | undefined> =>
      readDocument((await files.read(uri.toString())) ?? {}),
    /** Keeps contents from when the document has a tab until it has none. Resolves when they are stored, if it has one. */
    async keep(uri: Uri, loaded: LoadedResource): Promise<void> {
      const key = uri.toString();
      if (isOpen(uri)) return write(key, loaded);
      waiting.delete(key);
      waiting.set(key, loaded);
      for (const oldest of waiting.keys()) if (waiting.size > maximumDocuments) waiting.delete(oldest);
      return undefined;
    },
    dispose: () => void subscription.dispose(),
  };
}

export type KeptDocuments = ReturnType<typeof createKeptDocuments>;

/** Tabs may have been closed while nothing followed them. */
function removeClosed(files: KeptFiles): void {
  // Windows without a folder have one storage: a document of another window may be open there.
  if (workspace.workspaceFolders === undefined && workspace.workspaceFile === undefined) return;
  const open = window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap((tab) => tabUri(tab)?.toString() ?? []));
  void files.keepOnly(open);
}

/** The document of a tab, in any kind of editor: pictures have one of their own. */
export function tabUri(tab: Tab | undefined): Uri | undefined {
  const uri = isRecord(tab?.input) ? tab.input['uri'] : undefined;
  return uri instanceof Uri ? uri : undefined;
}

function isOpen(uri: Uri): boolean {
  const key = uri.toString();
  return window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => tabUri(tab)?.toString() === key));
}

/** The addresses are the server's too. */
function sizeOf(parts: readonly ResourcePart[]): number {
  return parts.reduce(
    (sum, { name, uri, mimeType = '', bytes }) => sum + name.length + uri.length + mimeType.length + bytes.length,
    0,
  );
}

function textOf({ uri, bytes }: ResourcePart): string {
  return `${uri}\n${Buffer.from(bytes).toString('utf8')}`;
}

function readDocument({ changedAt, parts }: UnknownRecord): LoadedResource | undefined {
  if (typeof changedAt !== 'number' || !Array.isArray(parts)) return undefined;
  const whole = parts.map(readPart).filter((part) => part !== undefined);
  return whole.length === parts.length ? { parts: whole, changedAt } : undefined;
}

function readPart(value: unknown): ResourcePart | undefined {
  if (!isRecord(value)) return undefined;
  const { name, uri, mimeType, bytes, isBinary } = value;
  if (!isString(name) || !isString(uri) || !isOptional(mimeType, isString) || !isString(bytes)) return undefined;
  return { name, uri, mimeType, bytes: Buffer.from(bytes, 'base64'), isBinary: isBinary === true };
}
