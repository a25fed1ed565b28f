import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commandIds.ts';
import { registerActingCommand } from '../platform/registerCommand.ts';
import type { SignInCommandsOptions } from './signInCommands.ts';

const ids = [
  CommandIds.signIn,
  CommandIds.signOut,
  CommandIds.signOutOfAll,
  CommandIds.setIssuer,
  CommandIds.showAuthorization,
  CommandIds.pasteSignInAddress,
] as const;

/** A command for signing in or out. */
export type SignInCommandId = (typeof ids)[number];

/** Registers the commands for signing in and out. */
export function registerSignIn(options: SignInCommandsOptions): Disposable {
  const store = new DisposableStore();
  for (const id of ids)
    store.add(
      registerActingCommand(options, id, async (argument) => {
        const { signInCommands } = await import('./signInCommands.ts');
        return signInCommands[id](argument, options);
      }),
    );
  return store;
}
