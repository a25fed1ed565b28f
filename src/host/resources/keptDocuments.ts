import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Tab, Uri, window, workspace } from 'vscode';
import { sha256 } from '../../base/digest.ts';
import { messageOf } from '../../base/errors.ts';
import { isOptional, isRecord, isString } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { keepNewest, readPlainFile, replaceFile } from '../platform/plainFiles.ts';
import type { LoadedResource, ResourcePart } from './resourceStore.ts';

/** Documents kept; those written longest ago go first. */
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
  let written = Promise.resolve();
  const pathOf = async (key: string): Promise<string> => join(folder, await fileOf(key));

  function queue(work: () => Promise<void>): Promise<void> {
    written = written.then(work).catch((error: unknown) => {
      logger.warn(() => `A document is not kept for a reload of the window: ${messageOf(error)}`);
    });
    return written;
  }

  async function write(key: string, { parts, changedAt }: LoadedResource): Promise<void> {
    const path = await pathOf(key);
    if (sizeOf(parts) > maximumBytes || (await hasSecret(parts.map(textOf).join('\n\n'))))
      return rm(path, { force: true });
    const stored = parts.map((part) => ({ ...part, bytes: Buffer.from(part.bytes).toString('base64') }));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Another window may be writing the same document.
    const temporary = `${path}.${crypto.randomUUID()}.new`;
    await replaceFile(path, JSON.stringify({ key, changedAt, parts: stored }), { temporary, isSynced: false });
    await keepNewest(folder, maximumDocuments);
  }

  void queue(() => removeClosed(folder));
  const subscription = window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const uri of closed.map(tabUri)) {
      if (uri === undefined || !uri.scheme.startsWith('patchbay-') || isOpen(uri)) continue;
      waiting.delete(uri.toString());
      void queue(async () => rm(await pathOf(uri.toString()), { force: true }));
    }
    for (const [key, loaded] of waiting) {
      if (!isOpen(Uri.parse(key))) continue;
      waiting.delete(key);
      void queue(() => write(key, loaded));
    }
  });

  return {
    async find(uri: Uri): Promise<LoadedResource | undefined> {
      await written;
      const key = uri.toString();
      try {
        return readDocument(key, JSON.parse((await readPlainFile(await pathOf(key), maximumFileBytes)) ?? 'null'));
      } catch (error) {
        logger.warn(() => `A document that was kept cannot be read: ${messageOf(error)}`);
        return undefined;
      }
    },
    /** Keeps contents from when the document has a tab until it has none. Resolves when they are stored, if it has one. */
    async keep(uri: Uri, loaded: LoadedResource): Promise<void> {
      const key = uri.toString();
      if (isOpen(uri)) return queue(() => write(key, loaded));
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
async function removeClosed(folder: string): Promise<void> {
  // Windows without a folder have one storage: a document of another window may be open there.
  if (workspace.workspaceFolders === undefined && workspace.workspaceFile === undefined) return;
  const uris = window.tabGroups.all.flatMap((group) => group.tabs.flatMap((tab) => tabUri(tab) ?? []));
  const open = new Set(await Promise.all(uris.map(async (uri) => fileOf(uri.toString()))));
  const closed = (await readdir(folder).catch(() => [])).filter((name) => !open.has(name));
  await Promise.all(closed.map((name) => rm(join(folder, name), { force: true })));
}

async function fileOf(key: string): Promise<string> {
  return `${(await sha256(key)).slice(0, 32)}.json`;
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

function readDocument(key: string, value: unknown): LoadedResource | undefined {
  if (!isRecord(value) || value['key'] !== key || typeof value['changedAt'] !== 'number') return undefined;
  const parts = Array.isArray(value['parts']) ? value['parts'].map(readPart) : [undefined];
  const whole = parts.filter((part) => part !== undefined);
  return whole.length === parts.length ? { parts: whole, changedAt: value['changedAt'] } : undefined;
}

function readPart(value: unknown): ResourcePart | undefined {
  if (!isRecord(value)) return undefined;
  const { name, uri, mimeType, bytes, isBinary } = value;
  if (!isString(name) || !isString(uri) || !isOptional(mimeType, isString) || !isString(bytes)) return undefined;
  return { name, uri, mimeType, bytes: Buffer.from(bytes, 'base64'), isBinary: isBinary === true };
}
