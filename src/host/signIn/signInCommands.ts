import { commands, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { askSafely } from '../platform/dialogs.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { pickServer } from '../servers/pickServer.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import type { ServerViewModels } from '../servers/serverViewModels.ts';
import type { SignInService } from './signInService.ts';

/** What the commands about signing in need. */
export interface SignInCommandsOptions {
  readonly registry: ServerViewModels;
  readonly actions: ServerActions;
  readonly signIns: () => Promise<SignInService>;
  readonly logger: Logger;
}

/** Registers the commands for signing in and out. */
export function registerSignInCommands(options: SignInCommandsOptions): Disposable {
  const { registry, actions, signIns } = options;
  const store = new DisposableStore();
  const register = (id: CommandId, handler: (argument: unknown) => unknown): void => {
    store.add(registerCommand(options, id, handler));
  };
  const registerForServer = (id: CommandId, question: string, handler: (label: string) => Promise<void>): void => {
    register(id, async (argument) => {
      const pick = { placeholder: question, whenNone: 'No remote server is configured.', isApplicable: isRemote };
      const hostServer = await pickServer(registry, argument, pick);
      if (hostServer !== undefined) await handler(hostServer.label);
    });
  };

  const signOut = async (label: string): Promise<void> => {
    const isDone = await (await signIns()).signOut(label, new AbortController().signal);
    showMessage(isDone ? `You have signed out of “${shortLabel(label)}”.` : notSignedIn(label));
  };
  const show = async (label: string): Promise<void> => {
    const authorization = await (await signIns()).describe(label, new AbortController().signal);
    if (authorization === undefined) return offerSignIn(label);
    const { showAuthorization } = await import('./authorizationFacts.ts');
    await showAuthorization(label, authorization, {
      signIn: () => actions.signIn(label),
      signOut: () => signOut(label),
    });
  };
  const setIssuer = async (label: string): Promise<void> => {
    const hostServer = registry.get(label);
    const { setIssuer: offer } = await import('./setIssuer.ts');
    if (hostServer !== undefined) await offer(hostServer);
  };
  registerForServer(CommandIds.signIn, 'Sign in to which server?', (label) => actions.signIn(label));
  registerForServer(CommandIds.signOut, 'Sign out of which server?', signOut);
  registerForServer(CommandIds.setIssuer, 'Set the authorization server of which server?', setIssuer);
  registerForServer(CommandIds.showAuthorization, 'Show the authorization of which server?', show);
  register(CommandIds.signOutOfAll, async () => {
    if (await confirmSignOutOfAll()) {
      const count = await (await signIns()).signOutOfAll(new AbortController().signal);
      showMessage(
        count === 0 ? 'There was nothing to sign out of.' : `You have signed out of ${countOf(count, 'server')}.`,
      );
    }
  });
  register(CommandIds.pasteSignInAddress, async () => (await signIns()).pasteAddress());
  return store;
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
  if (chosen === signIn) await commands.executeCommand(CommandIds.signIn, label);
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
