/**
 * Splits a command line that a person typed into program and arguments. Single and double quotes keep spaces together;
 * a backslash before a quote takes its meaning, elsewhere it stays, so that Windows paths survive. No shell is involved:
 * variables, pipes and patterns are ordinary text.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (character === '\\' && (next === '"' || (next === "'" && quote !== '"'))) {
      word = (word ?? '') + next;
      index += 1;
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  return word === undefined ? words : [...words, word];
}
