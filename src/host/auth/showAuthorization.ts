import { env, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { AuthorizationDescription } from '../../auth/authorizer.ts';
import { escapeIcons, singleLine } from '../displayText.ts';
import { authorizationFacts } from './authorizationFacts.ts';

interface Row extends QuickPickItem {
  readonly run?: () => Promise<void>;
}

/** What can be done with a sign-in that is looked at. */
export interface AuthorizationActions {
  signIn(): Promise<void>;
  signOut(): Promise<void>;
}

/** Lists what a sign-in rests on; choosing a fact copies it. */
export async function showAuthorization(
  label: string,
  authorization: AuthorizationDescription,
  actions: AuthorizationActions,
): Promise<void> {
  const facts = authorizationFacts(authorization).map(({ name, text }): Row => {
    return {
      label: name,
      description: escapeIcons(singleLine(text, 500)),
      run: async () => env.clipboard.writeText(text),
    };
  });
  const rows: readonly Row[] = [
    ...facts,
    { label: '', kind: QuickPickItemKind.Separator },
    { label: '$(sign-out) Sign Out', run: () => actions.signOut() },
    { label: '$(key) Sign In Anew', run: () => actions.signIn() },
  ];
  const chosen = await window.showQuickPick(rows, {
    title: `Authorization of ${singleLine(label, 60)}`,
    placeHolder: 'Choose a line to copy it',
    matchOnDescription: true,
  });
  await chosen?.run?.();
}
