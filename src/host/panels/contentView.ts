import type { ContentBlock, ResourceContents } from '../../protocol/mcp/content.ts';
import type { SamplingContent } from '../../protocol/mcp/sampling.ts';
import type { ContentView, ResourceView } from '../../shared/content.ts';

type MediaView = Extract<ContentView, { readonly kind: 'image' | 'audio' | 'omitted' }>;

/**
 * What may become a `data:` URI in a panel. SVG is in: inside `<img>` it runs no script and loads nothing.
 * Types that only look harmless (`text/html` called an image by its server) never match.
 */
const drawable = {
  image: [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/bmp',
    'image/x-icon',
    'image/svg+xml',
  ],
  audio: [
    'audio/mpeg',
    'audio/mp3',
    'audio/wav',
    'audio/x-wav',
    'audio/wave',
    'audio/ogg',
    'audio/webm',
    'audio/aac',
    'audio/mp4',
    'audio/flac',
  ],
} as const;

/** Larger media would stall the editor; they can still be saved or opened as a resource. */
const maximumMediaBytes = 20_000_000;

/** Turns one block into what a panel draws. One block always gives one view, so that indexes stay the same. */
export function toContentView(block: ContentBlock | SamplingContent): ContentView {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return toMediaView(block.type, block.data, block.mimeType);
    case 'resource':
      return toResourceView(block.resource);
    case 'resource_link':
      return { kind: 'link', uri: block.uri, title: block.title || block.name || block.uri };
    case 'tool_use':
      return { kind: 'toolUse', name: block.name, input: toJson(block.input) };
    case 'tool_result':
      return { kind: 'toolResult', isError: block.isError === true, content: block.content.map(toContentView) };
    case 'unknown':
      return { kind: 'json', json: toJson(block.original) };
  }
}

/** JSON for people: two spaces, and a sentence where a value cannot be written. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'null';
}

function toMediaView(kind: 'image' | 'audio', data: string, declaredType: string): MediaView {
  const mimeType = bareMimeType(declaredType);
  const base64 = data.replace(/\s+/g, '');
  const bytes = decodedLength(base64);
  const omit = (reason: string): MediaView => ({ kind: 'omitted', mimeType: declaredType, bytes, reason });
  if (!(drawable[kind] as readonly string[]).includes(mimeType)) return omit('This type cannot be shown here.');
  if (bytes > maximumMediaBytes) return omit('It is too large to be shown here.');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return omit('Its data is not valid base64.');
  return { kind, mimeType, source: `data:${mimeType};base64,${base64}` };
}

function toResourceView(resource: ResourceContents): ResourceView {
  const { uri, text, blob } = resource;
  const mimeType = resource.mimeType ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
  if (text !== undefined || blob === undefined) {
    return { kind: 'resource', uri, mimeType, text: text ?? '', bytes: new TextEncoder().encode(text ?? '').length };
  }
  const media = toResourceMedia(blob, mimeType);
  return { kind: 'resource', uri, mimeType, text: undefined, bytes: decodedLength(blob), ...(media && { media }) };
}

function toResourceMedia(blob: string, mimeType: string): ResourceView['media'] {
  const [kind] = mimeType.split('/');
  if (kind !== 'image' && kind !== 'audio') return undefined;
  const view = toMediaView(kind, blob, mimeType);
  return view.kind === 'omitted' ? undefined : view;
}

/** `Image/PNG; charset=x` is `image/png`. */
function bareMimeType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
