import { type HttpResponse, networkCode, ProxyError } from '../../base/httpClient.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { originOf, type ServerAddress } from '../../base/serverAddress.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { HttpError } from '../../protocol/httpError.ts';
import type { JsonRpcErrorBody } from '../../protocol/jsonRpc.ts';

/** An address for texts: without user, password and query, which can be secrets. */
export function describeAddress(address: ServerAddress): string {
  const { pathname, search } = address.url;
  const query = search === '' ? '' : '?…';
  // The path of a socket is followed by that of the requests, as in a configuration.
  return originOf(address) + (address.socketPath === undefined ? pathname + query : `${query}#${pathname}`);
}

const maximumExcerptLength = 200;
/** Characters of a page that are searched for text. */
export const maximumScannedLength = 8_192;

/** The text of an error page in one short line, without markup; may be empty. */
export function excerpt(text: string): string {
  const words = plainTextOf(text.slice(0, maximumScannedLength))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return truncateWithEllipsis(words, maximumExcerptLength);
}

function plainTextOf(text: string): string {
  if (!/^\s*[<{]/.test(text)) return text;
  return /^\s*</.test(text) ? withoutMarkup(text) : (messageIn(text) ?? text);
}

function withoutMarkup(text: string): string {
  return text
    .replace(
      /<(head|script|style)\b[^<>]*>[^]*?<\/\1\s*>/gi,
      (element) => /<title\b[^<>]*>([^<]*)/i.exec(element)?.[1] ?? ' ',
    )
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>]/g, ' ');
}

function messageIn(text: string): string | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { error, error_description: description, message, detail } = value;
  const inner = isRecord(error) ? error['message'] : error;
  return [description, message, detail, inner].find(isString);
}

/**
 * `needsSignIn` for 401, else {@link HttpError}.
 * @param words what the server said, in short
 * @param body the JSON-RPC error in the body
 */
export function statusError(
  response: HttpResponse,
  address: string,
  words: string,
  body?: JsonRpcErrorBody,
): PatchbayError {
  const { status } = response;
  const said = words === '' ? '' : `: "${words}"`;
  const reason = reasons[status] === undefined ? '' : ` (${reasons[status]})`;
  const sentence = `The server at ${address} answered with HTTP status ${status}${reason}${said}.`;
  const message = `${sentence} ${statusAdvice(response)}`;
  if (status === 401) return new PatchbayError('needsSignIn', message);
  return new HttpError(status, message, body, response.headers.get('www-authenticate') !== undefined, words);
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function statusAdvice({ status, headers }: HttpResponse): string {
  const retryAfter = headers.get('retry-after');
  if (status === 401)
    return 'It requires authentication: set an "Authorization" header under "headers" in its configuration.';
  if (status === 403) return 'Check that what is set under "headers" allows to use this server.';
  if (status === 404 || status === 405)
    return 'There seems to be no MCP server at this address: check "url" in its configuration.';
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    return /^\d{1,9}$/.test(retryAfter ?? '')
      ? `It asks to try again in ${retryAfter} s.`
      : 'It is too busy: try again later.';
  if (status >= 500) return 'The problem is on the side of the server: see its log, or try again later.';
  return 'Check "url" and "headers" in its configuration, and the log of the server.';
}

/** For a successful status without a usable response. @param what completes "… answered with …" */
export function unusableAnswerError(status: number, address: string, what: string): HttpError {
  const sentence = `The server at ${address} answered with ${what} (HTTP status ${status}).`;
  const advice = 'Check that "url" is the address of an MCP server, and the log of the server.';
  return new HttpError(status, `${sentence} ${advice}`);
}

export function sessionLostError(address: string): PatchbayError {
  const message = `The server at ${address} has forgotten the session; a new one has to be opened.`;
  return new PatchbayError('sessionLost', message);
}

/** The error for a lost response. @param how completes "The connection to the server at … …" */
export function answerLostError(address: string, how: string, cause?: unknown): PatchbayError {
  return new PatchbayError(
    'answerLost',
    `The connection to the server at ${address} ${how}. The request may have been carried out: check before you repeat it.`,
    { cause },
  );
}

/** `unreachable` where the request cannot have arrived, else `answerLost`. @param to where it was sent */
export function networkError(error: unknown, to: ServerAddress): PatchbayError {
  const address = describeAddress(to);
  const refused = (advice: string): PatchbayError =>
    new PatchbayError('unreachable', `The server at ${address} cannot be reached: ${advice}`, { cause: error });
  if (error instanceof ProxyError) return refused(`${error.message}. ${proxyAdvice(error)}`);
  const code = networkCode(error);
  const findAdvice = to.socketPath === undefined ? networkAdvice : socketAdvice;
  const advice = code === undefined ? undefined : findAdvice(code, to.url);
  if (advice === undefined) return answerLostError(address, `broke before it answered${networkReason(error)}`, error);
  return refused(advice);
}

/** The reason why a connection ended, as the continuation of a sentence; empty where unknown. */
export function networkReason(fault: unknown): string {
  const code = networkCode(fault);
  return code === undefined ? '' : ` (${code})`;
}

function proxyAdvice({ status, code }: ProxyError): string {
  const where = 'the setting "http.proxy", or HTTP_PROXY and HTTPS_PROXY in the environment';
  if (status === 407) return `It needs a user and a password: add them to its address in ${where}.`;
  if (status !== undefined) return 'Ask the operator of the proxy whether it allows this server.';
  if (code !== undefined && isTlsCode(code)) return 'Its certificate is not accepted, or it does not speak TLS.';
  return `Check its address (${where}), and your network or VPN.`;
}

/** @returns the end of a sentence, with the next step; `undefined` where the request may have arrived */
function networkAdvice(code: string, url: URL): string | undefined {
  if (code === 'ECONNREFUSED')
    return `nothing listens there (${code}). Start the server, or check the host and port in "url".`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name ${url.hostname} is not known (${code}). Check "url" and your network.`;
  if (/^(?:EADDRNOTAVAIL|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code))
    return `it does not respond (${code}). Check "url", your network, VPN and proxy.`;
  return isTlsCode(code) ? tlsAdvice(code, url) : undefined;
}

/** @returns the end of a sentence; `undefined` where a request may have arrived */
export function socketAdvice(code: string): string | undefined {
  const start = 'Start the server, or check the path in "url".';
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no such socket (${code}). ${start}`;
  if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') return `nothing listens there (${code}). ${start}`;
  if (code === 'EACCES' || code === 'EPERM')
    return `you may not use it (${code}). Check who may use the socket and its folder.`;
  return code === 'EAGAIN' ? `it accepts no more connections (${code}). Try again later.` : undefined;
}

function isTlsCode(code: string): boolean {
  return /CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$|^UNABLE_TO_/.test(code);
}

function tlsAdvice(code: string, { hostname }: URL): string {
  if (/ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE)/.test(code))
    return `it asks for a certificate of its clients, or for another one, and Patchbay has none (${code}).`;
  if (/WRONG_VERSION|PACKET_LENGTH|EPROTO/.test(code))
    return `no secure connection could be made (${code}). If the server speaks plain HTTP, start "url" with "http://".`;
  return `its certificate is not accepted (${code}). Check that it is valid for ${hostname}, and add its authority to those your system trusts.`;
}
