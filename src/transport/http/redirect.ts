import { HttpError } from '../../protocol/httpError.ts';
import { describeAddress, excerpt } from './httpProblems.ts';

/**
 * The target of a redirect. Only redirects to the same origin are followed, to protect headers and body, and only those
 * that keep method and body (RFC 9110, section 15.4).
 * @returns `undefined` for other responses
 * @throws {HttpError} for a redirect that is not followed; it names the new address
 */
export function redirectTarget(response: Response, method: string, from: URL): URL | undefined {
  const { status } = response;
  // Browsers hide the target of a redirect.
  if (response.type === 'opaqueredirect')
    throw refusal(302, from, 'to another address', 'Find out the final address and use that as "url".');
  const location = isRedirect(status) ? response.headers.get('location') : null;
  if (location === null) return undefined;
  if (!URL.canParse(location, from))
    throw refusal(status, from, `to "${excerpt(location)}", which is no address`, 'Check "url" in its configuration.');
  const target = new URL(location, from);
  const address = describeAddress(target);
  const advice = `If that is right, change "url" in its configuration to the new address.`;
  if (target.origin !== from.origin)
    throw refusal(status, from, `from ${from.origin} to another origin, ${address}; nothing was sent there`, advice);
  if (method !== 'GET' && status !== 307 && status !== 308)
    throw refusal(status, from, `to ${address} in a way that drops the message`, advice);
  return target;
}

/** The error for too many redirects of one request. */
export function tooManyRedirects(from: URL, status: number): HttpError {
  return refusal(status, from, 'again and again', 'Check "url" in its configuration, and the server.');
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function refusal(status: number, from: URL, where: string, advice: string): HttpError {
  return new HttpError(
    status,
    `The server at ${describeAddress(from)} redirects ${where} (HTTP status ${status}). ${advice}`,
  );
}
