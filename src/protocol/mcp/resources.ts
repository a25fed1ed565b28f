import { isRecord, isString, toJsonText } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, invalidResult, type ListPage, type Meta, readListPage } from './base.ts';
import { type Annotations, annotations, readResourceContents, type ResourceContents } from './content.ts';
import { Mismatch, number, objectOf, optional, required, text } from './readers.ts';

export interface Resource extends BaseMetadata {
  readonly uri: string;
  readonly mimeType?: string;
  /** Bytes before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceTemplate extends BaseMetadata {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

export interface ReadResourceResult {
  /** A resource may have several parts, for instance the files of a folder. */
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta;
}

const listedResource = objectOf<Resource>({
  ...baseMetadata,
  uri: required(text),
  mimeType: optional(text),
  size: optional(number),
  annotations: optional(annotations),
});

const listedTemplate = objectOf<ResourceTemplate>({
  ...baseMetadata,
  uriTemplate: required(text),
  mimeType: optional(text),
  annotations: optional(annotations),
});

export function readResourcesPage(result: unknown): ListPage<Resource> {
  return readListPage(result, 'resources', listedResource);
}

export function readResourceTemplatesPage(result: unknown): ListPage<ResourceTemplate> {
  return readListPage(result, 'resourceTemplates', listedTemplate);
}

/**
 * Reads the result of `resources/read`. A part that cannot be read, such as an error that a server puts in place of one, becomes its
 * JSON, so that its words are not lost.
 * @param uri of the resource
 * @throws {PatchbayError} `invalidMessage`
 */
export function readReadResourceResult(result: unknown, uri: string): ReadResourceResult {
  const given = isRecord(result) ? result['contents'] : undefined;
  const parts: readonly unknown[] | undefined = isRecord(given) ? [given] : Array.isArray(given) ? given : undefined;
  if (!isRecord(result) || parts === undefined) throw invalidResult('"contents" is not a list');
  const contents = parts.map((part) => {
    const read = readResourceContents(part);
    if (!(read instanceof Mismatch)) return read;
    const own = isRecord(part) && isString(part['uri']) ? part['uri'] : uri;
    return { uri: own, mimeType: 'application/json', text: toJsonText(part) };
  });
  return { contents, ...(isRecord(result['_meta']) && { _meta: result['_meta'] }) };
}
