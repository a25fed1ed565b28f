/** Control characters, line ends and marks that turn the reading order. Written out, as trees call this 10,000 times. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/**
 * Server text made fit for one line of a tree, menu or title.
 * @param maximum characters kept; an ellipsis stands for the rest
 */
export function singleLine(text: string, maximum = 200): string {
  // Cut before cleaning, so that a huge text costs no more than a small one.
  const line = text
    .slice(0, maximum * 2)
    .replace(unprintable, ' ')
    .trim();
  if (line.length <= maximum && text.length <= maximum * 2) return line;
  return `${line
    .slice(0, maximum - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** Takes the meaning out of `$(icon)`, for quick picks and status bar items, which would draw the icon. */
export function escapeIcons(text: string): string {
  return text.replace(/\$\(/g, '\\$(');
}

/** `1,234`. Not by `toLocaleString`: its first call loads tables for tens of milliseconds, while the window opens. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 tool`, `1,234 tools`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Milliseconds since the epoch as the time of day, to the second, in the user's own format. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}
