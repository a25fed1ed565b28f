import { limits } from './limits.ts';
import { truncateWithCount } from './truncate.ts';
import { readableText, withoutTerminalColours } from './visibleText.ts';

/**
 * Text for a log: cut where it is long, without colours, everything else that a terminal would act on or nobody could see
 * written out. Further lines are indented, so that none of them can pass for an entry of its own.
 */
export function boundLine(text: string): string {
  return readableText(withoutTerminalColours(truncateWithCount(text, limits.log.characters))).replace(
    /\r?\n/g,
    '\n    ',
  );
}
