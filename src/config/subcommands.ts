/** Programs that run a package or a script: their subcommands that do so, and the options before them with a value. */
const subcommands: Readonly<Record<string, { words: readonly string[]; values: readonly string[] }>> = {
  npm: { words: ['exec', 'x'], values: ['--prefix', '-C'] },
  pnpm: { words: ['dlx'], values: ['--dir', '-C'] },
  yarn: { words: ['dlx'], values: ['--cwd'] },
  uv: { words: ['tool run'], values: ['--directory', '--project'] },
  pipx: { words: ['run'], values: [] },
  bun: { words: ['run', 'x'], values: ['--cwd'] },
  deno: { words: ['run'], values: [] },
  kubectl: {
    words: ['exec', 'attach'],
    values: [
      '-n',
      '--namespace',
      '--context',
      '--kubeconfig',
      '--cluster',
      '--user',
      '-s',
      '--server',
      '--token',
      '--as',
    ],
  },
  dotnet: { words: ['tool exec', 'exec'], values: [] },
};

/** @returns where in its arguments a program has its subcommand; nowhere if what it runs only has such a name */
export function subcommandIndexes(name: string, args: readonly string[]): readonly number[] {
  const known = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (known === undefined) return [];
  const places = [...args.keys()]
    .filter((index) => !args[index]?.startsWith('-') && !known.values.includes(args[index - 1] ?? ''))
    .slice(0, 2);
  const first = args[places[0] ?? -1] ?? '';
  const both = `${first} ${args[places[1] ?? -1] ?? ''}`;
  if (known.words.includes(both)) return places;
  return known.words.includes(first) ? places.slice(0, 1) : [];
}
