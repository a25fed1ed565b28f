import type { Format } from '../commands.ts';
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

const jobMarks = /##(?=\[|vso\[|teamcity\[)/gi;
const jobLines = /^(\s*):(?=:)/gm;
const numberSign: Readonly<Record<Format, string>> = {
  text: '⟨U+0023⟩',
  json: '\\u0023',
  sarif: '\\u0023',
  junit: '&#35;',
};

/**
 * Output without the commands that runners of CI take from what a job prints: lines that begin with `::` (GitHub), and `##[`, `##vso[`
 * (Azure), `##teamcity[` anywhere. The texts are of servers, and a command may set variables of the steps that follow. What JSON and XML say
 * stays the same.
 */
export function withoutJobCommands(text: string, format: Format): string {
  const marked = text.replace(jobMarks, `${numberSign[format]}#`);
  return format === 'text' ? marked.replace(jobLines, '$1⟨U+003A⟩') : marked;
}

/** Further lines are indented, so that none of them can pass for a line of its own. */
export function indented(text: string, by: string): string {
  return `${by}${text.replaceAll(/\r?\n/g, `\n${by}`)}`;
}
