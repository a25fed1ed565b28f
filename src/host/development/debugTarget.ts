import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { programName } from '../../config/programName.ts';
import { isStdio } from '../../config/serverDefinition.ts';

/** The debuggers that a server can be started under, by the type that VS Code knows them by. */
export type DebugType = 'node' | 'debugpy';

/**
 * How a server gets its debugger. `arguments`: its program is the runtime itself. `environment`: another program starts the runtime,
 * which loads a small script of Patchbay.
 */
export interface DebugTarget {
  readonly type: DebugType;
  readonly by: 'arguments' | 'environment';
}

const nodePrograms = /^(?:node|nodejs)$/;
const nodeLaunchers = /^(?:npx|npm|pnpm|pnpx|yarn|yarnpkg|corepack|tsx|ts-node|ts-node-esm|nodemon|fnm|volta|nvm)$/;
const nodeScripts = /\.[cm]?[jt]s$/i;
const pythonPrograms = /^(?:python|pypy)[\d.]*w?$/;
const pythonLaunchers = /^(?:py|uv|uvx|pipx|poetry|pdm|hatch|rye|pipenv|fastmcp|mcp)$/;
const pythonScripts = /\.py$/i;
/** For the sentence that says which commands can be debugged. */
export const debuggableCommands =
  'node, npx, npm, pnpm, yarn, tsx and nodemon, and python, uv, uvx, pipx, poetry, fastmcp and mcp';

/**
 * Finds out which debugger a command line is for.
 * @param type what the configuration says, for a program that is not known
 * @returns `undefined` where that is unknown
 */
export function debugTargetOf(command: string, args: readonly string[], type?: DebugType): DebugTarget | undefined {
  const program = programName(command);
  if (nodePrograms.test(program) && type !== 'debugpy') return { type: 'node', by: 'arguments' };
  if (pythonPrograms.test(program) && type !== 'node' && splitPython(args) !== undefined)
    return { type: 'debugpy', by: 'arguments' };
  const found = type ?? typeOf(launcherOf(program, args));
  return found && { type: found, by: 'environment' };
}

/** Whether *Debug MCP Server* is offered. */
export function isDebuggable({ definition, options }: ConfiguredServer): boolean {
  if (!isStdio(definition)) return false;
  return debugTargetOf(definition.command, definition.args ?? [], options.dev?.debug?.type) !== undefined;
}

function typeOf(words: readonly string[]): DebugType | undefined {
  const [program = ''] = words;
  const name = programName(program);
  if (nodePrograms.test(name) || nodeLaunchers.test(name) || nodeScripts.test(program)) return 'node';
  if (pythonPrograms.test(name) || pythonLaunchers.test(name) || pythonScripts.test(program)) return 'debugpy';
  return undefined;
}

/** What `cmd /c` and `env` start is meant. */
function launcherOf(program: string, args: readonly string[]): readonly string[] {
  if (program === 'cmd') return args.filter((word) => !/^\/[a-z]$/i.test(word));
  if (program === 'env') return args.slice(args.findIndex((word) => !word.startsWith('-') && !word.includes('=')));
  return [program, ...args];
}

/** @returns the options of Python, and what it runs; `undefined` where that cannot be told */
export function splitPython(args: readonly string[]) {
  const options: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '-' || word === '--') return undefined;
    const glued = /^-([bBdEhiIOPqRsStuvVx]*)([mc])(.*)$/s.exec(word);
    if (glued !== null) {
      const [, flags = '', letter = '', rest = ''] = glued;
      if (flags !== '') options.push(`-${flags}`);
      return { options, target: [`-${letter}`, ...(rest === '' ? [] : [rest]), ...args.slice(index + 1)] };
    }
    if (!word.startsWith('-')) return { options, target: args.slice(index) };
    options.push(word);
    if (/^(?:-[WX]|--check-hash-based-pycs)$/.test(word)) options.push(args[(index += 1)] ?? '');
  }
  return undefined;
}
