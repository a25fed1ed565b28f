import { memoize } from '../base/memoize.ts';
import { runnerOptions, unwrap, withoutGluedModules } from './commandLineAnalysis.ts';
import table from './commandLines.json' with { type: 'json' };
import { innerLines, interpreters, loadedBy, packageName, withoutVersion } from './inlineCode.ts';
import { programName } from './programName.ts';
import { findKnownProgram, isKnownProgram, rowOf } from './programFiles.ts';

/** What programs of the system do, which are no servers: the most severe first. */
export const effectSentences = {
  runs: 'It can run other programs: read the arguments to the end.',
  elsewhere: 'It runs a command on another machine or in a container.',
  sends: 'It can send files and data to other computers.',
  changes: 'It changes or deletes files.',
  system: 'It installs software, ends programs or changes settings of this computer.',
} as const;

export type CommandEffect = keyof typeof effectSentences;

interface EffectRow {
  readonly effect: CommandEffect;
  /** The subcommand that has the effect; empty for all. */
  readonly word: string;
  /** A client of a service: some have a server of their own, `glab mcp serve`. */
  readonly isClient: boolean;
}

interface EffectNames {
  readonly effect: CommandEffect;
  /** A program, or `program+subcommand`, separated by spaces. */
  readonly names: string;
  readonly isClient?: boolean;
}

const rowsByName = memoize(() => {
  const rows = new Map<string, EffectRow[]>();
  for (const { effect, names, isClient = false } of table.effects as readonly EffectNames[]) {
    for (const written of names.split(' ')) {
      const [name = '', word = ''] = written.split('+');
      rows.set(name, [...(rows.get(name) ?? []), { effect, word, isClient }]);
    }
  }
  return rows;
});

/** @returns what the programs of a line do, and those of the lines within it */
export function commandEffects(line: readonly string[]): readonly CommandEffect[] {
  const found = new Set([line, ...innerLines(line)].flatMap(effectsOf));
  return (Object.keys(effectSentences) as CommandEffect[]).filter((effect) => found.has(effect));
}

function effectsOf(line: readonly string[]): readonly CommandEffect[] {
  const [program = '', ...args] = withoutGluedModules(unwrap(wrapped(line)));
  const words = subcommands(args);
  // Only there: it may be a file or the value of an option as well.
  const isServer = /^(?:aw )?mcp(?:-server)?(?: |$)/.test(args.join(' '));
  return (rowOf(rowsByName(), programName(program)) ?? []).flatMap(({ effect, word, isClient }) =>
    (word === '' || words.includes(word)) && !(isClient && isServer) ? [effect] : [],
  );
}

/** What a program runs that runs the command in its arguments, wherever that begins. */
function wrapped(line: readonly string[]): readonly string[] {
  const isWrapper = (word: string): boolean => findKnownProgram(programName(word), [])?.kind === 'wrapper';
  const [program = ''] = line;
  const hasEffect = (word: string): boolean => rowOf(rowsByName(), programName(word)) !== undefined;
  if (hasEffect(program) || !isWrapper(program)) return line;
  const start = line.findIndex(
    (word, index) => index > 0 && (hasEffect(word) || (isKnownProgram(programName(word)) && !isWrapper(word))),
  );
  return start === -1 ? line : line.slice(start);
}

/** Words that may be the subcommand: up to the fourth that is no value of an option. What follows `run` is of another program. */
function subcommands(args: readonly string[]): readonly string[] {
  const isOption = (arg = ''): boolean => arg.startsWith('-');
  const sure = [...args.keys()].filter((index) => !isOption(args[index]) && !isOption(args[index - 1]));
  const end = sure.find((index, count) => count === 4 || args[index] === 'run');
  return args.slice(0, end).filter((arg) => !isOption(arg) || arg.startsWith('--install'));
}

/** What an interpreter, in the line or in one within it, gets before and with its script. */
interface InterpreterRun {
  readonly options: readonly string[];
  readonly script: string;
}

function interpreterRuns(line: readonly string[]): readonly InterpreterRun[] {
  return [line, ...innerLines(line)].flatMap((words) => {
    const isRunner = (word: string): boolean => /^(?:uv|jbang|groovy)$/.test(word) || interpreters.test(word);
    const program = words.findIndex((word) => isRunner(withoutVersion(programName(word))));
    if (program === -1) return [];
    const args = words.slice(program + 1);
    const script = args.findIndex(
      (arg, index) => !arg.startsWith('-') && arg !== 'run' && loadedBy(args, index - 1)?.isNext !== true,
    );
    return [{ options: args.slice(0, script === -1 ? undefined : script), script: args[script] ?? '' }];
  });
}

/** @returns what interpreters load before their scripts, without packages; the variables of an `--env-file` too */
export function loadedBefore(line: readonly string[]): readonly string[] {
  return interpreterRuns(line).flatMap(({ options }) =>
    options.flatMap((arg, index) => {
      const value = loadedBy(options, index)?.value ?? '';
      const isCovered = !/^-(?:-env-file|javaagent|agentpath)/.test(arg) && packageName.test(value);
      return value === '' || isCovered || /^data:/i.test(value) ? [] : [value];
    }),
  );
}

/** @returns the addresses of scripts: `deno run https://…`, `java -jar https://…` */
export function scriptAddresses(line: readonly string[]): readonly string[] {
  return interpreterRuns(line).flatMap(({ script }) => (/^(?:https?|ftp):/i.test(script) ? [script] : []));
}

const registryOption =
  /^(?:--registry|--index-url|--index|--default-index|--extra-index-url|--find-links|--source|--add-source|-i|-f)(?:=(.+))?$/s;
const usualRegistry = /^https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|api\.nuget\.org)(?:\/|$)/i;

/** @returns the addresses of other registries that a line names for what it fetches */
export function otherRegistries(line: readonly string[]): readonly string[] {
  const options = runnerOptions(line);
  const named = options.flatMap((arg, index) => {
    const match = registryOption.exec(arg);
    return match === null ? [] : [match[1] ?? options[index + 1] ?? ''];
  });
  return named.filter((value) => /^(?:[\w.-]+=)?https?:/i.test(value) && !usualRegistry.test(value));
}
