/**
 * Any text as Markdown that shows just this text. `MarkdownString.appendText` leaves addresses to become links, which
 * then swallow the words after them, and takes from spaces that a line may break there.
 */
export function markdownText(text: string): string {
  return text
    .split(/\r?\n|\r/)
    .map((line) => line.trim().replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`))
    .filter((line) => line !== '')
    .join('\n\n');
}
