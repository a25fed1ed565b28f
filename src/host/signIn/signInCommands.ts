import { isDeepStrictEqual } from 'node:util';
import { commands, window } from 'vscode';
import { MissingIssuer } from '../../auth/signInErrors.ts';
import { credentialsOf } from '../../base/authSettings.ts';
import { visibleText } from '../../base/visibleText.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { askSafely } from '../platform/dialogs.ts';
import { CommandIds } from '../commandIds.ts';
import { pickServer } from '../servers/pickServer.ts';
import { saveOptions } from '../servers/saveOptions.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { showAuthorization } from './authorizationFacts.ts';
import { hostText } from './signInQuestion.ts';
import type { SignInService } from './signInService.ts';
import { runForPerson } from '../platform/personArguments.ts';

export function createSignInCommands(
  registry: ServerRegistry,
  actions: ServerActions,
  signIns: () => Promise<SignInService>,
) {
  const forServer = (placeholder: string, handle: (hostServer: HostServer) => Promise<void>) => {
    const whenNone = 'No remote server is configured.';
    const isApplicable = ({ configured }: HostServer): boolean => !isStdio(configured.definition);
    const pick = { placeholder, whenNone, isApplicable, acts: true } as const;
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
    await showAuthorization(
      label,
      authorization,
      () => actions.signIn(label),
      () => signOut(label),
    );
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
        count === 0 ? 'You were not signed in to any server.' : `You have signed out of ${countOf(count, 'server')}.`,
      );
    },
    [CommandIds.pasteSignInAddress]: async () => (await signIns()).prompt.pasted.askForAddress(),
  };
}

async function confirmSignOutOfAll(): Promise<boolean> {
  const detail = 'Tokens are deleted in every window, and revoked where the authorization server supports it.';
  const message = 'Sign out of all MCP servers?';
  return (await askSafely({ message, detail, safe: 'Stay Signed In', actions: ['Sign Out'] })) === 'Sign Out';
}

async function offerSignIn(label: string): Promise<void> {
  const signIn = 'Sign In…';
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

/** Offers to allow the authorization server that a server names to receive the secrets of its settings. */
async function setIssuer(host: HostServer): Promise<void> {
  const { label, server, configured } = host;
  const name = shortLabel(visibleText(label));
  const error = server.state.kind === 'failed' ? server.state.error : undefined;
  if (!(error instanceof MissingIssuer)) {
    const message = `No authorization server needs to be set for “${name}”. Start the server to check.`;
    return showMessage(message);
  }
  const { auth = {} } = configured.options;
  const { issuer } = error;
  const lines = [
    `Authorization server: ${hostText(issuer)} (${visibleText(issuer)})`,
    `It gets: ${[...credentialsOf(auth).keys()].join(', ')}`,
    `Written to your user settings: patchbay.serverOptions → ${name} → auth → issuer`,
    'The MCP server named it. Add it only if this is where you got the client or the key.',
  ];
  const [safe, add] = ['Show Configuration', 'Add Issuer'];
  const question = `Let this authorization server have the secrets of “${name}”?`;
  const chosen = await askSafely({ message: question, detail: lines.join('\n\n'), safe, actions: [add] });
  if (chosen === safe) await runForPerson(CommandIds.openConfiguration, label);
  if (chosen !== add) return;
  // Its place in the file counts for nothing.
  const isSame = isDeepStrictEqual(
    [host.configured.definition, host.configured.options],
    [configured.definition, configured.options],
  );
  if (!isSame)
    return showMessage(`The configuration of “${name}” has changed since you were asked. Nothing was saved.`);
  // The complete `auth` object, because the setting replaces the one of the configuration.
  if (!(await saveOptions(configured, { auth: { ...auth, issuer } }))) return;
  await commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: 'patchbay.serverOptions' },
  });
  const start = 'Start';
  const message = `The server “${name}” may send its secrets to ${hostText(issuer)} now.`;
  const next = await window.showInformationMessage(notificationText(message), start);
  if (next === start) await runForPerson(CommandIds.startServer, label);
}
