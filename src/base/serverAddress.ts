import { lazyPattern } from './memoize.ts';
import { percentDecoded } from './truncate.ts';

export interface ServerAddress {
  /** The URL of the requests; its host is `localhost` where they go to a socket. */
  readonly url: URL;
  /** Absolute path of a Unix socket, or of a named pipe of Windows (`\\.\pipe\…`); absent for a host on the network. */
  readonly socketPath?: string | undefined;
}

/** Of the path of a Unix socket on macOS; on Linux it is 107. */
const maximumSocketBytes = 103;
const maximumPipeLength = 256;

/** Continues "must be", for a text that {@link parseServerAddress} cannot read. */
export const addressForms =
  'an address that starts with "https://" or "http://", or the absolute path of a socket without ".." and of at most 103 bytes, as in "unix:///path/of/the.sock#/mcp" or "pipe:///pipe/name#/mcp"';

/** Scheme, authority, path, query and fragment of the address of a socket, as RFC 3986 (appendix B) separates them. */
const socketAddress = /^(unix|pipe):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;
/** A pipe of this machine, with backslashes: `\pipe\name`, or with `\\.`. */
const pipePath = /^(?:\\|\\{2,3}[.?]\\)pipe(\\.+)$/i;
/** The platform cuts a path at NUL, and Node 20 one that is longer than the platform allows: another socket would be reached. */
const controlOrLoneSurrogate = lazyPattern('[\\p{Cc}\\p{Cs}]');

/**
 * Reads the address of a remote server: an `https:` or `http:` URL, or a socket in the way of VS Code. There the path is that of
 * the socket, the fragment is the path of the requests, and those go to `http://localhost`: `unix:///run/my.sock#/mcp`,
 * `pipe:///pipe/name#/mcp` (https://code.visualstudio.com/docs/copilot/reference/mcp-configuration).
 * @returns `undefined` for what is none; see {@link addressForms}
 */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const [, scheme, authority = '', path = '', query = '', fragment = ''] = socketAddress.exec(text.trim()) ?? [];
  if (scheme === undefined) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) ? { url } : undefined;
  }
  const read = scheme.toLowerCase() === 'unix' ? readSocketPath : readPipePath;
  const socketPath = read(authority, decoded(path));
  if (socketPath === undefined || controlOrLoneSurrogate().test(socketPath)) return undefined;
  const url = new URL('http://localhost/');
  url.pathname = decoded(fragment);
  url.search = query;
  return { url, socketPath };
}

/** A path with `..` looks like another one than it is. */
function readSocketPath(authority: string, path: string): string | undefined {
  const isAbsolute = authority === '' && /^\/[^]*[^/]$/.test(path);
  return isAbsolute && fitsSocket(path) && !path.split('/').includes('..') ? path : undefined;
}

/** @returns whether a path is short enough for a socket of every platform, or a pipe of Windows */
export function fitsSocket(path: string): boolean {
  return path.startsWith('/')
    ? path.length <= maximumSocketBytes && new TextEncoder().encode(path).length <= maximumSocketBytes
    : path.length <= maximumPipeLength;
}

function readPipePath(authority: string, path: string): string | undefined {
  const whole = authority === '' ? path : `//${authority}${path}`;
  const name = pipePath.exec(whole.replaceAll('/', '\\'))?.[1];
  return name === undefined || !fitsSocket(name) || name.split('\\').includes('..') ? undefined : `\\\\.\\pipe${name}`;
}

/** Decodes what can be decoded, like the URIs of VS Code. A percent sign may be an ordinary character of a path. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, percentDecoded);
}

/** The host of an address with its port, or its socket: what a person has to recognize. */
export function hostOf({ url, socketPath }: ServerAddress): string {
  return socketPath === undefined ? url.host : socketUrl(socketPath);
}

/** The origin of an address, or its socket: secrets and options for one address are for all with the same. */
export function originOf({ url, socketPath }: ServerAddress): string {
  return socketPath === undefined ? url.origin : socketUrl(socketPath);
}

/** The path of a socket as {@link parseServerAddress} reads it, without the path of the requests. */
export function socketUrl(path: string): string {
  const url = path.startsWith('/')
    ? `unix://${encodeURI(path)}`
    : `pipe://${encodeURI(path.slice(3).replaceAll('\\', '/'))}`;
  return url.replaceAll('?', '%3F').replaceAll('#', '%23');
}
