const prefix = '=?base64?';
const suffix = '?=';

/** Encodes any text as a header value (2026-07-28, Basic / Transports / Streamable HTTP, "Value Encoding"). */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^[ -~]*$/.test(value) && value.trim() === value;
  const looksEncoded = value.startsWith(prefix) && value.endsWith(suffix);
  return isPlain && !looksEncoded ? value : `${prefix}${toBase64(value)}${suffix}`;
}

/** Padded Base64 of the UTF-8 bytes. */
function toBase64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
