import { isRecord } from '../../base/json.ts';
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

/** Reads the result of `resources/read`. @throws {PatchbayError} `invalidMessage`, with the invalid part */
export function readReadResourceResult(result: unknown): ReadResourceResult {
  if (!isRecord(result) || !Array.isArray(result['contents'])) throw invalidResult('"contents" is not a list');
  const contents = (result['contents'] as unknown[]).map((part, index) => {
    const read = readResourceContents(part);
    if (read instanceof Mismatch) throw invalidResult(read.within(`contents[${index}]`).toString());
    return read;
  });
  return { contents, ...(isRecord(result['_meta']) && { _meta: result['_meta'] }) };
}
