import { lazyPattern } from '../../base/memoize.ts';

/** File extensions by media type; the first is added where a name has none of them. */
const extensions: Readonly<Record<string, readonly string[]>> = {
  'application/gzip': ['gz'],
  'application/javascript': ['js', 'mjs', 'cjs'],
  'application/json': ['json'],
  'application/pdf': ['pdf'],
  'application/sql': ['sql'],
  'application/toml': ['toml'],
  'application/typescript': ['ts'],
  'application/x-sh': ['sh'],
  'application/xml': ['xml'],
  'application/yaml': ['yaml', 'yml'],
  'application/zip': ['zip'],
  'application/x-tar': ['tar'],
  'audio/aac': ['aac'],
  'audio/flac': ['flac'],
  'audio/mp3': ['mp3'],
  'audio/mp4': ['m4a'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['ogg'],
  'audio/wav': ['wav'],
  'audio/wave': ['wav'],
  'audio/webm': ['webm'],
  'audio/x-wav': ['wav'],
  'image/avif': ['avif'],
  'image/bmp': ['bmp'],
  'image/gif': ['gif'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/svg+xml': ['svg'],
  'image/tiff': ['tiff', 'tif'],
  'image/webp': ['webp'],
  'image/x-icon': ['ico'],
  'text/css': ['css'],
  'text/csv': ['csv'],
  'text/html': ['html', 'htm'],
  'text/javascript': ['js', 'mjs', 'cjs'],
  'text/markdown': ['md', 'markdown'],
  'text/plain': ['txt'],
  'text/x-python': ['py'],
  'text/x-typescript': ['ts'],
  'text/xml': ['xml'],
  'text/yaml': ['yaml', 'yml'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
};

/** Types VS Code opens in editors that run something of their own; shown as text instead. */
const disarmed: Readonly<Record<string, string>> = { ipynb: 'json', 'code-workspace': 'json' };

const maximumLength = 80;

const unseen = lazyPattern('[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]+', 'gu');

/**
 * A name for the tab of a document: safe as one segment of a path, with the extension its type asks for. A text keeps an
 * extension of its own; a picture or a sound must have the right one to be shown.
 */
export function fileName(text: string, mimeType?: string): string {
  const name = cleanName(text);
  const own = /[^.]\.([\w-]{1,14})$/.exec(name)?.[1]?.toLowerCase();
  const unarmed = own === undefined ? undefined : disarmed[own];
  if (unarmed !== undefined) return `${name}.${unarmed}`;
  const wanted = extensions[(mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''] ?? [];
  const [first] = wanted;
  if (first === undefined || (own !== undefined && wanted.includes(own))) return name;
  return own !== undefined && !/^(?:image|audio|video)\//i.test(mimeType ?? '') ? name : `${name}.${first}`;
}

/** @returns what the name of a file says that it is; `undefined` for text, and for what nothing shows */
export function mediaKindOf(path: string) {
  const own = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  // What may be a sound or a film, `.webm`, is taken for a film, whose viewer plays both.
  const type = Object.keys(extensions).findLast((each) => extensions[each]?.includes(own) === true) ?? '';
  const kind = /^(?:application\/(pdf)|(?!image\/svg)(image|audio|video)\/.*)$/.exec(type);
  return (kind?.[1] ?? kind?.[2]) as 'image' | 'audio' | 'video' | 'pdf' | undefined;
}

/** The name to show where a server gives none: the end of the path, else the whole URI. */
export function nameFromUri(uri: string): string {
  const [path = ''] = uri.split(/[?#]/);
  const last = path.split('/').findLast((segment) => segment !== '') ?? '';
  try {
    return decodeURIComponent(last) || uri;
  } catch {
    // Not percent-encoded after all.
    return last || uri;
  }
}

/** Numbers the repeated names of a list: `a.md`, `a (2).md`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    let count = counts.get(name) ?? 1;
    while (taken.has(unique.toLowerCase())) {
      count += 1;
      unique = name.replace(/(\.[^.]*)?$/, ` (${count})$1`);
    }
    counts.set(name, count);
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Names that Windows takes for devices, whatever extension they have. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[\d\xb2\xb3\xb9]|con(?:in|out)\$) *(?:\.|$)/i;

function cleanName(text: string): string {
  const clean = text
    .slice(0, 500)
    .replace(unseen(), ' ')
    .replace(/[/\\:*?"<>|]+/g, '_')
    .trim();
  // The end of a long name says more than its middle, and holds the extension.
  const short = clean.length > maximumLength ? `${clean.slice(0, maximumLength - 21)}…${clean.slice(-20)}` : clean;
  // Windows leaves out dots and blanks at the end.
  const kept = short.replace(/[. ]+$/, '');
  if (kept === '') return 'resource';
  return device.test(kept) ? `_${kept}` : kept;
}

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
  try {
    return decodeURIComponent(encoded.replaceAll('~', '%'));
  } catch {
    // Not UTF-8: not made by `encodeSegment`.
    return undefined;
  }
}
