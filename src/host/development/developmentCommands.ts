import { CommandIds } from '../commandIds.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { checkDeveloped, type Development } from './developServers.ts';

/** *Restart on Save* and *Stop Restarting on Save*. The argument is a row of the tree, a label or nothing. */
export function createDevelopmentCommands(registry: ServerRegistry, development: Development) {
  return {
    [CommandIds.restartOnSave]: async (argument: unknown) => {
      const host = await pickServer(registry, argument, {
        placeholder: 'Restart which server when its code is saved?',
        whenNone: 'No server that runs has its code in an open folder, or each restarts on save already.',
        isApplicable: ({ development: state }) => state?.restartsOnSave === false,
        acts: true,
      });
      if (host === undefined) return;
      checkDeveloped(host);
      await development.turnOn(host);
    },
    [CommandIds.stopRestartingOnSave]: async (argument: unknown) => {
      const host = await pickServer(registry, argument, {
        placeholder: 'Stop restarting which server on save?',
        whenNone: 'No server restarts on save.',
        isApplicable: ({ development: state }) => state?.restartsOnSave === true,
      });
      if (host !== undefined) await development.turnOff(host);
    },
  };
}
