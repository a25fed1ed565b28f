import { singleLine } from './displayText.ts';

/**
 * Text of a server made fit for a notification or a progress message, where VS Code would draw `[text](command:…)` as a
 * link that runs a command.
 * @param maximum characters kept
 */
export function notificationText(text: string, maximum = 300): string {
  return singleLine(text, maximum).replaceAll('](', ']\u200b(');
}
