import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, invalidResult, isBaseMetadata, type ListPage, type Meta, readListPage } from './base.ts';
import { type Annotations, readResourceContents, type ResourceContents } from './content.ts';

export interface Resource extends BaseMetadata {
  readonly uri: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceTemplate extends BaseMetadata {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

export interface ReadResourceResult {
  /** A resource may have several parts, for instance the files of a folder. */
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta;
}

/** @throws {PatchbayError} `invalidMessage` */
export function readResourcesPage(result: unknown): ListPage<Resource> {
  return readListPage(result, 'resources', (value) => isListed(value) && isString(value['uri']));
}

/** @throws {PatchbayError} `invalidMessage` */
export function readResourceTemplatesPage(result: unknown): ListPage<ResourceTemplate> {
  return readListPage(result, 'resourceTemplates', (value) => isListed(value) && isString(value['uriTemplate']));
}

/** @throws {PatchbayError} `invalidMessage` */
export function readReadResourceResult(result: unknown): ReadResourceResult {
  if (!isRecord(result) || !Array.isArray(result['contents'])) throw invalidResult('"contents" is not a list');
  const contents = result['contents'].flatMap((part) => readResourceContents(part) ?? []);
  if (contents.length < result['contents'].length)
    throw invalidResult('an entry of "contents" has neither text nor blob');
  return { contents, ...(isRecord(result['_meta']) && { _meta: result['_meta'] }) };
}

function isListed(value: UnknownRecord): boolean {
  return isBaseMetadata(value) && isOptional(value['mimeType'], isString);
}
