import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, isBaseMetadata, type Meta } from './base.ts';

/** Hints about content; all of them untrusted (2025-06-18, resources "Annotations"). */
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

/** `data` is base64. */
export interface ImageContent extends ContentBase {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** `data` is base64 (since 2025-03-26). */
export interface AudioContent extends ContentBase {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

export interface EmbeddedResource extends ContentBase {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** A pointer to a resource, which need not be in `resources/list` (since 2025-06-18). */
export interface ResourceLink extends ContentBase, BaseMetadata {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** A kind of content this version does not know: kept as it came, shown as JSON. */
export interface UnknownContent extends ContentBase {
  readonly type: 'unknown';
  readonly original: UnknownRecord;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink | UnknownContent;

/** One part of a resource: `text`, or `blob` in base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Meta;
}

/**
 * Reads one part of a resource. A member that is `null` counts as absent: servers write all they know of, used or not.
 * @returns `undefined` where there is neither text nor blob
 */
export function readResourceContents(value: unknown): ResourceContents | undefined {
  if (!isRecord(value)) return undefined;
  const isPlain = contentMembers.every((name) => value[name] !== null);
  const contents = isPlain ? value : Object.fromEntries(Object.entries(value).filter(isGiven));
  return isResourceContents(contents) ? contents : undefined;
}

const contentMembers: readonly string[] = ['mimeType', 'text', 'blob'];

function isGiven([name, member]: readonly [string, unknown]): boolean {
  return member !== null || !contentMembers.includes(name);
}

function isResourceContents(value: UnknownRecord): value is UnknownRecord & ResourceContents {
  const { uri, mimeType, text, blob } = value;
  const isTyped = isString(uri) && [mimeType, text, blob].every((member) => isOptional(member, isString));
  return isTyped && (text !== undefined || blob !== undefined);
}

/** Reads one block of content; never throws, what cannot be used becomes {@link UnknownContent}. */
export function readContentBlock(value: unknown): ContentBlock {
  if (!isRecord(value)) return { type: 'unknown', original: { value } };
  if (value['type'] === 'resource') {
    const resource = readResourceContents(value['resource']);
    if (resource !== undefined) return { ...value, type: 'resource', resource };
  }
  return isKnownContent(value) ? value : { type: 'unknown', original: value };
}

/** Reads a list of blocks; a single block counts as a list of one. */
export function readContentList(value: unknown): ContentBlock[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(readContentBlock);
}

function isKnownContent(
  value: UnknownRecord,
): value is UnknownRecord & Exclude<ContentBlock, EmbeddedResource | UnknownContent> {
  switch (value['type']) {
    case 'text':
      return isString(value['text']);
    case 'image':
    case 'audio':
      return isString(value['data']) && isString(value['mimeType']);
    case 'resource_link':
      return isBaseMetadata(value) && isString(value['uri']) && isOptional(value['mimeType'], isString);
    default:
      return false;
  }
}
