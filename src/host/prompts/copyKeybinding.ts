import { commands, env, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import { displayName } from '../../protocol/mcp/displayName.ts';
import { askArguments } from '../arguments/askArguments.ts';
import { notificationText } from '../platform/displayText.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { keybindingSnippet } from './promptCommands.ts';
import { completePrompt, promptFields } from './promptRunner.ts';

/**
 * Puts an entry for keybindings.json into the clipboard that runs `prompt`. Each argument can be given a value of its own;
 * one left out is asked for when the key is pressed. The server is not started for this.
 */
export async function copyKeybinding(
  host: HostServer,
  prompt: Prompt,
  ports: { clock: Clock; logger: Logger },
): Promise<void> {
  const isRunning = host.server.state.kind === 'running';
  const values = await askArguments({
    ...ports,
    title: `Preset of ${displayName(prompt)}`,
    fields: promptFields(prompt).map((field) => ({
      ...field,
      isRequired: false,
      description: `Leave out to be asked when the key is pressed. ${field.description ?? ''}`,
    })),
    ...(isRunning && { complete: completePrompt(host.server, prompt.name) }),
  });
  await env.clipboard.writeText(keybindingSnippet(host.label, prompt.name, values));
  void tell(displayName(prompt));
}

async function tell(name: string): Promise<void> {
  const open = 'Open keybindings.json';
  const message = `A keybinding for "${notificationText(name, 80)}" is in the clipboard. Paste it into keybindings.json and choose a key.`;
  if ((await window.showInformationMessage(message, open)) === open) {
    await commands.executeCommand('workbench.action.openGlobalKeybindingsFile');
  }
}
