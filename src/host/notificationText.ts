import { singleLine } from './displayText.ts';

/**
 * Text of a server or of a file made fit for a notification, a progress message or what an input box says, where VS Code
 * would draw `[text](command:…)` as a link that runs a command.
 * @param maximum characters kept
 */
export function notificationText(text: string, maximum = 300): string {
  return singleLine(text, maximum).replaceAll('](', ']\u200b(');
}
