import { window } from 'vscode';
import { isStdio } from '../../config/serverDefinition.ts';
import { askSafely } from '../platform/dialogs.ts';
import { CommandIds } from '../commandIds.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { showAuthorization } from './authorizationFacts.ts';
import { setIssuer } from './setIssuer.ts';
import type { SignInService } from './signInService.ts';
import { runForPerson } from '../platform/personArguments.ts';

interface SignInCommandsOptions {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly signIns: () => Promise<SignInService>;
}

export function createSignInCommands({ registry, actions, signIns }: SignInCommandsOptions) {
  const forServer = (placeholder: string, handle: (hostServer: HostServer) => Promise<void>) => {
    const whenNone = 'No remote server is configured.';
    const pick = { placeholder, whenNone, isApplicable: isRemote, acts: true } as const;
    return async (argument: unknown): Promise<void> => {
      const hostServer = await pickServer(registry, argument, pick);
      if (hostServer !== undefined) await handle(hostServer);
    };
  };
  async function signOut(label: string): Promise<void> {
    const isDone = await (await signIns()).signOut(label, new AbortController().signal);
    showMessage(isDone ? `You have signed out of “${shortLabel(label)}”.` : notSignedIn(label));
  }
  async function show(label: string): Promise<void> {
    const authorization = await (await signIns()).describe(label, new AbortController().signal);
    if (authorization === undefined) return offerSignIn(label);
    const follow = { signIn: () => actions.signIn(label), signOut: () => signOut(label) };
    await showAuthorization(label, authorization, follow);
  }
  return {
    [CommandIds.signIn]: forServer('Sign in to which server?', ({ label }) => actions.signIn(label)),
    [CommandIds.signOut]: forServer('Sign out of which server?', ({ label }) => signOut(label)),
    [CommandIds.setIssuer]: forServer('Set the authorization server of which server?', setIssuer),
    [CommandIds.showAuthorization]: forServer('Show the authorization of which server?', ({ label }) => show(label)),
    [CommandIds.signOutOfAll]: async () => {
      if (!(await confirmSignOutOfAll())) return;
      const count = await (await signIns()).signOutOfAll(new AbortController().signal);
      showMessage(
        count === 0 ? 'There was nothing to sign out of.' : `You have signed out of ${countOf(count, 'server')}.`,
      );
    },
    [CommandIds.pasteSignInAddress]: async () => (await signIns()).pasteAddress(),
  };
}

function isRemote({ configured }: HostServer): boolean {
  return !isStdio(configured.definition);
}

async function confirmSignOutOfAll(): Promise<boolean> {
  const detail = 'Tokens are forgotten in every window, and revoked where the authorization server offers that.';
  const message = 'Sign out of all MCP servers?';
  return (await askSafely({ message, detail, safe: 'Stay Signed In', actions: ['Sign Out'] })) === 'Sign Out';
}

async function offerSignIn(label: string): Promise<void> {
  const signIn = 'Sign In';
  const chosen = await window.showInformationMessage(notificationText(notSignedIn(label)), signIn);
  if (chosen === signIn) await runForPerson(CommandIds.signIn, label);
}

function notSignedIn(label: string): string {
  return `You are not signed in to “${shortLabel(label)}”.`;
}

function shortLabel(label: string): string {
  return singleLine(label, 60);
}

function showMessage(message: string): void {
  void window.showInformationMessage(notificationText(message));
}
