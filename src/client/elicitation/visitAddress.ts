import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';
import { readHostName } from './hostName.ts';

/** An address a server wants the user to visit, ready to be shown whole; nothing but `href` is ever opened. */
export interface VisitAddress {
  /** ASCII only, as the browser will get it. */
  readonly href: string;
  /** The part of `href` that says whose page it is, and what stands before and after it. */
  readonly host: string;
  readonly before: string;
  readonly after: string;
  /** What to look at twice, full sentences. */
  readonly warnings: readonly string[];
}

const maximumLength = 8_000;

/**
 * Checks the address of an elicitation: only https, http on this computer alone, nobody's name or password in it
 * (client, "Safe URL Handling"). It is never fetched.
 * @throws {JsonRpcError} `-32602`, saying why it cannot be shown to anybody
 */
export function readVisitAddress(text: string): VisitAddress {
  if (text.length > maximumLength || !URL.canParse(text)) throw refused('it is not an absolute address');
  const url = new URL(text);
  const { href, host, hostname, protocol } = url;
  if (url.username !== '' || url.password !== '') throw refused('it holds a user name or a password');
  const isLocal = isLoopback(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
    throw refused('only https: addresses can be opened, and http: ones on this computer');
  }
  const start = protocol.length + 2;
  return {
    href,
    host,
    before: href.slice(0, start),
    after: href.slice(start + host.length),
    warnings: warningsOf(hostname, isLocal),
  };
}

function warningsOf(hostname: string, isLocal: boolean): string[] {
  if (isLocal) return ['This address leads to a program on your own computer.'];
  if (/^\[|^[\d.]+$/.test(hostname)) return ['This host is a bare number, which does not say whose it is.'];
  const { unicode, isMixed } = readHostName(hostname);
  if (unicode === hostname) return [];
  const reading = `The host reads "${unicode}", but its real name is ${hostname}.`;
  const advice = isMixed
    ? 'It mixes letters of different alphabets that may look alike: this is how well-known names are imitated.'
    : 'Its letters may look like those of another name.';
  return [`${reading} ${advice}`];
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}

function refused(reason: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid elicitation request: url cannot be used: ${reason}`);
}
