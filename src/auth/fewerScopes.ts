import type { AuthorizationServer } from 'oauth4webapi';
import type { OAuthRefusal } from './signInErrors.ts';

/**
 * Chooses what to ask for after `invalid_scope`: what is left without the scopes that the refusal names, else without those that the
 * authorization server does not list, else without `offline_access`, which this client has added.
 * @returns `undefined` when nothing is left: asking for nothing could give more than the person has agreed to
 */
export function fewerScopes(
  scopes: readonly string[],
  { reason, message }: OAuthRefusal,
  { scopes_supported: listed }: AuthorizationServer,
): readonly string[] | undefined {
  if (reason !== 'invalid_scope') return undefined;
  const named = new Set(message.split(/[\s,;:"“”'‘’()[\]]+/).map((word) => word.replace(/\.$/, '')));
  const attempts = [
    scopes.filter((scope) => !named.has(scope)),
    scopes.filter((scope) => listed === undefined || listed.includes(scope)),
    scopes.filter((scope) => scope !== 'offline_access'),
  ];
  return attempts.find((left) => left.length > 0 && left.length < scopes.length);
}
