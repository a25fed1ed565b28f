import { commands, ConfigurationTarget, window, workspace } from 'vscode';
import { MissingIssuer } from '../../auth/signInErrors.ts';
import { secretMembersOf } from '../../base/authSettings.ts';
import { isRecord } from '../../base/json.ts';
import { visibleText } from '../../base/visibleText.ts';
import { askSafely } from '../platform/dialogs.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText, singleLine } from '../platform/displayText.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { hostText } from './signInQuestion.ts';
import { personalSetting } from '../platform/settings.ts';
import { runForPerson } from '../platform/personArguments.ts';

/**
 * Offers to allow an authorization server that a server names to receive the secrets of its settings, then shows the
 * setting.
 */
export async function setIssuer({ label, server, configured }: HostServer): Promise<void> {
  const name = singleLine(visibleText(label), 60);
  const error = server.state.kind === 'failed' ? server.state.error : undefined;
  if (!(error instanceof MissingIssuer)) {
    const message = `No authorization server needs to be set for “${name}”. Start the server to check.`;
    void window.showInformationMessage(notificationText(message));
    return;
  }
  const { auth = {} } = configured.options;
  const safe = 'Show Configuration';
  const add = 'Add Issuer';
  const chosen = await askSafely({
    ...issuerQuestion(name, error.issuer, secretMembersOf(auth)),
    safe,
    actions: [add],
  });
  if (chosen === safe) await runForPerson(CommandIds.openConfiguration, label);
  if (chosen !== add) return;
  await saveAuth(label, { ...auth, issuer: error.issuer });
  await commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: 'patchbay.serverOptions' },
  });
  const start = 'Start Server';
  const message = `The server “${name}” may send its secrets to ${hostText(error.issuer)} now.`;
  const next = await window.showInformationMessage(notificationText(message), start);
  if (next === start) await runForPerson(CommandIds.startServer, label);
}

function issuerQuestion(
  name: string,
  issuer: string,
  members: readonly string[],
): { readonly message: string; readonly detail: string } {
  const lines = [
    `Authorization server: ${hostText(issuer)} (${visibleText(issuer)})`,
    `It gets: ${members.join(', ')}`,
    `Written to your user settings: patchbay.serverOptions → ${name} → auth → issuer`,
    'The MCP server named it. Add it only if this is where you got the client or the key.',
  ];
  return { message: `Let this authorization server have the secrets of “${name}”?`, detail: lines.join('\n\n') };
}

/** Writes the complete `auth` object, because the setting replaces the one of the configuration. */
async function saveAuth(label: string, auth: object): Promise<void> {
  const settings = workspace.getConfiguration('patchbay');
  const stored = personalSetting('serverOptions');
  const options = isRecord(stored) ? stored : {};
  const own = isRecord(options[label]) ? options[label] : {};
  await settings.update('serverOptions', { ...options, [label]: { ...own, auth } }, ConfigurationTarget.Global);
}
