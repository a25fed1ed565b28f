import { window } from 'vscode';
import { isStdio } from '../../config/serverDefinition.ts';
import type { ActingCommandContext } from '../platform/registerCommand.ts';
import { askSafely } from '../platform/dialogs.ts';
import { CommandIds } from '../commandIds.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { SignInCommandId } from './registerSignIn.ts';
import type { SignInService } from './signInService.ts';
import { runForPerson } from '../platform/personArguments.ts';

/** What the commands about signing in need. */
export interface SignInCommandsOptions extends ActingCommandContext {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly signIns: () => Promise<SignInService>;
}

type SignInCommand = (argument: unknown, options: SignInCommandsOptions) => Promise<void>;

/** A command about a remote server: the one of the argument, or one that the person chooses. */
function forServer(
  question: string,
  handler: (label: string, options: SignInCommandsOptions) => Promise<void>,
): SignInCommand {
  const whenNone = 'No remote server is configured.';
  const pick = { placeholder: question, whenNone, isApplicable: isRemote, acts: true } as const;
  return async (argument, options) => {
    const hostServer = await pickServer(options.registry, argument, pick);
    if (hostServer !== undefined) await handler(hostServer.label, options);
  };
}

/** What each command for signing in and out does, with its unchecked argument. */
export const signInCommands: Readonly<Record<SignInCommandId, SignInCommand>> = {
  [CommandIds.signIn]: forServer('Sign in to which server?', (label, { actions }) => actions.signIn(label)),
  [CommandIds.signOut]: forServer('Sign out of which server?', signOut),
  [CommandIds.setIssuer]: forServer('Set the authorization server of which server?', setIssuer),
  [CommandIds.showAuthorization]: forServer('Show the authorization of which server?', show),
  async [CommandIds.signOutOfAll](_, { signIns }) {
    if (!(await confirmSignOutOfAll())) return;
    const count = await (await signIns()).signOutOfAll(new AbortController().signal);
    showMessage(
      count === 0 ? 'There was nothing to sign out of.' : `You have signed out of ${countOf(count, 'server')}.`,
    );
  },
  [CommandIds.pasteSignInAddress]: async (_, { signIns }) => (await signIns()).pasteAddress(),
};

async function signOut(label: string, { signIns }: SignInCommandsOptions): Promise<void> {
  const isDone = await (await signIns()).signOut(label, new AbortController().signal);
  showMessage(isDone ? `You have signed out of “${shortLabel(label)}”.` : notSignedIn(label));
}

async function show(label: string, options: SignInCommandsOptions): Promise<void> {
  const authorization = await (await options.signIns()).describe(label, new AbortController().signal);
  if (authorization === undefined) return offerSignIn(label);
  const { showAuthorization } = await import('./authorizationFacts.ts');
  await showAuthorization(label, authorization, {
    signIn: () => options.actions.signIn(label),
    signOut: () => signOut(label, options),
  });
}

async function setIssuer(label: string, { registry }: SignInCommandsOptions): Promise<void> {
  const hostServer = registry.get(label);
  const { setIssuer: offer } = await import('./setIssuer.ts');
  if (hostServer !== undefined) await offer(hostServer);
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
