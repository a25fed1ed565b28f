import type { AuthorizationServer } from 'oauth4webapi';
import type { OAuthRefusal } from './signInErrors.ts';

/** What comes before scopes that are named because they would be accepted. */
const beforeAccepted =
  /(?<!\bnot )\b(?:allowed|available|permitted|supported|valid) (?:scopes?|values?)(?: are| is|:)/i;

/**
 * Chooses what to ask for after `invalid_scope`: those that the authorization server lists, else what is left without the scopes that
 * the refusal names, else without `offline_access`, which this client has added.
 * @returns `undefined` when nothing is left: asking for nothing could give more than the person has agreed to
 */
export function fewerScopes(
  scopes: readonly string[],
  { reason, description }: OAuthRefusal,
  { scopes_supported: listed }: AuthorizationServer,
): readonly string[] | undefined {
  if (reason !== 'invalid_scope') return undefined;
  // Scopes may contain colons and dots.
  const named = new Set(description.split(/[\s,"“”'‘’`()[\]]+/).map((word) => word.replace(/[.:;]+$/, '')));
  const namesAccepted = beforeAccepted.test(description);
  const attempts = [
    scopes.filter((scope) => listed === undefined || listed.includes(scope)),
    scopes.filter((scope) => named.has(scope) === namesAccepted),
    scopes.filter((scope) => scope !== 'offline_access'),
  ];
  return attempts.find((left) => left.length > 0 && left.length < scopes.length);
}
