/** Small letters, digits and a few signs stand for themselves, any other byte of the UTF-8 form for `~hh`. */
export function encodeSegment(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  // A path has no empty segments.
  return encoded === '' ? '~' : encoded;
}

/** @returns `undefined` for what {@link encodeSegment} never made */
export function decodeSegment(encoded: string): string | undefined {
  if (encoded === '~') return '';
  if (!/^(?:[a-z0-9_-]|~[0-9a-f]{2})+$/.test(encoded)) return undefined;
  const bytes = Array.from(encoded.matchAll(/~(..)|(.)/g), ([, hex, character]) =>
    hex === undefined ? (character ?? '').charCodeAt(0) : Number.parseInt(hex, 16),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    // Bytes nobody encoded.
    return undefined;
  }
}
