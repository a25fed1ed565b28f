import type { AuthorizationServer } from 'oauth4webapi';
import type { OAuthRefusal } from './signInErrors.ts';

/** What comes before scopes that are named because they would be accepted: not "is not an allowed scope:". */
const beforeAccepted =
  /(?<!\b(?:no|none|not)\b[^.,:;]{0,20})\b(?:allowed|available|permitted|supported|valid) (?:scopes?|values?)(?: are| is|:)/i;

/**
 * Chooses what to ask for after `invalid_scope`: what is left without the scopes that the refusal names, else those that the
 * client is registered for, else those that the
 * authorization server lists, else without `offline_access`, which this client has added. Many list only scopes about the person.
 * @returns `undefined` when nothing is left: asking for nothing could give more than the person has agreed to
 */
export function fewerScopes(
  scopes: readonly string[],
  { reason, description }: OAuthRefusal,
  { scopes_supported: listed }: AuthorizationServer,
  registered?: readonly string[],
): readonly string[] | undefined {
  if (reason !== 'invalid_scope') return undefined;
  // Scopes may contain colons and dots.
  const accepted = beforeAccepted.exec(description);
  const words = accepted === null ? description : description.slice(accepted.index + accepted[0].length);
  const named = new Set(words.split(/[\s,"“”'‘’`()[\]]+/).map((word) => word.replace(/[.:;]+$/, '')));
  const attempts = [
    scopes.filter((scope) => named.has(scope) === (accepted !== null)),
    ...[registered, listed].map((known) => scopes.filter((scope) => known === undefined || known.includes(scope))),
  ];
  const withoutOffline = scopes.filter((scope) => scope !== 'offline_access');
  return [...attempts.filter((left) => left.some(isUseful)), withoutOffline].find(
    (left) => left.length > 0 && left.length < scopes.length,
  );
}

/** False for a scope that gives access to nothing at the MCP server. */
function isUseful(scope: string): boolean {
  return scope !== 'openid' && scope !== 'offline_access';
}
