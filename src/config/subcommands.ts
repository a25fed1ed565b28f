import table from './commandLines.json' with { type: 'json' };

/**
 * The subcommand of a program that runs a package or a script; `values` are the options before it with a value.
 * @returns where in its arguments a program has its subcommand; nowhere if what it runs only has such a name
 */
export function subcommandIndexes(name: string, args: readonly string[]): readonly number[] {
  const known = table.subcommands.find(({ program }) => program === name);
  if (known === undefined) return [];
  const places = [...args.keys()]
    .filter((index) => !args[index]?.startsWith('-') && !known.values.includes(args[index - 1] ?? ''))
    .slice(0, 2);
  const first = args[places[0] ?? -1] ?? '';
  const both = `${first} ${args[places[1] ?? -1] ?? ''}`;
  if (known.words.includes(both)) return places;
  return known.words.includes(first) ? places.slice(0, 1) : [];
}
