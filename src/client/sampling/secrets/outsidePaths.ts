import { percentDecoded } from '../../../base/truncate.ts';
import type { FoundRange } from '../../../secrets/keyFormats.ts';

/** Folders at the top of a POSIX system whose paths say something about the machine or the person. */
const topFolders =
  `home Users root etc var private opt tmp mnt media srv usr proc run sys Volumes Library Applications System workspaces
  workspace nix snap boot data export`.split(/\s+/);

/** Maximum characters of a path that is found; a longer one is cut. */
const maximumPathLength = 500;
/** Where a path in prose ends: white space, quotes, brackets and lists. */
const inPath = `[^\\s"'\`<>|*?;,:()\\[\\]{}\\\\]`;
const inWindowsPath = `[^\\s"'\`<>|*?;,:()\\[\\]{}]`;
const inAddress = `[^\\s"'\`<>|()\\[\\]{}\\\\]`;

/**
 * Creates the function that finds absolute paths outside the roots in one window of a text.
 * @param roots absolute paths of the folders that the server knows about: POSIX, or Windows with a drive or a share
 * @param home the person's home folder
 */
export function createPathFinder(
  roots: readonly string[],
  home: string | undefined,
): (text: string) => readonly FoundRange[] {
  const inside = roots.map((root) => segmentsOf(root)).filter((root) => root !== undefined);
  const pattern = pathPattern([...roots, ...(home === undefined ? [] : [home])]);

  function isOutside(written: string): boolean {
    const path = segmentsOf(absolutePath(written, home));
    if (path === undefined) return true;
    return !inside.some((root) => root.every((segment, index) => path[index] === segment));
  }

  return (text) => {
    const found: FoundRange[] = [];
    for (const match of text.matchAll(pattern)) {
      const path = withoutTrailing(match[0]);
      if (isPath(path) && isOutside(path))
        found.push({ start: match.index, end: match.index + path.length, what: 'a path outside the workspace' });
    }
    return found;
  };
}

/** @param known paths whose first folders are looked for besides the usual ones */
function pathPattern(known: readonly string[]): RegExp {
  const own = known.flatMap((path) => (path.startsWith('/') ? path.split('/').slice(1, 2) : []));
  const tops = [...new Set([...topFolders, ...own])].filter((top) => top !== '').map(escapeRegExp);
  return new RegExp(
    [
      `\\bfile:[\\\\/]{1,3}${inAddress}{1,${maximumPathLength}}`,
      `(?<![A-Za-z0-9])[A-Za-z]:[\\\\/]{1,2}(?![\\\\/])${inWindowsPath}{1,${maximumPathLength}}`,
      `(?<![\\w:.)\\]\\\\])\\\\{2,4}[\\w.$-]{2,60}\\\\{1,2}[\\w$-]{2}${inWindowsPath}{0,${maximumPathLength}}`,
      `(?<![\\w~/.-])(?:~|\\$HOME|\\$\\{HOME\\}|%USERPROFILE%)[\\\\/]{1,2}${inWindowsPath}{1,${maximumPathLength}}`,
      `(?<![\\w/.~%-]|#!)/(?:${tops.join('|')})/${inPath}{1,${maximumPathLength}}`,
    ].join('|'),
    'gi',
  );
}

/** The pattern ignores case for drives and schemes; of POSIX folders at the top, only the written form and lower case count. */
function isPath(path: string): boolean {
  if (!path.startsWith('/')) return path.length > 3;
  const [, top = '', next = ''] = path.split('/');
  // `/USERS/…` and `/Home/…` are routes.
  return (
    next !== '' && (top === top.toLowerCase() || topFolders.includes(top) || !topFolders.includes(top.toLowerCase()))
  );
}

/** Without punctuation of the sentence, and without the line and column that tools write after a path. */
function withoutTrailing(path: string): string {
  return path.replace(/(?::\d{1,7}){1,2}[.,:;!?]{0,3}$/, '').replace(/[.,:;!?&=\\/]{1,20}$/, '');
}

/** A `file:` address as a path, and a path in the home folder as a path from the top. */
function absolutePath(written: string, home: string | undefined): string {
  const address = /^file:[\\/]{1,3}(?:localhost(?=\/))?(.*)$/is.exec(written);
  if (address !== null) return pathOfAddress(written, address[1] ?? '');
  const inHome = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)[\\/]+(.*)$/is.exec(written);
  // Without a home folder nothing is inside of it.
  return inHome === null ? written : `${home ?? '~'}/${inHome[1]}`;
}

function pathOfAddress(address: string, rest: string): string {
  const path = percentDecoded(rest.replace(/[?#].*$/s, ''));
  if (/^\/?[A-Za-z]:/.test(path)) return path.replace(/^\//, '');
  // `file://server/share` has a host; `file:/path` and `file:///path` have none.
  return /^file:\/\/[^/]/i.test(address) && !/^file:\/\/localhost\//i.test(address) ? `//${path}` : `/${path}`;
}

/**
 * The folders of an absolute path with `.` and `..` resolved, the drive or share first; in lower case on Windows.
 * @returns `undefined` for a path that is not absolute
 */
function segmentsOf(path: string): readonly string[] | undefined {
  const drive = /^[\\/]?([A-Za-z]:)(?=[\\/]|$)/.exec(path);
  const isShare = /^(?:\\\\|\/\/)[^\\/]/.test(path);
  const isWindows = drive !== null || isShare;
  if (!isWindows && !path.startsWith('/')) return undefined;
  const start = drive === null ? [isShare ? '//' : '/'] : [];
  const segments: string[] = [...start];
  const text = (isWindows ? path.toLowerCase() : path).replace(/^[\\/]+/, '');
  for (const segment of text.split(isWindows ? /[\\/]+/ : /\/+/)) {
    if (segment === '..') segments.length = Math.max(1, segments.length - 1);
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
