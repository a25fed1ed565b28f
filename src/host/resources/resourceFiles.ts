import { FileSystemError, FileType, type Uri, workspace } from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { whyUnreadable } from '../invocation/contentTarget.ts';
import type { AddressSeal } from '../platform/addressSeal.ts';
import { decodeSegment, encodeSegment, fileName } from '../platform/fileName.ts';
import { type LoadedFiles, readOnlyStat } from '../platform/readOnlyFileSystem.ts';
import { resourceScheme, type UriParts } from '../platform/uriSchemes.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { DocumentReads } from './documentReads.ts';
import { createResourceWatches } from './resourceWatches.ts';

/** Resources as read-only files; one with several contents is a folder of them. Disposing it ends what watches them. */
export function createResourceFiles(
  seal: AddressSeal,
  registry: ServerRegistry,
  reads: DocumentReads,
  logger: Logger,
): LoadedFiles & Disposable {
  // False once the label stands for another definition: what was watched is nothing to it.
  const isAddressed = (uri: Uri): boolean => readResourceUri(seal, uri) !== undefined;
  const watches = createResourceWatches(
    registry,
    logger,
    (server, uri, documents) => {
      reads.store.invalidate(server, uri);
      reads.announce(documents);
    },
    (server, documents) => whyUnreadable(registry.get(server)) === undefined && documents.some(isAddressed),
    workspace.onDidGrantWorkspaceTrust,
  );

  async function load(uri: Uri) {
    const address = readResourceUri(seal, uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    const { part: wanted } = address;
    const { parts, changedAt } = await reads.read(uri, address.server, address.uri);
    const part = wanted === undefined ? parts[0] : parts.find(({ name }) => name === wanted);
    if (wanted !== undefined && part === undefined) throw FileSystemError.FileNotFound(uri);
    return { parts, changedAt, part, isFolder: wanted === undefined && parts.length > 1 };
  }

  return {
    onDidChangeFile: reads.onDidChangeFile,
    watch(uri) {
      const address = readResourceUri(seal, uri);
      return address === undefined ? toDisposable(() => {}) : watches.watch(address.server, address.uri, uri);
    },
    async stat(uri) {
      const { isFolder, changedAt, part } = await load(uri);
      if (isFolder) return readOnlyStat(FileType.Directory, changedAt);
      return readOnlyStat(FileType.File, changedAt, part?.bytes.length);
    },
    /** Empty for a resource without any contents. */
    async readFile(uri) {
      const { isFolder, part } = await load(uri);
      if (isFolder) throw FileSystemError.FileIsADirectory(uri);
      return part?.bytes ?? new Uint8Array();
    },
    async readDirectory(uri) {
      const { isFolder, parts } = await load(uri);
      if (!isFolder) throw FileSystemError.FileNotADirectory(uri);
      return parts.map(({ name }) => [name, FileType.File]);
    },
    dispose: () => watches.dispose(),
  };
}

/**
 * The meaning of a URI of Patchbay: `patchbay-resource://<server>/<seal>/<resource URI>/<name for people>[/<part>]`. Server
 * and resource URI are encoded so that they come back exactly, through normalisation and changes of case. The seal covers
 * them and the name, which decides how VS Code opens the document.
 */
export interface ResourceAddress {
  readonly server: string;
  readonly uri: string;
  /** One of several contents, by name. */
  readonly part: string | undefined;
}

/** @param name becomes the title of the tab; it does not tell resources apart */
export function toResourceUri(
  seal: AddressSeal,
  { server, uri }: Omit<ResourceAddress, 'part'>,
  name: { readonly text: string; readonly mimeType?: string | undefined },
): UriParts {
  const file = fileName(name.text, name.mimeType);
  const path = `/${seal.of(resourceScheme, server, uri, file)}/${encodeSegment(uri)}/${file}`;
  return { scheme: resourceScheme, authority: encodeSegment(server), path };
}

/** @returns `undefined` for a URI that {@link toResourceUri} never made, and for a folder above a resource */
export function readResourceUri(seal: AddressSeal, { scheme, authority, path }: UriParts): ResourceAddress | undefined {
  const server = decodeSegment(authority);
  const [start, sealed = '', encoded = '', name = '', part, ...rest] = path.replace(/\/$/, '').split('/');
  const uri = decodeSegment(encoded);
  if (scheme !== resourceScheme || server === undefined || uri === undefined) return undefined;
  if (start !== '' || rest.length > 0 || !seal.holds(sealed, scheme, server, uri, name)) return undefined;
  return { server, uri, part };
}
