import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { HttpError } from '../../protocol/httpError.ts';
import type { JsonRpcErrorBody } from '../../protocol/jsonRpc.ts';
import { type MessageExcess, tooLargeProblem } from '../messageLimits.ts';

/** A URL as it may be shown: a user, a password and the values of a query can be secrets. */
export function describeAddress({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

const shownLength = 200;
/** Enough of a page to find its words; what follows is not searched. */
const readLength = 8_192;

/** The words of an error page, without markup, in one short line. Empty when there are none. */
export function excerpt(text: string): string {
  const words = wordsOf(text.slice(0, readLength))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return words.length > shownLength ? `${words.slice(0, shownLength)}…` : words;
}

function wordsOf(text: string): string {
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

/** What frameworks put into JSON instead of a page. */
function messageIn(text: string): string | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { error, error_description: description, message, detail } = value;
  const inner = isRecord(error) ? error['message'] : error;
  return [description, message, detail, inner].find(isString);
}

/** @returns `undefined` for text that is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Puts an answer that refuses a request into words.
 * @param text its body, as far as it was read
 * @param body the JSON-RPC error in it
 */
export function statusProblem(
  response: Response,
  address: string,
  text: string,
  body?: JsonRpcErrorBody,
): PatchbayError {
  const { status } = response;
  const words = excerpt(body?.message ?? text);
  const said = words === '' ? '' : `: "${words}"`;
  const sentence = `The server at ${address} answered with HTTP status ${status}${reasonOf(status)}${said}.`;
  const message = `${sentence} ${adviceFor(response)}`;
  if (status === 401) return new PatchbayError('needsSignIn', message);
  return new HttpError(status, message, { body, hasChallenge: response.headers.has('www-authenticate') });
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

function reasonOf(status: number): string {
  const reason = reasons[status];
  return reason === undefined ? '' : ` (${reason})`;
}

function adviceFor({ status, headers }: Response): string {
  switch (status) {
    case 401:
      return 'It wants to know who you are: set an "Authorization" header under "headers" in its configuration.';
    case 403:
      return 'Check that what is set under "headers" allows to use this server.';
    case 404:
    case 405:
      return 'There seems to be no MCP server at this address: check "url" in its configuration.';
    case 429:
      return waitAdvice(headers.get('retry-after'));
    case 503:
      return headers.has('retry-after') ? waitAdvice(headers.get('retry-after')) : serverAdvice;
    default:
      return status >= 500
        ? serverAdvice
        : 'Check "url" and "headers" in its configuration, and the log of the server.';
  }
}

const serverAdvice = 'The problem is on the side of the server: see its log, or try again later.';

function waitAdvice(retryAfter: string | null): string {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return 'It is too busy: try again later.';
  return `It asks to try again in ${retryAfter} s.`;
}

/** A success that is none: nothing in it is the answer. @param what completes "The server at … answered with …" */
export function unusableAnswer(status: number, address: string, what: string): HttpError {
  return new HttpError(
    status,
    `The server at ${address} answered with ${what} (HTTP status ${status}). Check that "url" is the address of an MCP server, and the log of the server.`,
  );
}

export function sessionLost(address: string): PatchbayError {
  return new PatchbayError(
    'sessionLost',
    `The server at ${address} has forgotten the session; a new one has to be opened.`,
  );
}

/** @param how completes "The connection to the server at … …": "ended before the answer was complete" */
export function answerLost(address: string, how: string, cause?: unknown): PatchbayError {
  return new PatchbayError(
    'answerLost',
    `The connection to the server at ${address} ${how}. The request may have been carried out: check before you repeat it.`,
    { cause },
  );
}

export function tooLarge(address: string, excess: MessageExcess, limits: MessageLimits): PatchbayError {
  return tooLargeProblem(`The server at ${address}`, excess, limits);
}
