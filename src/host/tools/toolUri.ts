import type { AddressSeal } from '../platform/addressSeal.ts';
import { decodeSegment, encodeSegment, fileName } from '../platform/fileName.ts';
import { type UriParts, toolScheme } from '../platform/uriSchemes.ts';

/**
 * What a document of the arguments of a tool is about. Its URI is
 * `patchbay-tool://<server>/mcp-arguments/<seal>/<tool>/<occurrence>.<copy>.<identity>/<name for people>`. The seal covers
 * all of it.
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

/** A folder of its own, by which VS Code knows the language of these documents. */
const folder = 'mcp-arguments';

/** @param title becomes the title of the tab; it does not tell tools apart */
export function toToolUri(
  seal: AddressSeal,
  { server, identity, tool, occurrence, copy }: ToolAddress,
  title: string,
): UriParts {
  const name = fileName(copy === 0 ? title : `${title} (${copy + 1})`);
  const numbers = `${occurrence}.${copy}.${encodeSegment(identity)}`;
  return {
    scheme: toolScheme,
    authority: encodeSegment(server),
    path: `/${folder}/${seal.of(toolScheme, server, tool, numbers, name)}/${encodeSegment(tool)}/${numbers}/${name}`,
  };
}

/** @returns `undefined` for a URI that {@link toToolUri} never made */
export function readToolUri(seal: AddressSeal, { scheme, authority, path }: UriParts): ToolAddress | undefined {
  const server = decodeSegment(authority);
  const [start, kind, sealed = '', encoded = '', numbers = '', name = '', ...rest] = path.split('/');
  const tool = decodeSegment(encoded);
  const [, occurrence, copy, encodedIdentity = ''] = /^(\d{1,3})\.(\d{1,3})\.(.+)$/.exec(numbers) ?? [];
  const identity = decodeSegment(encodedIdentity);
  const isWhole = start === '' && kind === folder && rest.length === 0;
  if (scheme !== toolScheme || server === undefined || tool === undefined || !isWhole) return undefined;
  if (occurrence === undefined || copy === undefined || identity === undefined) return undefined;
  if (!seal.holds(sealed, scheme, server, tool, numbers, name)) return undefined;
  return { server, identity, tool, occurrence: Number(occurrence), copy: Number(copy) };
}
