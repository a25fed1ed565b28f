import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, type Meta } from './base.ts';
import {
  type Reader,
  listOf,
  Mismatch,
  number,
  objectOf,
  oneOf,
  opaqueObject,
  optional,
  required,
  type Shape,
  text,
  validIfGiven,
} from './readers.ts';

/** Untrusted hints about content (2025-06-18, Server Features / Resources, "Annotations"). */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}

interface ContentBase {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface TextContent extends ContentBase {
  readonly type: 'text';
  readonly text: string;
}

/** An image; `data` is base64. */
export interface ImageContent extends ContentBase {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** Audio (since 2025-03-26); `data` is base64. */
export interface AudioContent extends ContentBase {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

export interface EmbeddedResource extends ContentBase {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** A link to a resource, which may be missing in `resources/list` (since 2025-06-18). */
export interface ResourceLink extends ContentBase, BaseMetadata {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** Content of an unknown type: kept unchanged, shown as JSON. */
export interface UnknownContent extends ContentBase {
  readonly type: 'unknown';
  readonly original: UnknownRecord;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink | UnknownContent;

/** One part of a resource: `text`, or `blob` as base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Meta;
}

export const annotations: Reader<Annotations> = objectOf<Annotations>({
  audience: optional(listOf(oneOf('user', 'assistant'))),
  priority: optional(number),
  lastModified: optional(text),
});

const contentBase: Shape<ContentBase> = { annotations: optional(annotations), _meta: optional(opaqueObject) };

const resourceContents = objectOf<ResourceContents>({
  uri: required(text),
  mimeType: validIfGiven(text),
  text: validIfGiven(text),
  blob: validIfGiven(text),
  _meta: optional(opaqueObject),
});

export function readResourceContents(value: unknown): ResourceContents | Mismatch {
  const read = resourceContents.read(value, []);
  if (read instanceof Mismatch || read.text !== undefined || read.blob !== undefined) return read;
  return new Mismatch('text', 'given where there is no "blob"', 'missing');
}

const media = objectOf<Omit<ImageContent, 'type'>>({ ...contentBase, data: required(text), mimeType: required(text) });

const knownContent = new Map<unknown, Reader<object>>([
  ['text', objectOf<Omit<TextContent, 'type'>>({ ...contentBase, text: required(text) })],
  ['image', media],
  ['audio', media],
  [
    'resource',
    objectOf<Omit<EmbeddedResource, 'type'>>({
      ...contentBase,
      resource: required({ expected: resourceContents.expected, read: readResourceContents }),
    }),
  ],
  [
    'resource_link',
    objectOf<Omit<ResourceLink, 'type'>>({
      ...contentBase,
      ...baseMetadata,
      uri: required(text),
      mimeType: validIfGiven(text),
      size: optional(number),
    }),
  ],
]);

/** Reads one content block. Never throws: an invalid block becomes {@link UnknownContent}. */
export function readContentBlock(value: unknown): ContentBlock {
  const read = isRecord(value) ? knownContent.get(value['type'])?.read(value, []) : undefined;
  return read === undefined || read instanceof Mismatch ? unknownContent(value) : (read as ContentBlock);
}

export function unknownContent(value: unknown): UnknownContent {
  return { type: 'unknown', original: isRecord(value) ? value : { value } };
}

/** Reads a list of content blocks; a single block becomes a list of one. */
export function readContentList(value: unknown): ContentBlock[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(readContentBlock);
}
