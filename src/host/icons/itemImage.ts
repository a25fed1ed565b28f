import { isRecord, type UnknownRecord } from '../../base/json.ts';

/** A picture for each kind of theme, as `data:` URIs made by Patchbay. */
export interface ItemImage {
  readonly light: string;
  readonly dark: string;
}

/** Characters of Base64: a whole list of pictures goes to the window at once. */
const maximumData = 16_000;
/** Pixels in each direction: what is small to send can be large to draw. */
const maximumSide = 512;
const maximumIcons = 10;

/** A `data:` URI made by Patchbay; `null` while it is fetched; `undefined` if it cannot be fetched. */
export type FetchedIcon = string | null | undefined;

type IconSource = (src: string) => FetchedIcon;

/**
 * The picture a server gives something it lists: a small PNG, JPEG, WebP or GIF file inside the list, else one that the
 * server has at an address of its own. SVG inside the list can hold more than a picture (2025-11-25, basic, "Icons").
 * @param icons unchecked
 * @param fetched absent: nothing is fetched
 */
export function itemImage(icons: unknown, fetched: IconSource = () => undefined): ItemImage | undefined {
  if (!Array.isArray(icons)) return undefined;
  const known = icons.slice(0, maximumIcons).filter((icon) => isRecord(icon));
  const light = forTheme('light', known, fetched);
  const dark = forTheme('dark', known, fetched);
  const either = light ?? dark;
  return either === undefined ? undefined : { light: light ?? either, dark: dark ?? either };
}

/** What is for the theme comes first, then what is for any; of these the one whose size fits best. */
function forTheme(theme: string, icons: readonly UnknownRecord[], fetched: IconSource): string | undefined {
  const distance = (icon: UnknownRecord): number => {
    const isOther = icon['theme'] !== theme;
    return (isOther ? (icon['theme'] === undefined ? 1 : 2) : 0) * 100_000 + sizeDistance(icon['sizes']);
  };
  for (const icon of icons.toSorted((one, other) => distance(one) - distance(other))) {
    const { src } = icon;
    const uri = safeUri(src) ?? (typeof src === 'string' ? fetched(src) : undefined);
    // A worse one would be fetched, and shown, for a moment only.
    if (uri === null) return undefined;
    if (uri !== undefined) return uri;
  }
  return undefined;
}

/** Pixels from the side at which icons are drawn on sharp screens; unknown ones come between large and huge. */
function sizeDistance(sizes: unknown): number {
  const drawn = 32;
  const all = (Array.isArray(sizes) ? sizes : []).flatMap((size: unknown) => {
    if (size === 'any') return [0];
    const side = typeof size === 'string' ? /^(\d{1,5})x\d{1,5}$/.exec(size)?.[1] : undefined;
    if (side === undefined) return [];
    // Smaller ones are blurred.
    return [Number(side) < drawn ? (drawn - Number(side)) * 10 : Number(side) - drawn];
  });
  return all.length === 0 ? 256 : Math.min(...all);
}

/** Written from the decoded bytes, so that no text of the server remains in it. */
function safeUri(src: unknown): string | undefined {
  if (typeof src !== 'string' || src.length > maximumData) return undefined;
  const [, mimeType = '', data = ''] = /^data:([a-z/]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(src) ?? [];
  const bytes = Buffer.from(data, 'base64');
  const size = readImageSize(bytes);
  if (size === undefined || Math.max(size.width, size.height) > maximumSide) return undefined;
  if (size.mimeType !== mimeType.replace('image/jpg', 'image/jpeg')) return undefined;
  return `data:${size.mimeType};base64,${bytes.toString('base64')}`;
}

export interface ImageSize {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  readonly width: number;
  readonly height: number;
}

/** @returns `undefined` for anything but a PNG, JPEG, WebP or GIF with a whole header */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a && text(view, 12) === 'IHDR')
      return { mimeType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint16(0) === 0xffd8) return jpegSize(view);
    if (['GIF87a', 'GIF89a'].includes(text(view, 0) + text(view, 4).slice(0, 2)))
      return { mimeType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (text(view, 0) === 'RIFF' && text(view, 8) === 'WEBP') return webpSize(view);
    return undefined;
  } catch {
    // Read beyond the end: the header is cut.
    return undefined;
  }
}

/** ITU T.81, B.2.2: the size is in the frame header, SOF0 to SOF15 but for DHT, JPG and DAC. */
function jpegSize(view: DataView): ImageSize | undefined {
  let offset = 2;
  while (view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { mimeType: 'image/jpeg', height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    offset += 2 + Math.max(view.getUint16(offset + 2), 2);
  }
  return undefined;
}

/** RFC 9649: extended, lossless and lossy files write their size in three ways. */
function webpSize(view: DataView): ImageSize | undefined {
  const mimeType = 'image/webp';
  switch (text(view, 12)) {
    case 'VP8X':
      return { mimeType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { mimeType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function text(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));
}
