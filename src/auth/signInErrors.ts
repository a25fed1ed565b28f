import { type AuthSettings, secretMembersOf } from '../base/authSettings.ts';
import { isPatchbayError, PatchbayError } from '../base/errors.ts';
import type { MissingSignIn } from './ports.ts';

/** An authorization server refused with a code of OAuth's (RFC 6749, 4.1.2.1 and 5.2). */
export class OAuthRefusal extends PatchbayError {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super('needsSignIn', message);
    this.reason = reason;
  }
}

/** Nobody is there to be asked just now. Counts for one request: the next may come from somebody who is. */
export class UnattendedSignIn extends PatchbayError {
  constructor(label: string) {
    super('needsSignIn', `“${label}” needs you to sign in.`);
  }
}

/** A person has said no, or has given up: no news to them. */
export class DeclinedSignIn extends PatchbayError {
  constructor(label: string, how: 'declined' | 'unfinished' | 'unconfirmed') {
    super('needsSignIn', declinedWords[how](label));
  }
}

const declinedWords = {
  declined: (label: string) => `“${label}” needs you to sign in, and you have not done so.`,
  unfinished: (label: string) => `You have not finished signing in to “${label}”.`,
  unconfirmed: (label: string) =>
    `Signing in to “${label}” stopped: its authorization server uses addresses of other hosts, or answers without saying who it is, and you have not allowed that.`,
} as const;

/** What stood in the way of a sign-in. */
export function missingSignInReason(error: unknown): MissingSignIn {
  if (error instanceof UnattendedSignIn) return 'unasked';
  return error instanceof DeclinedSignIn ? 'declined' : 'failed';
}

/** Signing in did not work out; `what` is a sentence. */
export function signInFailed(what: string, cause?: unknown): PatchbayError {
  return new PatchbayError('needsSignIn', what, cause === undefined ? undefined : { cause });
}

/** A server that signing in needs does not answer just now. Worth trying again later. */
export function serverUnavailable(what: string, cause?: unknown): PatchbayError {
  return new PatchbayError('unreachable', what, cause === undefined ? undefined : { cause });
}

/** True when the same may work in a while (RFC 6749, 4.1.2.1). */
export function isTransient(error: unknown): boolean {
  if (error instanceof OAuthRefusal) return /^(?:temporarily_unavailable|server_error|slow_down)$/.test(error.reason);
  if (error instanceof UnattendedSignIn) return true;
  return isPatchbayError(error, 'unreachable');
}

/** What a server says, fit for one line of an error: bounded, without control characters and line breaks. */
export function quoted(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return `“${line}”`;
}

/** An address without what may hold secrets: user, query and fragment. */
export function urlWithoutSecrets(url: URL | string): string {
  if (typeof url === 'string' && !URL.canParse(url)) return quoted(url);
  const { origin, protocol, host, pathname } = new URL(url);
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`.slice(0, 300);
}

/** The settings hold secrets, but do not say which authorization server may get them. Nothing was sent. */
export class MissingIssuer extends PatchbayError {
  /** The authorization server that the MCP server names. */
  readonly issuer: string;

  constructor(label: string, members: readonly string[], issuer: string) {
    super(
      'needsIssuer',
      `Nothing was sent to sign in to “${label}”: "auth" holds ${members.map((name) => `"${name}"`).join(', ')}, and no "issuer" that says which authorization server may get it. The server points to ${quoted(issuer)}: set "issuer" to that if you registered there.`,
    );
    this.issuer = issuer;
  }
}

/** Secrets go to the authorization server that the settings name, never to one that only the MCP server names. */
export function isBoundTo(issuer: string, settings: AuthSettings): boolean {
  return settings.issuer === issuer || secretMembersOf(settings).length === 0;
}

/**
 * @param issuer that the MCP server names
 * @throws {MissingIssuer}
 */
export function checkBinding(label: string, issuer: string, settings: AuthSettings): void {
  if (!isBoundTo(issuer, settings)) throw new MissingIssuer(label, secretMembersOf(settings), issuer);
}
