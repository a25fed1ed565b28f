import { parseArgs } from 'node:util';
import { messageOf } from '../base/errors.ts';
import { parseServerAddress } from '../base/serverAddress.ts';
import { type CommandName, type CommandShape, commandShapes, optionShapes, serverPlace } from './commands.ts';
import type { Format } from './reports/report.ts';
import { UsageError } from './exitCodes.ts';

/** A server given on the command line itself. */
export type DirectServer =
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'address'; readonly url: string };

export interface Invocation {
  readonly command: CommandName;
  readonly direct: DirectServer | undefined;
  /** Arguments by the names in the shape of the command. */
  readonly positionals: Readonly<Partial<Record<CommandShape['positionals'][number], string>>>;
  readonly options: Options;
}

export interface Options {
  readonly config: string | undefined;
  readonly inputs: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined`: the value in the environment of this process. */
  readonly env: ReadonlyMap<string, string | undefined>;
  readonly timeoutMs: number | undefined;
  readonly args: readonly (readonly [string, string])[];
  readonly json: string | undefined;
  readonly only: readonly string[];
  readonly suite: string | undefined;
  readonly mode: string | undefined;
  readonly failOn: string | undefined;
  readonly format: Format;
  readonly output: string | undefined;
  readonly flags: ReadonlySet<string>;
}

export type Parsed =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly invocation: Invocation };

/** Reads the arguments after the name of the program. @throws {UsageError} */
export function parseArguments(argv: readonly string[]): Parsed {
  const [name = 'help', ...rest] = argv;
  const before = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  if (name === '--version' || name === '-v') return { kind: 'version' };
  if (name === 'help' || name === '--help' || name === '-h') {
    const about = rest[0];
    if (about !== undefined && !isCommand(about)) throw unknownCommand(about);
    return { kind: 'help', command: about };
  }
  if (!isCommand(name)) throw unknownCommand(name);
  if (before.includes('--help') || before.includes('-h')) return { kind: 'help', command: name };
  return { kind: 'run', invocation: parseCommand(name, rest) };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandShapes, name);
}

function unknownCommand(name: string): UsageError {
  const known = Object.keys(commandShapes).join(', ');
  return new UsageError(`There is no command "${name}". The commands are ${known} and help.`);
}

function parseCommand(command: CommandName, rest: readonly string[]): Invocation {
  const shape: CommandShape = commandShapes[command];
  const end = rest.indexOf('--');
  const program = end < 0 ? undefined : rest.slice(end + 1);
  const { values, positionals } = parse(command, shape, end < 0 ? rest : rest.slice(0, end));
  const place = serverPlace(shape);
  const takesServer = place >= 0;
  if (program !== undefined && !takesServer) throw new UsageError(`"${command}" takes no program after "--".`);
  const named = positionals[place] ?? '';
  const isAddress = program === undefined && takesServer && /^(?:https?|unix|pipe):/i.test(named);
  if (isAddress && parseServerAddress(named) === undefined)
    throw new UsageError(
      'The address of the server is not valid. It must start with "https://", "http://", "unix://" or "pipe://".',
    );
  const direct = program === undefined ? (isAddress ? addressOf(named) : undefined) : programOf(program);
  const names = direct === undefined ? shape.positionals : shape.positionals.filter((_, index) => index !== place);
  const given = isAddress ? positionals.filter((_, index) => index !== place) : positionals;
  const needed = shape.needed - (shape.positionals.length - names.length > 0 && shape.needed > 0 ? 1 : 0);
  const missing = names[given.length];
  if (given.length < needed && missing !== undefined)
    throw new UsageError(`"${command}" needs ${missing.toUpperCase()}. See "patchbay help ${command}".`);
  const [extra] = given.slice(names.length);
  if (extra !== undefined) {
    const hint = command === 'call' && extra.includes('=') ? ` Write --arg ${extra}` : '';
    throw new UsageError(`"${command}" does not take the argument "${extra}".${hint}`);
  }
  const byName = Object.fromEntries(given.map((value, index) => [names[index] ?? '', value]));
  return { command, direct, positionals: byName, options: readOptions(command, values, direct) };
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

function parse(command: CommandName, shape: CommandShape, args: readonly string[]) {
  const options = Object.fromEntries(
    shape.options.map((name) => {
      const { type, ...rest } = optionShapes[name];
      return [name, { type, multiple: 'multiple' in rest }];
    }),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Values, positionals };
  } catch (error) {
    // The rest of Node's message is about its own options.
    const [sentence = ''] = messageOf(error).split(/\. (?=To )/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See "patchbay help ${command}".`);
  }
}

function addressOf(url: string): DirectServer {
  return { kind: 'address', url };
}

function programOf([command, ...args]: readonly string[]): DirectServer {
  if (command === undefined || command === '') throw new UsageError('The command of the server is missing after "--".');
  return { kind: 'program', command, args };
}

function readOptions(command: CommandName, values: Values, direct: DirectServer | undefined): Options {
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (name: string): readonly string[] => {
    const value = values[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  };
  const headers = list('header').map((line) => splitAt(line, ':', '--header', 'Name: value'));
  if (headers.length > 0 && direct?.kind !== 'address')
    throw new UsageError('"--header" is for a server that is given by its address.');
  if (values['env'] !== undefined && direct?.kind !== 'program')
    throw new UsageError('"--env" is for a server whose program is given after "--".');
  if (values['config'] !== undefined && direct !== undefined)
    throw new UsageError('"--config" has no meaning for a server that is given directly.');
  const flags = Object.entries(values).flatMap(([name, value]) => (value === true ? [name] : []));
  return {
    config: text('config'),
    inputs: new Map(list('input').map((pair) => splitAt(pair, '=', '--input', 'id=value'))),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.trim(), value.trim()])),
    env: new Map(
      list('env').map((pair) => (pair.includes('=') ? splitAt(pair, '=', '--env', 'NAME=value') : [pair, undefined])),
    ),
    timeoutMs: readTimeout(text('timeout')),
    args: list('arg').map((pair) => splitAt(pair, '=', '--arg', 'name=value')),
    json: text('json'),
    only: list('only').flatMap((families) => families.split(',')),
    suite: text('suite'),
    mode: text('mode'),
    failOn: text('fail-on'),
    format: readFormat(command, text('format')),
    output: text('output'),
    flags: new Set(flags),
  };
}

function splitAt(pair: string, separator: string, option: string, form: string): [string, string] {
  const at = pair.indexOf(separator);
  // The value may be a secret: only the form is named.
  if (at <= 0) throw new UsageError(`"${option}" needs the form ${form}.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= 86_400) return Math.ceil(seconds * 1_000);
  throw new UsageError('"--timeout" needs a number of seconds, at most 86400.');
}

function readFormat(command: CommandName, text: string | undefined): Format {
  const { formats }: CommandShape = commandShapes[command];
  const found = formats.find((format) => format === (text ?? 'text'));
  if (found !== undefined) return found;
  throw new UsageError(`"${command}" has the formats ${formats.join(', ')}.`);
}
