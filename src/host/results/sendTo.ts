import { commands, env, window, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';

/** VS Code's own chat, where this editor has one. */
const chatCommand = 'workbench.action.chat.open';

/** Opens `text` as a new, unsaved Markdown document. */
export async function openInEditor(text: string): Promise<void> {
  const document = await workspace.openTextDocument({ language: 'markdown', content: text });
  await window.showTextDocument(document, { preview: false });
}

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
