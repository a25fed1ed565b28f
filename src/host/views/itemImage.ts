import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { readImageSize } from './imageSize.ts';
import type { FetchedIcon } from './fetchedIcons.ts';

/** A picture for each kind of theme, as `data:` URIs of ours. */
export interface ItemImage {
  readonly light: string;
  readonly dark: string;
}

/** Characters of Base64: a whole list of pictures goes to the window at once. */
const maximumData = 16_000;
/** Pixels in each direction: what is small to send can be large to draw. */
const maximumSide = 512;
const maximumIcons = 10;

/** An address of a picture as it may be shown: see {@link FetchedIcons.of}. */
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

/** Written anew from what the bytes are, so that nothing of the server's own text is left in it. */
function safeUri(src: unknown): string | undefined {
  if (typeof src !== 'string' || src.length > maximumData) return undefined;
  const [, mimeType = '', data = ''] = /^data:([a-z/]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(src) ?? [];
  const size = readImageSize(decode(data));
  if (size === undefined || Math.max(size.width, size.height) > maximumSide) return undefined;
  return size.mimeType === mimeType.replace('image/jpg', 'image/jpeg')
    ? `data:${size.mimeType};base64,${data}`
    : undefined;
}

function decode(data: string): Uint8Array {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    // Not Base64: no picture.
    return new Uint8Array();
  }
}
