import { type AuthSettings, credentialsOf } from '../base/authSettings.ts';
import { isPatchbayError, PatchbayError } from '../base/errors.ts';
import { isString, type UnknownRecord } from '../base/json.ts';
import { sameIssuer } from './issuers.ts';
import type { MissingSignIn } from './ports.ts';

/** An error response of an authorization server (RFC 6749, sections 4.1.2.1 and 5.2). `reason` is its code. */
export class OAuthRefusal extends PatchbayError {
  readonly reason: string;
  /** In the words of the authorization server. */
  readonly description: string;

  constructor(reason: string, message: string, description = '') {
    super('needsSignIn', message);
    this.reason = reason;
    this.description = description;
  }

  /** The authorization server no longer knows this client. */
  get isClientUnknown(): boolean {
    return this.reason === 'invalid_client' || this.reason === 'unauthorized_client';
  }
}

const resourceAdvice =
  'If it does not take the parameter "resource", set "resource" to false, or to the value it wants';

/** @returns a sentence, after a space, on the setting that helps against an error code of an authorization server */
export function adviceFor(reason: string, description = ''): string {
  const advice: Readonly<Record<string, string>> = {
    invalid_target: resourceAdvice,
    invalid_scope: 'Set "scopes" to those that it gives to this client',
    interaction_required: 'A parameter such as "prompt" can be set in "parameters"',
    consent_required: 'A parameter such as "prompt" can be set in "parameters"',
  };
  const isAboutResource = /\bresource\b/i.test(description);
  const words = Object.hasOwn(advice, reason) ? advice[reason] : isAboutResource ? resourceAdvice : undefined;
  return words === undefined ? '' : ` ${words}, under "auth" in your settings for this server.`;
}

/** An answer of an authorization server that is neither a token nor a refusal, such as a page. */
export class UnusableAnswer extends PatchbayError {
  constructor(issuer: string, why: string) {
    super(
      'needsSignIn',
      `The authorization server ${quoted(issuer)} gave an answer that cannot be used: ${why}. Contact its operator.`,
    );
  }
}

/** Sign-in is needed, but no person can be asked for this request. Later requests may ask. */
export class UnattendedSignIn extends PatchbayError {
  constructor(label: string) {
    super('needsSignIn', `“${label}” needs you to sign in.`);
  }
}

/** The person has declined or abandoned the sign-in, so no error is shown. */
export class DeclinedSignIn extends PatchbayError {
  /** @param risks that the person has not accepted */
  constructor(label: string, how: 'declined' | 'unfinished' | readonly string[]) {
    const words = {
      declined: `“${label}” needs you to sign in, and you have not done so.`,
      unfinished: `You have not finished signing in to “${label}”.`,
    };
    const refused = (risks: readonly string[]): string =>
      `Signing in to “${label}” stopped: its authorization server ${risks.join(', and ')}, and you have not allowed that. Start the server again to be asked again.`;
    super('needsSignIn', typeof how === 'string' ? words[how] : refused(how));
  }
}

export function missingSignInReason(error: unknown): MissingSignIn {
  if (error instanceof UnattendedSignIn) return 'unasked';
  return error instanceof DeclinedSignIn ? 'declined' : 'failed';
}

export function signInFailed(what: string): PatchbayError {
  return new PatchbayError('needsSignIn', what);
}

/** @returns an error `unreachable`: a server needed for sign-in does not answer now, but may later */
export function serverUnavailable(what: string, cause?: unknown): PatchbayError {
  return new PatchbayError('unreachable', what, { cause });
}

/** True when the same request may succeed later (RFC 6749, section 4.1.2.1). */
export function isTransient(error: unknown): boolean {
  if (error instanceof OAuthRefusal) return /^(?:temporarily_unavailable|server_error|slow_down)$/.test(error.reason);
  if (error instanceof UnattendedSignIn) return true;
  return isPatchbayError(error, 'unreachable');
}

/** Quotes text of a server for an error message: at most 300 characters, on one line, without control characters. */
export function quoted(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return `“${line}”`;
}

/** @returns what an endpoint said in place of an error of OAuth; empty for a page */
export function wordsOf({
  body,
  text = '',
}: {
  readonly body: UnknownRecord | undefined;
  readonly text?: string;
}): string {
  const { error_description: description, message, detail, error } = body ?? {};
  const plain = body === undefined && !/^\s*</.test(text) ? text : '';
  return [description, message, detail, error].find(isString) ?? plain;
}

/** @returns the address without user, query and fragment, which may contain secrets */
export function urlWithoutSecrets(url: URL | string): string {
  if (typeof url === 'string' && !URL.canParse(url)) return quoted(url);
  const { origin, protocol, host, pathname } = new URL(url);
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`.slice(0, 300);
}

/** The settings contain secrets, but no issuer that they may be sent to. Nothing was sent. */
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

/** True when the settings allow sending their secrets to `issuer`. One that only the MCP server names gets no secrets. */
export function isBoundTo(issuer: string, settings: AuthSettings): boolean {
  return sameIssuer(issuer, settings.issuer) || credentialsOf(settings).size === 0;
}

/** @throws {MissingIssuer} when the settings contain secrets for another issuer, or for none */
export function checkBinding(label: string, issuer: string, settings: AuthSettings): void {
  if (!isBoundTo(issuer, settings)) throw new MissingIssuer(label, [...credentialsOf(settings).keys()], issuer);
}
