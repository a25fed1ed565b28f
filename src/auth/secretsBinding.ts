import { type AuthSettings, secretMembersOf } from '../base/authSettings.ts';
import { PatchbayError } from '../base/errors.ts';
import { quoted } from './authorizationProblem.ts';

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
