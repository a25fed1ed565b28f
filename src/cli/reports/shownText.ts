import { limits } from '../../base/limits.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { readableText, visibleText, withoutTerminalColours } from '../../base/visibleText.ts';

/** Text of a server or a file for a terminal: bounded, with everything that a terminal would act on written out. */
export function safeText(text: string, maximum: number = limits.shown.text): string {
  return readableText(withoutTerminalColours(truncateWithCount(text, maximum)));
}

/** The same for a name or an address, in one line. */
export function safeName(text: string): string {
  return visibleText(truncateWithCount(text, limits.item.name));
}

/** Further lines are indented, so that none of them can pass for a line of its own. */
export function indented(text: string, by: string): string {
  return `${by}${text.replaceAll(/\r?\n/g, `\n${by}`)}`;
}
