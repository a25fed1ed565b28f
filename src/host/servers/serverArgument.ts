import { isRecord } from '../../base/json.ts';

/**
 * The server a command was called with, by its label: the label itself, or a row of the servers view.
 * @returns `undefined` where the command was called with no such thing, as from the palette
 */
export function labelFromArgument(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  return isRecord(argument) && typeof argument['server'] === 'string' ? argument['server'] : undefined;
}
