import type { AddressSeal } from '../platform/addressSeal.ts';
import { decodeSegment, encodeSegment, fileName } from '../platform/fileName.ts';
import { type UriParts, toolScheme } from '../platform/uriSchemes.ts';

/**
 * What a document of the arguments of a tool is about. Its URI is
 * `patchbay-tool://<server>/<server for people> (MCP)/<tool for people>?<seal>/<tool>/<occurrence>.<copy>.<identity>`: people see the
 * path, in breadcrumbs and in the Problems view. The seal covers all of it.
 */
export interface ToolAddress {
  readonly server: string;
  /** Who the server is, see `Server.identity`: arguments for another one with the label have another address. */
  readonly identity: string;
  readonly tool: string;
  readonly occurrence: number;
  /** 0 but for further tabs of the same tool. */
  readonly copy: number;
}

export interface ToolUriParts extends UriParts {
  readonly query: string;
}

/** By the end of its name, VS Code knows the language of these documents: see `package.json`. */
function folderOf(server: string): string {
  return `${fileName(server)} (MCP)`;
}

/** @param title becomes the title of the tab; it does not tell tools apart */
export function toToolUri(
  seal: AddressSeal,
  { server, identity, tool, occurrence, copy }: ToolAddress,
  title: string,
): ToolUriParts {
  const name = fileName(copy === 0 ? title : `${title} (${copy + 1})`);
  const numbers = `${occurrence}.${copy}.${encodeSegment(identity)}`;
  return {
    scheme: toolScheme,
    authority: encodeSegment(server),
    path: `/${folderOf(server)}/${name}`,
    query: [seal.of(toolScheme, server, tool, numbers, name), encodeSegment(tool), numbers].join('/'),
  };
}

/** @returns `undefined` for a URI that {@link toToolUri} never made */
export function readToolUri(seal: AddressSeal, uri: ToolUriParts): ToolAddress | undefined {
  const { scheme, authority } = uri;
  const server = decodeSegment(authority);
  if (scheme !== toolScheme || server === undefined) return undefined;
  const [sealed, encoded, numbers, name] = partsOf(uri, server) ?? [];
  const tool = decodeSegment(encoded ?? '');
  const [, occurrence, copy, encodedIdentity = ''] = /^(\d{1,3})\.(\d{1,3})\.(.+)$/.exec(numbers ?? '') ?? [];
  const identity = decodeSegment(encodedIdentity);
  if (sealed === undefined || numbers === undefined || name === undefined || tool === undefined) return undefined;
  if (occurrence === undefined || copy === undefined || identity === undefined) return undefined;
  if (!seal.holds(sealed, scheme, server, tool, numbers, name)) return undefined;
  return { server, identity, tool, occurrence: Number(occurrence), copy: Number(copy) };
}

/** @returns seal, encoded tool, numbers and name */
function partsOf({ path, query }: ToolUriParts, server: string): readonly string[] | undefined {
  const [start, folder, ...names] = path.split('/');
  if (start !== '') return undefined;
  // Tabs of Patchbay 0.1 that VS Code restores have all of it in their path.
  if (folder === 'mcp-arguments') return query === '' && names.length === 4 ? names : undefined;
  const parts = query.split('/');
  return folder === folderOf(server) && names.length === 1 && parts.length === 3 ? [...parts, ...names] : undefined;
}
