import { env, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import { type ConfirmedCaution, risksOf } from '../../auth/mixUpDefense.ts';
import { escapeIcons, factsOf, singleLine } from '../platform/displayText.ts';

/** The facts about a sign-in, each with its name, without secrets. The texts may come from servers. */
export function authorizationFacts(authorization: AuthorizationDescription) {
  const { issuer, clientId, registration, scopes, expiresAt, canRefresh, isDpop, allowed } = authorization;
  const renewal = canRefresh ? 'renewed automatically' : 'you will be asked to sign in again';
  return factsOf({
    'Signed in at': issuer,
    Rights: scopes.length === 0 ? 'as the authorization server decided' : scopes.join(', '),
    'Token expires':
      expiresAt === undefined ? 'at an unknown time' : `${new Date(expiresAt).toLocaleString()}, then ${renewal}`,
    'Allowed until you sign out': allowed && allowedText(allowed),
    Client: `${clientId} (${describeRegistration[registration]})`,
    'Token is bound': isDpop ? 'to a key of this editor (DPoP)' : 'not bound (bearer token)',
  });
}

function allowedText(caution: ConfirmedCaution): string {
  const addresses = caution.foreign.map(({ address }) => address);
  return [...addresses, ...risksOf({ ...caution, foreign: [] }).map((risk) => `that it ${risk}`)].join(', ');
}

export const describeRegistration: Readonly<Record<AuthorizationDescription['registration'], string>> = {
  configured: 'registered beforehand, from your settings',
  document: 'client id metadata document',
  dynamic: 'registered dynamically',
};

/** Shows the facts about a sign-in in a quick pick. Choosing a fact copies it. */
export async function showAuthorization(
  label: string,
  authorization: AuthorizationDescription,
  signIn: () => Promise<void>,
  signOut: () => Promise<void>,
): Promise<void> {
  const rows: readonly (QuickPickItem & { readonly run?: () => Promise<void> })[] = [
    ...authorizationFacts(authorization).map(({ name, text }) => ({
      label: name,
      description: escapeIcons(singleLine(text, 500)),
      run: async () => env.clipboard.writeText(text),
    })),
    { label: '', kind: QuickPickItemKind.Separator },
    { label: '$(sign-out) Sign Out', run: signOut },
    { label: '$(key) Sign In Again', run: signIn },
  ];
  const chosen = await window.showQuickPick(rows, {
    title: `Authorization of ${singleLine(label, 60)}`,
    placeHolder: 'Select a line to copy it',
    matchOnDescription: true,
  });
  await chosen?.run?.();
}
