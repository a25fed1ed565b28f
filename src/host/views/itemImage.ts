import { isRecord } from '../../base/json.ts';
import { readImageSize } from './imageSize.ts';

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

/**
 * The picture a server gives something it lists, if it can be shown without fetching anything and without harm: small
 * PNG, JPEG and WebP files inside the list. SVG can hold more than a picture (2025-11-25, basic, "Icons").
 * @param icons unchecked
 */
export function itemImage(icons: unknown): ItemImage | undefined {
  if (!Array.isArray(icons)) return undefined;
  const images = icons.slice(0, maximumIcons).flatMap((icon: unknown) => {
    if (!isRecord(icon)) return [];
    const uri = safeUri(icon['src']);
    return uri === undefined ? [] : [{ uri, theme: icon['theme'] }];
  });
  const [first] = images;
  if (first === undefined) return undefined;
  const forTheme = (theme: string): string =>
    (images.find((image) => image.theme === theme) ?? images.find((image) => image.theme === undefined) ?? first).uri;
  return { light: forTheme('light'), dark: forTheme('dark') };
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
