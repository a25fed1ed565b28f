import { commands, type Disposable, Uri, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type ActingCommandId,
  actingCommands,
  type CommandId,
  CommandIds,
  type PromptCommandId,
  promptPrefix,
} from '../commandIds.ts';
import type { ConfirmElsewhere } from './confirmElsewhere.ts';
import { isByPerson } from './personArguments.ts';
import { parseExactly, stringifyExactly } from '../../base/exactIntegers.ts';

export interface CommandContext {
  readonly logger: Logger;
}

export interface ActingCommandContext extends CommandContext {
  /** Asks about an argument that is not from Patchbay's own user interface. */
  readonly confirmElsewhere: ConfirmElsewhere;
  /** The row that a keybinding of a view is about, which passes {@link ofFocusedRow}. */
  readonly focused?: () => Promise<object | undefined>;
}

/** The argument of keybindings in a view: the row that the keyboard is on is meant. */
export const ofFocusedRow = 'selection';

type Handler = (...args: readonly unknown[]) => unknown;

/**
 * Registers a command. Its result goes to the caller of `executeCommand`.
 * An error is logged and shown once here, and the command then yields `undefined`; a cancellation stays silent.
 * @param handler gets the arguments unchecked
 */
export function registerCommand(
  { logger }: CommandContext,
  id: Exclude<CommandId, ActingCommandId>,
  handler: Handler,
): Disposable {
  return register(logger, id, handler);
}

/**
 * The same for commands that act: where a keybinding or another extension gives the argument, the person is asked first.
 * @param id may be another one too, in a list of commands
 */
export function registerActingCommand(
  { logger, confirmElsewhere, focused }: ActingCommandContext,
  id: CommandId | PromptCommandId,
  handler: Handler,
): Disposable {
  const isActing = id.startsWith(promptPrefix) || actingCommands.some((name) => id === `patchbay.${name}`);
  return register(logger, id, async (...args) => {
    const isOfRow = focused !== undefined && args[0] === ofFocusedRow;
    const argument = isOfRow ? await focused() : args[0];
    if (isOfRow && argument === undefined) return undefined;
    // No menu and no palette has the commands of prompts.
    const isFromPerson = !id.startsWith(promptPrefix) && (isByPerson(argument, id) || isShown(argument));
    if (!isActing || isFromPerson) return handler(argument, ...(isOfRow ? [ofFocusedRow] : args.slice(1)));
    // The one who gave the argument can change it while the question is open.
    const copy = copyOf(argument);
    const { actingWords } = await import('./actingWords.ts');
    return (await confirmElsewhere(actingWords(id), copy)) ? handler(copy) : undefined;
  });
}

/**
 * Registers commands whose code is loaded with the first of them that runs.
 * @param load gives what each command does with its unchecked argument; the second one is {@link ofFocusedRow} for a key in a view
 */
export function registerCommands<Id extends CommandId>(
  context: ActingCommandContext,
  ids: readonly Id[],
  load: () => Promise<Readonly<Record<Id, (argument: unknown, how?: unknown) => unknown>>>,
): Disposable {
  const store = new DisposableStore();
  for (const id of ids)
    store.add(registerActingCommand(context, id, async (argument, how) => (await load())[id](argument, how)));
  return store;
}

/** @returns what JSON has of the argument of a command, or the address; `undefined` for what is neither */
export function copyOf(argument: unknown): unknown {
  if (argument instanceof Uri) return Uri.parse(argument.toString(), true);
  try {
    return parseExactly(stringifyExactly(argument) ?? 'null') ?? undefined;
  } catch {
    // A cycle, or a getter that throws.
    return undefined;
  }
}

function register(logger: Logger, id: CommandId | PromptCommandId, handler: Handler): Disposable {
  return commands.registerCommand(id, async (...args: readonly unknown[]): Promise<unknown> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (isCancellation(error)) return undefined;
      logger.error(() => `${id}: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`);
      const { showError } = await import('./showError.ts');
      showError(error, [{ title: 'Show Log', command: CommandIds.showLog }]);
      return undefined;
    }
  });
}

/** A button in the title of an editor passes the address of its document. */
function isShown(argument: unknown): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = isRecord(input) ? input['uri'] : undefined;
  return argument instanceof Uri && uri instanceof Uri && uri.toString() === argument.toString();
}
