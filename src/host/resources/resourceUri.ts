import type { AddressSeal } from '../platform/addressSeal.ts';
import { decodeSegment, encodeSegment, fileName } from '../platform/fileName.ts';
import { resourceScheme, type UriParts } from '../platform/uriSchemes.ts';

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
  { server, uri }: Pick<ResourceAddress, 'server' | 'uri'>,
  name: { readonly text: string; readonly mimeType?: string | undefined },
): UriParts {
  const file = fileName(name.text, name.mimeType);
  return {
    scheme: resourceScheme,
    authority: encodeSegment(server),
    path: `/${seal.of(resourceScheme, server, uri, file)}/${encodeSegment(uri)}/${file}`,
  };
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
