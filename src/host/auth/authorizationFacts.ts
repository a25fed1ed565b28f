import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import type { AllowedCaution } from '../../auth/mixUp.ts';

/** What a sign-in is and may do, each with its name, without secrets. Texts may come from servers. */
export function authorizationFacts(
  authorization: AuthorizationDescription,
): readonly { readonly name: string; readonly text: string }[] {
  const { issuer, clientId, registration, scopes, expiresAt, canRefresh, isDpop, allowed } = authorization;
  const renewal = canRefresh ? 'renewed by itself' : 'you will be asked to sign in again';
  return [
    { name: 'Signed in at', text: issuer },
    { name: 'Rights', text: scopes.length === 0 ? 'as the authorization server decided' : scopes.join(', ') },
    {
      name: 'Token ends',
      text: expiresAt === undefined ? 'not known when' : `${new Date(expiresAt).toLocaleString()}, then ${renewal}`,
    },
    ...(allowed === undefined ? [] : [{ name: 'Allowed until you sign out', text: allowedText(allowed) }]),
    { name: 'Client', text: `${clientId} (${registrationWords[registration]})` },
    {
      name: 'Token is bound',
      text: isDpop ? 'to a key of this editor (DPoP)' : 'to nothing: whoever has it can use it',
    },
  ];
}

function allowedText({ foreign, isAnswerUnmarked }: AllowedCaution): string {
  return [...foreign.map(({ address }) => address), ...(isAnswerUnmarked ? ['answers without "iss"'] : [])].join(', ');
}

/** How this client came to be known to an authorization server. */
export const registrationWords: Readonly<Record<AuthorizationDescription['registration'], string>> = {
  configured: 'registered beforehand, from your settings',
  document: 'client id metadata document',
  dynamic: 'registered dynamically',
};
