import { PatchbayError } from '../../base/errors.ts';
import { describeHostKind, isThisComputer } from '../../base/hostKind.ts';
import { readHostName } from '../../base/hostName.ts';
import { ErrorCodes, JsonRpcError } from '../../protocol/jsonRpc.ts';

/** A checked URL of a server, in parts for showing it completely. Only `href` is ever opened. */
export interface CheckedUrl {
  /** ASCII only, exactly as it is passed to the browser. */
  readonly href: string;
  /** The host in `href`, and the text before and after it. */
  readonly host: string;
  readonly before: string;
  readonly after: string;
  /** Warnings for the person, full sentences. */
  readonly warnings: readonly string[];
}

const maximumLength = 8_000;

/**
 * Checks the URL of an elicitation: https only, or http on this computer, without user name and password (2025-11-25,
 * Client Features / Elicitation, "Safe URL Handling"). It is never fetched.
 * @throws {JsonRpcError} `-32602` with the reason
 */
export function checkElicitationUrl(text: string): CheckedUrl {
  const httpsOnly = 'only https: addresses can be opened, and http: ones on this computer';
  const read = checkUrl(text, httpsOnly);
  if (typeof read === 'string') throw invalidUrl(read);
  if (read.isPlain) throw invalidUrl(httpsOnly);
  return read.address;
}

/**
 * Checks the URL of a link in a server's text. Many pages still use http:, so these links are opened with a warning. Unlike
 * an elicitation, no request waits for the visit, and no input of the person is expected there.
 * @throws {PatchbayError} `invalidMessage` with the reason
 */
export function checkLinkUrl(text: string): CheckedUrl {
  const read = checkUrl(text, 'only addresses of web pages can be opened');
  if (typeof read === 'string') throw new PatchbayError('invalidMessage', `The link cannot be opened: ${read}.`);
  const { address, isPlain } = read;
  const warning = 'The page is not encrypted: others on the network can read or change it.';
  return isPlain ? { ...address, warnings: [...address.warnings, warning] } : address;
}

/** @returns why the URL is refused, as the end of a sentence; or the URL, and whether it is http: on another computer */
function checkUrl(
  text: string,
  noWebPage: string,
): string | { readonly address: CheckedUrl; readonly isPlain: boolean } {
  if (text.length > maximumLength || !URL.canParse(text)) return 'it is not an absolute address';
  const url = new URL(text);
  const { href, host, hostname, protocol } = url;
  if (url.username !== '' || url.password !== '') return 'it holds a user name or a password';
  if (protocol !== 'https:' && protocol !== 'http:') return noWebPage;
  const start = protocol.length + 2;
  const address = {
    href,
    host,
    before: href.slice(0, start),
    after: href.slice(start + host.length),
    warnings: warningsOf(hostname),
  };
  return { address, isPlain: protocol === 'http:' && !isThisComputer(hostname) };
}

function warningsOf(hostname: string): string[] {
  const place = describeHostKind(hostname);
  if (place !== undefined)
    return [`This address leads to ${place === 'this computer' ? 'a program on your own computer' : place}.`];
  if (/^\[|^[\d.]+$/.test(hostname)) return ['This host is a bare number, which does not say whose it is.'];
  const { unicode, isMixed } = readHostName(hostname);
  if (unicode === hostname) return [];
  const reading = `The host reads "${unicode}", but its real name is ${hostname}.`;
  const advice = isMixed
    ? 'It mixes letters of different alphabets that may look alike: this is how well-known names are imitated.'
    : 'Its letters may look like those of another name.';
  return [`${reading} ${advice}`];
}

function invalidUrl(reason: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid elicitation request: url cannot be used: ${reason}`);
}
