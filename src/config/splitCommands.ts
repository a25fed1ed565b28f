const maximumLength = 32_768;

/**
 * Splits code for a shell into its commands and their words, roughly and for any shell: quotes are taken off, everything
 * that could separate two commands does. What runs may be less than what is returned. Long code is cut.
 */
export function splitCommands(code: string, depth = 0): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const inner: (readonly string[])[] = [];
  for (const [token] of code
    .slice(0, maximumLength)
    .matchAll(/&&?|\|\|?|[;()`\n{}]|(?:"[^"]*"?|'[^']*'?|\$\{[^}\s]{0,100}\}|[^\s"'&|;()`{}])+/g)) {
    if (/^(?:&&?|\|\|?|[;()`\n{}])$/.test(token)) {
      commands.push([]);
      continue;
    }
    commands.at(-1)?.push(token.replaceAll(/"([^"]*)"?|'([^']*)'?/g, '$1$2'));
    // In double quotes a command runs as well.
    for (const [, nested = ''] of depth < 3 ? token.matchAll(/(?:\$\(|`)([^)`]*)/g) : [])
      inner.push(...splitCommands(nested, depth + 1));
  }
  return [...commands.map((words) => words.slice(firstWord(words))), ...inner].filter((words) => words.length > 0);
}

/** Assignments stand before the command, and may be all of it. */
function firstWord(words: readonly string[]): number {
  const first = words.findIndex((word) => !/^\w+=/.test(word) && word !== '@');
  return first === -1 ? words.length : first;
}
