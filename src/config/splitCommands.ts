const maximumLength = 32_768;

/**
 * Splits code for a shell into its commands and their words, roughly and for any shell: quotes are taken off, everything
 * that could separate two commands does. What runs may be less than what is returned. Long code is cut.
 */
export function splitCommands(code: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token] of code
    .slice(0, maximumLength)
    .matchAll(/"[^"]*"?|'[^']*'?|&&?|\|\|?|[;()`\n{}]|\$\(|[^\s"'&|;()`{}]+/g)) {
    if (/^(?:&&?|\|\|?|[;()`\n{}]|\$\()$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replace(/^["']|["']$/g, ''));
  }
  return commands.map((words) => words.slice(firstWord(words))).filter((words) => words.length > 0);
}

/** Assignments stand before the command. */
function firstWord(words: readonly string[]): number {
  const first = words.findIndex((word) => !/^\w+=/.test(word) && word !== '@');
  return first === -1 ? 0 : first;
}
