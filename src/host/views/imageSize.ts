/** What the first bytes of a picture say of it. */
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

/** ITU T.81, B.2.2: the size stands in the frame header, SOF0 to SOF15 but for DHT, JPG and DAC. */
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
