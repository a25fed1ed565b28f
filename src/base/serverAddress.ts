/** Where the requests to a remote server go. */
export interface ServerAddress {
  /** The URL of the requests; its host is `localhost` where they go to a socket. */
  readonly url: URL;
  /** Absolute path of a Unix socket, or of a named pipe of Windows (`\\.\pipe\…`); absent for a host on the network. */
  readonly socketPath?: string;
}

/** Why an address cannot be used. */
export interface AddressProblem {
  /** Continues a sentence that starts with "url". */
  readonly problem: string;
}

/** What an address may start with, for errors. */
const beginnings = '"https://", "http://", "unix:///" or "pipe:///"';

/** The members of an address of a socket, as RFC 3986 (appendix B) separates them. */
const socketAddress = /^(unix|pipe):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** Absolute path of a pipe of this machine, with backslashes: `\pipe\name` as VS Code documents it, or with `\\.`. */
const pipePath = /^(?:\\|\\{2,3}[.?]\\)pipe\\(.+)$/i;

/**
 * Reads the address of a remote server: an `https:` or `http:` URL, or a socket in the way of VS Code. There the path is that of
 * the socket, the fragment is the path of the requests, and those go to `http://localhost`: `unix:///run/my.sock#/mcp`,
 * `pipe:///pipe/name#/mcp` (https://code.visualstudio.com/docs/copilot/reference/mcp-configuration).
 * @param isWindows whether the server is reached from Windows; absent: not known, and sockets of all platforms are accepted
 */
export function parseServerAddress(text: string, isWindows?: boolean): ServerAddress | AddressProblem {
  const [, scheme, authority = '', path = '', query = '', fragment = ''] = socketAddress.exec(text.trim()) ?? [];
  if (scheme === undefined) return parseUrl(text);
  const isPipe = scheme.toLowerCase() === 'pipe';
  const socketPath = isPipe ? readPipePath(authority, decoded(path)) : readSocketPath(authority, decoded(path));
  if (typeof socketPath !== 'string') return socketPath;
  if (isWindows === true && !isPipe)
    return { problem: 'names a Unix socket, and this is Windows: a named pipe is written "pipe:///pipe/name"' };
  if (isWindows === false && isPipe)
    return { problem: 'names a pipe, which only Windows has: a Unix socket is written "unix:///path/of/the.sock"' };
  const url = new URL('http://localhost/');
  url.pathname = decoded(fragment);
  url.search = query;
  return { url, socketPath };
}

function parseUrl(text: string): ServerAddress | AddressProblem {
  if (!URL.canParse(text)) return { problem: `is no whole address; it must start with ${beginnings}` };
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:'
    ? { url }
    : { problem: `must start with ${beginnings}, not "${url.protocol}"` };
}

function readSocketPath(authority: string, path: string): string | AddressProblem {
  if (authority !== '' || !/^\/[^]*[^/]$/.test(path))
    return { problem: 'must have the absolute path of a socket, after three slashes: "unix:///path/of/the.sock"' };
  return checkedPath(path, '/');
}

function readPipePath(authority: string, path: string): string | AddressProblem {
  const [, name] = pipePath.exec(`${authority === '' ? '' : `//${authority}`}${path}`.replaceAll('/', '\\')) ?? [];
  if (name === undefined)
    return { problem: 'must have the path of a named pipe of this machine, such as "pipe:///pipe/name"' };
  return checkedPath(`\\\\.\\pipe\\${name}`, '\\');
}

/** A path with `..` looks like another one than it is, and the platform cuts one with NUL there. */
function checkedPath(path: string, separator: string): string | AddressProblem {
  if (path.split(separator).includes('..')) return { problem: 'must have a path without ".."' };
  return /[\p{Cc}\p{Cs}]/u.test(path) ? { problem: 'has a control character in its path' } : path;
}

/** Decodes what can be decoded, like the URIs of VS Code. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      // Not UTF-8: a percent sign is an ordinary character of a path.
      return bytes;
    }
  });
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
  const name = path.startsWith('\\') ? path.replace(/^\\\\\.\\/, '/').replaceAll('\\', '/') : path;
  return `${path.startsWith('\\') ? 'pipe' : 'unix'}://${encodeURI(name).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}
