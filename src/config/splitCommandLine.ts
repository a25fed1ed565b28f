/**
 * Splits a typed command line into program and arguments. Single and double quotes group words; a backslash escapes only a
 * quote, so that Windows paths work. No shell syntax: variables, pipes and globs are ordinary text.
 */
export function splitCommandLine(line: string): string[] {
  // An escaped quote, a text in quotes (perhaps not closed), or another character.
  const words = line.matchAll(/(?:\\["']|"(?:\\"|[^"])*"?|'(?:\\["']|[^'])*'?|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replaceAll(
      /\\(["'])|"((?:\\"|[^"])*)"?|'((?:\\["']|[^'])*)'?/g,
      (_, escaped?: string, double?: string, single = '') =>
        escaped ?? double?.replaceAll('\\"', '"') ?? String(single).replaceAll(/\\(["'])/g, '$1'),
    ),
  );
}
