import { commands } from 'vscode';
import { isRecord } from '../../base/json.ts';

/** What Patchbay's own views, lenses and dialogs hand to commands. It can be passed on, but not made, by other extensions. */
const handedOut = new WeakMap<object, string | undefined>();

/**
 * Marks an argument as one that a person's own click passes: VS Code does not say who runs a command.
 * @param command the only one that it is for. Other extensions get the arguments of lenses: without it, it must be an object that
 *   they do not get
 * @returns the argument itself; no one can change it where it is for one command
 */
export function byPerson<T extends object>(argument: T, command?: string): T {
  handedOut.set(argument, command);
  return command === undefined ? argument : Object.freeze(argument);
}

/** True for an argument of {@link byPerson}, and where there is none: the person then chooses from a list. */
export function isByPerson(argument: unknown, command: string): boolean {
  if (argument === undefined) return true;
  if (typeof argument !== 'object' || argument === null || !handedOut.has(argument)) return false;
  return [undefined, command].includes(handedOut.get(argument));
}

/** Runs a command for a person who has just chosen it. @param argument a label, or what the command takes */
export async function runForPerson(id: string, argument?: string | object): Promise<void> {
  if (argument === undefined) await commands.executeCommand(id);
  else await commands.executeCommand(id, byPerson(typeof argument === 'string' ? { server: argument } : argument, id));
}

/** Whether a command is to show something as a preview, for a click on a row. */
export function isForPreview(argument: unknown): boolean {
  return isRecord(argument) && argument['preview'] === true;
}
