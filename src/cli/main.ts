#!/usr/bin/env node
import { CancelledError, isPatchbayError } from '../base/errors.ts';
import { boundLine } from '../base/logLine.ts';
import { version } from '../../package.json';
import { type Invocation, parseArguments } from './arguments.ts';
import { callCommand } from './callCommand.ts';
import { checkCommand } from './checkCommand.ts';
import type { CommandName } from './commands.ts';
import { diffCommand } from './diffCommand.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import { helpText } from './help.ts';
import { listCommand } from './listCommand.ts';
import type { Output } from './output.ts';
import { recordCommand, replayCommand } from './sessionCommands.ts';
import { withoutJobCommands } from './reports/shownText.ts';
import type { Surroundings } from './targets.ts';
import { testCommand } from './testCommand.ts';

type Command = (invocation: Invocation, surroundings: Surroundings, signal: AbortSignal) => Promise<number>;

const commands: Readonly<Record<CommandName, Command>> = {
  list: listCommand,
  call: callCommand,
  check: checkCommand,
  test: testCommand,
  record: recordCommand,
  replay: replayCommand,
  diff: diffCommand,
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const note = (line: string): void => void process.stderr.write(`${withoutJobCommands(boundLine(line), 'text')}\n`);

async function run(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const parsed = parseArguments(argv);
  if (parsed.kind === 'version') {
    print(version);
    return exitCodes.fine;
  }
  if (parsed.kind === 'help') {
    print(helpText(parsed.command));
    return exitCodes.fine;
  }
  const { invocation } = parsed;
  const { format, flags } = invocation.options;
  const output: Output = {
    print: (line) => print(withoutJobCommands(line, format)),
    note,
    isVerbose: flags.has('verbose'),
  };
  return commands[invocation.command](invocation, { cwd: process.cwd(), environment: process.env, output }, signal);
}

function exitCodeOf(error: unknown, signal: AbortSignal): number {
  if (signal.aborted) return exitCodes.interrupted;
  if (error instanceof UsageError || isPatchbayError(error, 'configuration')) {
    note(error.message);
    return exitCodes.usage;
  }
  note(`Patchbay has failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return exitCodes.internal;
}

async function main(): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new CancelledError());
  // The processes of servers end before this one does.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  // The reader has ended, as in `patchbay list notes | head -1`.
  process.stdout.on('error', stop);
  const { signal } = controller;
  const code = await run(process.argv.slice(2), signal).catch((error: unknown) => exitCodeOf(error, signal));
  // What is left, such as a connection that is kept open, does not hold the process.
  process.stdout.write('', () => process.exit(code));
}

await main();
