import { commands, type Disposable } from 'vscode';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type CommandId, CommandIds, type PromptCommandId } from '../commandIds.ts';
import { showError } from './showError.ts';

/** What every command needs besides its own work. */
export interface CommandContext {
  readonly logger: Logger;
}

/**
 * Registers a command. Its result goes to the caller of `executeCommand`.
 * An error is logged and shown once here, and the command then yields `undefined`; a cancellation stays silent.
 * @param handler gets the arguments unchecked
 */
export function registerCommand(
  { logger }: CommandContext,
  id: CommandId | PromptCommandId,
  handler: (...args: readonly unknown[]) => unknown,
): Disposable {
  return commands.registerCommand(id, async (...args: readonly unknown[]): Promise<unknown> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (isCancellation(error)) return undefined;
      logger.error(() => `${id}: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`);
      showError(error, [{ title: 'Show Log', command: CommandIds.showLog }]);
      return undefined;
    }
  });
}
