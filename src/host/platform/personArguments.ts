import { commands } from 'vscode';

/** What Patchbay's own views, lenses and dialogs hand to commands. It can be passed on, but not made, by other extensions. */
const handedOut = new WeakSet<object>();

/**
 * Marks an argument of a command as one that a person's own click passes: VS Code does not say who runs a command.
 * @returns the argument itself
 */
export function byPerson<T extends object>(argument: T): T {
  handedOut.add(argument);
  return argument;
}

/** True for an argument of {@link byPerson}, and where there is none: the person then chooses from a list. */
export function isByPerson(argument: unknown): boolean {
  return argument === undefined || (typeof argument === 'object' && argument !== null && handedOut.has(argument));
}

/** Runs a command for a person who has just chosen it. @param argument a label, or what the command takes */
export async function runForPerson(id: string, argument?: string | object): Promise<void> {
  if (argument === undefined) await commands.executeCommand(id);
  else await commands.executeCommand(id, byPerson(typeof argument === 'string' ? { server: argument } : argument));
}
