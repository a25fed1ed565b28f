import { memoize } from '../base/memoize.ts';
import table from './programFiles.json' with { type: 'json' };
import lines from './commandLines.json' with { type: 'json' };

/**
 * What a program does with its command line:
 * - `tool`: it reads no files of the folder by itself
 * - `wrapper`: it runs the command in its arguments
 * - `shell`, `interpreter`: it runs a script, or code in its arguments
 * - `packages`: it runs a package, from a registry or a folder
 * - `container`: it runs an image, with folders of this machine
 * - `project`: it builds or runs what the folder has
 */
export type ProgramKind = 'tool' | 'wrapper' | 'shell' | 'interpreter' | 'packages' | 'container' | 'project';

export interface KnownProgram {
  /** The program, with its subcommand where that matters: `docker compose`. */
  readonly name: string;
  readonly kind: ProgramKind;
  /** The files that it reads by itself: see {@link programs}. */
  readonly files: readonly string[];
}

/** What several rows have in common stands in braces: `{npm} Gulpfile*`. */
const shared: Readonly<Record<string, string>> = table.shared;

/**
 * The files that programs read by themselves, in their working folder or one above. A program is `program` or
 * `program+word`, where the word is one of its arguments; the first row that fits is used. `*` in a file matches any text,
 * `**` all files below.
 */
const programs = table.programs as readonly {
  readonly kind: ProgramKind;
  readonly names: string;
  readonly files?: string;
  readonly source: string;
}[];

/** The files that decide which version of a program the shims of version managers start. */
export const shimFiles: readonly string[] = filesIn('{versions}');

/** Its files are texts as in the table: the lists of all rows would be 200 kB. */
interface Row {
  readonly name: string;
  readonly word: string;
  readonly kind: ProgramKind;
  readonly files: string;
}

const rowsByName = memoize(() => {
  const byName = new Map<string, Row[]>();
  for (const { kind, names, files = '' } of programs) {
    for (const written of names.split(' ')) {
      const [name = '', word = ''] = written.split('+');
      const row = { name, word, kind, files };
      const others = byName.get(name);
      // Most programs have one row, and V8 makes room for 16 in an array that is spread.
      byName.set(name, others === undefined ? [row] : [...others, row]);
    }
  }
  return byName;
});

/** True for a program of the table, named as by `programName`, with or without a version. */
export function isKnownProgram(name: string): boolean {
  return rowsOf(name) !== undefined;
}

/** @returns what is known of a program with these arguments; see {@link isKnownProgram} */
export function findKnownProgram(name: string, args: readonly string[]): KnownProgram | undefined {
  const own = subcommandIndexes(name, args);
  // Less is said of packages than of a project, so there the word must be the subcommand: `npm run x` is not `npm x`.
  const row = rowsOf(name)?.find(({ word, kind }) => {
    if (word === '') return true;
    return kind === 'packages' || kind === 'tool' ? own.some((index) => args[index] === word) : args.includes(word);
  });
  if (row === undefined) return undefined;
  const { name: program, word, kind } = row;
  return {
    name: `${program} ${word}`.trimEnd(),
    kind,
    // Many who ask want only the kind.
    get files() {
      return filesIn(row.files);
    },
  };
}

/**
 * @returns where in its arguments a program has the subcommand with which it runs a package or a script; nowhere if what it
 *   runs only has such a name
 */
export function subcommandIndexes(name: string, args: readonly string[]): readonly number[] {
  const known = lines.subcommands.find(({ program }) => program === name);
  if (known === undefined) return [];
  const places = [...args.keys()]
    .filter((index) => !args[index]?.startsWith('-') && !known.values.includes(args[index - 1] ?? ''))
    .slice(0, 2);
  const words = places.map((index) => args[index]);
  if (known.words.includes(words.join(' '))) return places;
  return known.words.includes(words[0] ?? '') ? places.slice(0, 1) : [];
}

function rowsOf(name: string): readonly Row[] | undefined {
  return rowOf(rowsByName(), name);
}

/** @returns what a table has for a program, named as by `programName`, with or without a version: `python3.12` */
export function rowOf<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  // The names are short, and what finds a version takes the square of the length.
  if (name.length > 64) return undefined;
  return byName.get(name) ?? byName.get(name.replace(/[-_]?v?\d[\d.]*$/, ''));
}

function filesIn(text: string): readonly string[] {
  const whole = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => filesIn(shared[name] ?? '').join(' '));
  return whole.split(' ').filter(Boolean);
}
