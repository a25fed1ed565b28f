import { homedir } from 'node:os';
import { commands, env, Uri, window, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { escapeIcons, singleLine } from './displayText.ts';
import { showNewDocument } from './documents.ts';

/** VS Code's own chat, where this editor has one. */
const chatCommand = 'workbench.action.chat.open';

export async function openInEditor(text: string): Promise<void> {
  await showNewDocument('patchbay-markdown', text, { preview: false });
}

/** Writes `text` to the clipboard, and says so in the status bar for three seconds. */
export async function copyToClipboard(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage('$(clippy) Copied to the clipboard', 3_000);
}

/** Forks without a chat, and editors with it switched off, have no such command. */
export async function hasChat(): Promise<boolean> {
  return (await commands.getCommands(true)).includes(chatCommand);
}

/**
 * Puts `text` into the input of the chat. It is for the user to send it, or not.
 * @throws {PatchbayError} `capabilityMissing` where there is no chat
 */
export async function openInChat(text: string): Promise<void> {
  if (!(await hasChat())) {
    throw new PatchbayError(
      'capabilityMissing',
      'This editor has no chat view. Send the prompt to an editor or the clipboard instead.',
    );
  }
  await commands.executeCommand(chatCommand, { query: text, isPartialQuery: true });
}

/**
 * Asks where to save a file, and saves it there.
 * @param name of the file, as the dialog suggests it
 * @param load called once a place was chosen
 * @returns the place; `undefined` where none was chosen
 */
export async function saveAs(name: string, load: () => Uint8Array | Promise<Uint8Array>): Promise<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const target = await window.showSaveDialog({ defaultUri: Uri.joinPath(folder, name), saveLabel: 'Save' });
  if (target === undefined) return undefined;
  await workspace.fs.writeFile(target, await load());
  window.setStatusBarMessage(`$(check) Saved ${escapeIcons(singleLine(name, 60))}`, 5_000);
  return target;
}
