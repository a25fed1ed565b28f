/** @returns `1,234`. Does not use `toLocaleString`, whose first call takes tens of milliseconds while the window opens. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** @returns at most `maximum` characters of `text`, followed by a note on how many are missing; never splits a surrogate pair */
export function truncateWithCount(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${truncate(text, maximum)}… (${formatCount(text.length - maximum)} more characters)`;
}

/** @returns at most `maximum` characters of `text`, followed by an ellipsis if some are missing */
export function truncateWithEllipsis(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${truncate(text, maximum)}…`;
}

/** @returns at most `maximum` characters of `text`; never splits a surrogate pair */
export function truncate(text: string, maximum: number): string {
  return text.length <= maximum ? text : text.slice(0, maximum).replace(/[\ud800-\udbff]$/, '');
}

/** @returns the text with its percent encoding decoded; as it is where a percent sign encodes nothing */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The UTF-8 bytes of a text, each as one character: for headers, and for `btoa`. */
export function utf8Characters(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** @returns `undefined` for a text that is not valid base64 */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @returns the text with a capital at its beginning */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
