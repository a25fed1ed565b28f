import { isPatchbayError, PatchbayError } from '../../base/errors.ts';
import { isRecord, isString } from '../../base/json.ts';
import { answerLost, describeAddress } from './httpProblems.ts';

/**
 * The error for a failed `fetch`: `unreachable` where the request cannot have arrived, else `answerLost`.
 * @param url the URL of the request
 */
export function networkProblem(error: unknown, url: URL): PatchbayError {
  const address = describeAddress(url);
  const code = networkCode(error);
  const advice = code === undefined ? blockedPortAdvice(error, url) : adviceFor(code, url);
  if (advice === undefined) return answerLost(address, `broke before it answered${reasonOf(error)}`, error);
  return new PatchbayError('unreachable', `The server at ${address} cannot be reached: ${advice}`, { cause: error });
}

/** The platform's error code, such as `ECONNRESET`. */
export function networkCode(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = isRecord(cause) ? cause['code'] : undefined;
  return isString(code) ? code : undefined;
}

/** The reason why a connection ended, as the continuation of a sentence; empty where unknown. */
export function reasonOf(fault: unknown): string {
  const code = networkCode(fault);
  if (code === undefined) return '';
  return isSilence(fault)
    ? `, because nothing came for longer than fetch waits here, five minutes as a rule (${code})`
    : ` (${code})`;
}

/**
 * True where the platform closed a connection without data, which is not a failure of the server: see
 * `createUnlimitedFetch`.
 */
export function isSilence(error: unknown): boolean {
  const fault = isPatchbayError(error) ? error.cause : error;
  return ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].includes(networkCode(fault) ?? '');
}

/** `fetch` refuses ports that belong to other protocols (Fetch, "Port blocking"). */
function blockedPortAdvice(error: unknown, { port }: URL): string | undefined {
  const isBlocked = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
  return isBlocked ? `port ${port} is reserved for something else. Let the server listen on another.` : undefined;
}

/** @returns the end of a sentence, with the next step; `undefined` where the request may have arrived */
function adviceFor(code: string, url: URL): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens there (${code}). Start the server, or check the host and port in "url".`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${url.hostname} is not known (${code}). Check "url" and your network.`;
    case 'EADDRNOTAVAIL':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `it does not respond (${code}). Check "url", your network, VPN and proxy.`;
    default:
      return isTlsCode(code) ? tlsAdvice(code, url) : undefined;
  }
}

function isTlsCode(code: string): boolean {
  return /CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$|^UNABLE_TO_/.test(code);
}

function tlsAdvice(code: string, { hostname }: URL): string {
  if (/WRONG_VERSION|PACKET_LENGTH|EPROTO/.test(code))
    return `no secure connection could be made (${code}). If the server speaks plain HTTP, let "url" begin with "http://".`;
  return `its certificate is not accepted (${code}). Check that it is valid for ${hostname}, and add its authority to those your system trusts.`;
}
