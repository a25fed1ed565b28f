import { decodeSegment, encodeSegment, fileName } from '../platform/fileName.ts';
import { resourceScheme, type UriParts } from '../platform/uriSchemes.ts';

/**
 * The meaning of a URI of Patchbay: `patchbay-resource://<server>/<resource URI>/<name for people>[/<part>]`. Server
 * and resource URI are encoded so that they come back exactly, through normalisation and changes of case.
 */
export type ResourceAddress =
  /** A folder above all resources: there so that editors can walk up to it. */
  | { readonly kind: 'above' }
  | {
      readonly kind: 'resource';
      readonly server: string;
      readonly uri: string;
      /** One of several contents, by name. */
      readonly part: string | undefined;
    };

/** @param name becomes the title of the tab; it does not tell resources apart */
export function toResourceUri(
  server: string,
  uri: string,
  name: { readonly text: string; readonly mimeType?: string | undefined },
): UriParts {
  return {
    scheme: resourceScheme,
    authority: encodeSegment(server),
    path: `/${encodeSegment(uri)}/${fileName(name.text, name.mimeType)}`,
  };
}

/** @returns `undefined` for a URI that {@link toResourceUri} never made */
export function readResourceUri({ scheme, authority, path }: UriParts): ResourceAddress | undefined {
  const server = decodeSegment(authority);
  const [start, encoded, name, part, ...rest] = path.replace(/\/$/, '').split('/');
  if (scheme !== resourceScheme || server === undefined || start !== '' || rest.length > 0) return undefined;
  if (encoded === undefined) return { kind: 'above' };
  const uri = decodeSegment(encoded);
  if (uri === undefined) return undefined;
  return name === undefined ? { kind: 'above' } : { kind: 'resource', server, uri, part };
}
