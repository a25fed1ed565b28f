import { formatCount, truncate } from '../../base/truncate.ts';
import { isPrintable, readableText } from '../../base/visibleText.ts';

const gaps = /[\t-\r\u0085\u2028\u2029]+/g;

/**
 * Server text made fit for one line of a tree, menu or title, with every character that cannot be seen written out.
 * @param maximum characters kept; an ellipsis stands for the rest
 */
export function singleLine(text: string, maximum = 200): string {
  if (text.length <= maximum && isPrintable(text)) return text.trim();
  // Cut before cleaning, so that a huge text costs no more than a small one.
  const line = readableText(truncate(text, maximum * 2).replace(gaps, ' ')).trim();
  if (line.length <= maximum && text.length <= maximum * 2) return line;
  // Never cuts within a character, or within the text that replaces a hidden one.
  return `${truncate(line, maximum - 1)
    .replace(/\u27e8[U+\dA-F]*$/, '')
    .trimEnd()}…`;
}

/** Takes the meaning out of `$(icon)`, for quick picks and status bar items, which would draw the icon. */
export function escapeIcons(text: string): string {
  return text.includes('$(') ? text.replace(/\$\(/g, '\\$(') : text;
}

/** `1 tool`, `1,234 tools`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Milliseconds since the epoch as the time of day, to the second, in the user's own format. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}

/** Milliseconds since the epoch as date and time, to the minute, in the user's own format. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Milliseconds since the epoch as date and time, to the second, in the user's own format. */
export function momentOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/**
 * Any text as Markdown that shows just this text, with its lines, indents and columns. `MarkdownString.appendText` leaves addresses to
 * become links, which then swallow the words after them, and takes from spaces that a line may break there.
 */
export function markdownText(text: string): string {
  const lines = text.split(/\r?\n|\r/).map((line) =>
    line
      .trimEnd()
      .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
      .replace(/^[ \t]+|\t| {2,}/g, (gap) => gap.replaceAll('\t', '    ').replaceAll(' ', '&nbsp;')),
  );
  // Hard breaks. Empty lines end a paragraph.
  return lines
    .join('\\\n')
    .replace(/^(?:\\\n)+|(?:\\\n)+$/g, '')
    .replace(/(?:\\\n){2,}/g, '\n\n');
}

/**
 * Text of a server or of a file made fit for a notification, a progress message or what an input box says, where VS Code
 * would draw `[text](command:…)` as a link that runs a command.
 * @param maximum characters kept
 */
export function notificationText(text: string, maximum = 300): string {
  return singleLine(text, maximum).replaceAll('](', ']\u200b(');
}

/** A fact for each name that has a text, in that order. */
export function factsOf(
  texts: Readonly<Record<string, string | false | undefined>>,
): readonly { readonly name: string; readonly text: string }[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    text === undefined || text === false ? [] : [{ name, text }],
  );
}

/** One line or paragraph of a tooltip or of the details. All texts may come from the server: plain text, unbounded. */
export interface Fact {
  readonly name?: string;
  readonly text: string;
  /** Several things under one name, one line each; `text` stands before them, and may be empty. */
  readonly items?: readonly string[];
  /** For the details only. */
  readonly isDetail?: true;
  /** `text` is a web address that the details open. */
  readonly isLink?: true;
}
