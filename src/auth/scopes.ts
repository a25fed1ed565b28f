import type { AuthSettings } from '../base/authSettings.ts';
import type { Demand } from './challenges.ts';
import type { SignInTarget } from './discovery.ts';

/**
 * What to ask for (authorization, "Scope Selection Strategy"): what the challenge names, else what the settings say, else
 * all the server lists; together with what was asked for before, so that stepping up takes nothing away.
 * @param before scopes of the grant that is to be replaced, from the same authorization server
 * @returns empty: the authorization server decides
 */
export function scopesFor(
  demand: Demand,
  { scopes: listed, server }: SignInTarget,
  settings: AuthSettings,
  before: readonly string[],
): string[] {
  const suggested = settings.scopes ?? (demand.scopes === undefined ? listed : undefined) ?? [];
  const wanted = new Set([...before, ...(demand.scopes ?? []), ...suggested]);
  const isPerson = (settings.flow ?? 'authorizationCode') === 'authorizationCode';
  // Alone it would narrow what the authorization server gives by default.
  if (isPerson && wanted.size > 0 && server.scopes_supported?.includes('offline_access') === true) {
    wanted.add('offline_access');
  }
  return [...wanted];
}
