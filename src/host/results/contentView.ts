import { isRecord, isString } from '../../base/json.ts';
import { type JsonPreview, previewJson } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import { truncate } from '../../base/truncate.ts';
import type { ContentBlock, ResourceContents, ResourceLink } from '../../protocol/mcp/content.ts';
import type { SamplingContent } from '../../protocol/mcp/sampling.ts';
import type { BlockView, ContentView, LinkView, MediaView, ResourceView } from '../../shared/content.ts';
import { itemImage } from '../icons/itemImage.ts';
import { type Fact, factsOf, singleLine, timeOf } from '../platform/displayText.ts';
import { fileName, nameFromUri } from '../platform/fileName.ts';

type OmittedView = Extract<BlockView, { readonly kind: 'omitted' }>;

/**
 * What may become a `data:` URI in a panel. SVG is in: inside `<img>` it runs no script and loads nothing.
 * Types that only look harmless (`text/html` called an image by its server) never match.
 */
const drawable: Readonly<Record<MediaView['kind'], readonly string[]>> = {
  image: typesOf('image', 'png jpeg gif webp avif bmp x-icon svg+xml'),
  audio: typesOf('audio', 'mpeg mp3 wav x-wav wave ogg webm aac mp4 flac'),
  video: typesOf('video', 'mp4 webm ogg'),
};

function typesOf(kind: string, subtypes: string): readonly string[] {
  return subtypes.split(' ').map((subtype) => `${kind}/${subtype}`);
}

const mediaKinds = ['image', 'audio', 'video'] as const;

/** Characters of an address that can be opened. */
const maximumAddress = 8_000;

/** How much of a document is still to be drawn: shared by all its parts, each of which takes from it. */
export class ContentBudget {
  #characters: number;
  #members: number;
  #blocks: number;
  #mediaBytes: number = limits.shown.result.mediaBytes;
  isCut = false;

  /** @param most characters, blocks, and members of objects and lists in JSON */
  constructor({ characters, blocks, members }: Readonly<Record<'characters' | 'blocks' | 'members', number>>) {
    this.#characters = characters;
    this.#blocks = blocks;
    this.#members = members;
  }

  text(text: string): string {
    const kept = truncate(text, this.#characters);
    this.#characters -= kept.length;
    if (kept.length < text.length) this.isCut = true;
    return kept;
  }

  json(value: unknown): JsonPreview {
    const bounds = { ...limits.shown.json, members: this.#members, characters: this.#characters };
    const { json, isTruncated, used } = previewJson(value, bounds);
    this.#members -= used.members;
    this.#characters = Math.max(0, this.#characters - used.characters);
    if (isTruncated) this.isCut = true;
    return json;
  }

  blocks<Block>(blocks: readonly Block[]): readonly Block[] {
    const kept = blocks.slice(0, this.#blocks);
    this.#blocks -= kept.length;
    if (kept.length < blocks.length) this.isCut = true;
    return kept;
  }

  media(bytes: number): boolean {
    if (bytes > this.#mediaBytes) return false;
    this.#mediaBytes -= bytes;
    return true;
  }
}

/** Turns one block into what a panel draws. One block always gives one view, so that indexes stay the same. */
export function toContentView(block: ContentBlock | SamplingContent, room: ContentBudget): ContentView {
  const view = toBlockView(block, room);
  const annotations: unknown = 'annotations' in block ? block.annotations : undefined;
  // As short texts for one line: "For the assistant only".
  const texts = annotationFacts(annotations).map(({ name, text }) => room.text(`${name} ${text}`));
  const audience = isRecord(annotations) ? audienceOf(annotations) : [];
  const isForAssistantOnly = audience.length > 0 && audience.every((role) => role === 'assistant');
  return texts.length === 0 ? view : { ...view, annotations: { isForAssistantOnly, texts } };
}

function toBlockView(block: ContentBlock | SamplingContent, room: ContentBudget): BlockView {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: room.text(block.text) };
    case 'image':
    case 'audio':
      return toMediaView(block.type, block.data, block.mimeType, room);
    case 'resource':
      return toResourceView(block.resource, room);
    case 'resource_link':
      return toLinkView(block, room);
    case 'tool_use':
      return { kind: 'toolUse', name: room.text(block.name), input: room.json(block.input) };
    case 'tool_result': {
      const content = room.blocks(block.content).map((part) => toContentView(part, room));
      const structured = block.structuredContent === undefined ? undefined : room.json(block.structuredContent);
      return { kind: 'toolResult', isError: block.isError === true, content, structured };
    }
    case 'unknown':
      return { kind: 'json', json: room.json(block.original) };
  }
}

function toLinkView(link: ResourceLink, room: ContentBudget): BlockView {
  const { uri, description, mimeType, size, icons } = link;
  if (uri.length > maximumAddress) return { kind: 'text', text: room.text(uri) };
  const title = link.title || link.name || uri;
  const icon = itemImage(icons);
  return {
    kind: 'link',
    uri: room.text(uri),
    title: title === uri ? uri : room.text(title),
    ...(isString(description) && description !== '' && { description: room.text(description) }),
    ...(isString(mimeType) && { mimeType: singleLine(mimeType, 100) }),
    ...(typeof size === 'number' && { bytes: size }),
    ...(icon !== undefined && { icon }),
  } satisfies LinkView;
}

/** One picture, sound or film by itself, as small as it may be. */
export function toMediaView(
  kind: MediaView['kind'],
  data: string,
  declaredType: string,
  room: ContentBudget,
): MediaView | OmittedView {
  // `Image/PNG; charset=x` is `image/png`.
  const mimeType = declaredType.slice(0, 200).replace(/;.*/s, '').trim().toLowerCase();
  const bytes = decodedLength(data);
  const said = singleLine(declaredType, 100);
  const omit = (reason: string): OmittedView => ({ kind: 'omitted', mimeType: said, bytes, reason });
  if (!drawable[kind].includes(mimeType)) return omit('This type cannot be shown here.');
  if (!room.media(bytes)) return omit('It is too large to be shown here.');
  const base64 = data.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return omit('Its data is not valid base64.');
  return { kind, mimeType, source: `data:${mimeType};base64,${base64}` };
}

function toResourceView(resource: ResourceContents, room: ContentBudget): ResourceView {
  const { text, blob } = resource;
  const uri = room.text(resource.uri);
  const declaredType = resource.mimeType ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
  const mimeType = singleLine(declaredType, 100);
  if (text !== undefined || blob === undefined) {
    return { kind: 'resource', uri, mimeType, text: room.text(text ?? ''), bytes: Buffer.byteLength(text ?? '') };
  }
  const kind = mediaKinds.find((each) => declaredType.startsWith(`${each}/`));
  const media = kind && toMediaView(kind, blob, declaredType, room);
  const view = { kind: 'resource', uri, mimeType, text: undefined, bytes: decodedLength(blob) } as const;
  return media === undefined || media.kind === 'omitted' ? view : { ...view, media };
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/**
 * What annotations say. Hints of the server (2025-06-18, resources "Annotations").
 * @param annotations unchecked; what is not of the kind the specification gives is left out
 */
export function annotationFacts(annotations: unknown): readonly Fact[] {
  if (!isRecord(annotations)) return [];
  const { priority, lastModified } = annotations;
  const audience = audienceOf(annotations);
  return factsOf({
    For: audience.length > 0 && describeAudience(audience),
    Priority: typeof priority === 'number' && describePriority(priority),
    'Last modified': isString(lastModified) && describeTime(lastModified),
  });
}

function audienceOf({ audience }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(audience) ? [...new Set(audience.slice(0, 10).filter(isString))] : [];
}

function describeAudience(audience: readonly string[]): string {
  const [first = '', ...others] = audience.map((role) => `the ${singleLine(role, 40)}`);
  return others.length === 0 ? `${first} only` : [first, ...others].join(' and ');
}

function describePriority(priority: number): string {
  if (priority === 1) return '1, the most important';
  if (priority === 0) return '0, the least important';
  return `${priority} of 1`;
}

/** An ISO 8601 time in the user's own format; any other text as it is. */
function describeTime(text: string): string {
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? singleLine(text, 100) : timeOf(time);
}

export interface BlockFile {
  /** Safe as a file name, even if the server's own name is not. */
  readonly name: string;
  /** An editor can show it: text, and what VS Code draws itself. PDF is included, as there are extensions for it. */
  readonly canOpen: boolean;
  /** Decodes the content; what is not base64 in it is skipped. */
  readonly bytes: () => Uint8Array;
}

/** Media types that VS Code shows without an extension, by the endings of its own editors. */
const openable = new Set('avif bmp gif ico jpeg jpg png svg webp mp3 oga ogg wav mp4 webm pdf'.split(' '));

/** @returns `undefined` for what is no file: text, links, and content of unknown kinds */
export function toBlockFile(block: ContentBlock): BlockFile | undefined {
  switch (block.type) {
    case 'image':
    case 'audio': {
      const name = fileName(block.type, block.mimeType);
      return { name, canOpen: isOpenable(name), bytes: () => Buffer.from(block.data, 'base64') };
    }
    case 'resource': {
      const { uri, mimeType, text, blob = '' } = block.resource;
      const name = fileName(nameFromUri(uri), mimeType);
      // The contents of a text are never run: an editor shows them as text, whatever the name ends with.
      if (text !== undefined) return { name, canOpen: true, bytes: () => Buffer.from(text, 'utf8') };
      return { name, canOpen: isOpenable(name), bytes: () => Buffer.from(blob, 'base64') };
    }
    case 'text':
    case 'resource_link':
    case 'unknown':
      return undefined;
  }
}

function isOpenable(name: string): boolean {
  return openable.has(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}
