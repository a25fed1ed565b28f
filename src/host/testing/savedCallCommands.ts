import { commands, window } from 'vscode';
import { isCancellation, messageOf, PatchbayError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { chooseSavedCall } from '../calls/savedCallQuestions.ts';
import { notificationText } from '../platform/displayText.ts';
import { pickServer } from '../servers/pickServer.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import type { SavedCallSource } from './savedCallSource.ts';
import type { TestTree } from './testSource.ts';

interface CommandPorts {
  readonly registry: ServerRegistry;
  readonly logger: Logger;
  readonly calls: SavedCalls;
  readonly source: SavedCallSource;
  readonly tree: Pick<TestTree, 'run' | 'idsOf'>;
}

const toggles = { on: 'after each restart', off: 'no longer after a restart' } as const;

/** *Run Saved Call as Test*, *Update Snapshots…* and *Run Saved Calls After Each Restart*. */
export function createSavedCallCommands(ports: CommandPorts) {
  const { registry, calls, source, tree } = ports;
  const restarts = followRestarts(ports);
  return {
    [CommandIds.runSavedCall]: async (argument: unknown) => {
      const key = await chooseSavedCall(argument, calls, 'Run Saved Call as Test');
      const ids = await source.idsOf(key);
      if (ids.length === 0)
        throw new PatchbayError('notFound', `.vscode/mcp-calls.json no longer has a call “${key.name}” of this tool.`);
      await commands.executeCommand('workbench.view.testing.focus');
      await tree.run(source.id, ids, 'command');
    },
    [CommandIds.updateSnapshots]: (argument: unknown) => source.updateSnapshots(tree.idsOf(source.id, argument)),
    [CommandIds.runCallsAfterRestart]: async (argument: unknown) => {
      const host = await pickServer(registry, argument, {
        placeholder: 'Run the saved calls of which server after each restart?',
        whenNone: 'No MCP servers are configured.',
        acts: true,
      });
      if (host === undefined) return;
      const { label } = host;
      const isOn = restarts.toggle(host);
      const name = notificationText(label, 60);
      const first =
        (await source.repeatable(label)).length === 0 ? ' Run them once yourself: what you have run is repeated.' : '';
      const message = `The saved calls of “${name}” run ${toggles[isOn ? 'on' : 'off']}, in this window.${isOn ? first : ''}`;
      void window.showInformationMessage(message);
    },
    dispose: () => restarts.dispose(),
  };
}

/**
 * Runs the saved calls of chosen servers each time that they run again, whatever has restarted them. The choice is of the definition of a
 * server, so it follows another name and ends with another definition; it ends with the window too.
 */
function followRestarts({ registry, logger, source, tree }: CommandPorts) {
  /** Identities of servers. */
  const chosen = new Set<string>();
  const states = registry.onDidChangeState(({ label, state }) => {
    const identity = registry.get(label)?.server.identity;
    if (state.kind === 'running' && identity !== undefined && chosen.has(identity)) void repeat(label);
  });
  async function repeat(label: string): Promise<void> {
    try {
      const ids = await source.repeatable(label);
      if (ids.length > 0) await tree.run(source.id, ids, 'restart');
    } catch (error) {
      if (!isCancellation(error))
        logger.warn(`The saved calls of "${label}" did not run after its restart: ${messageOf(error)}`);
    }
  }
  return {
    /** @returns whether they run after a restart now */
    toggle({ server: { identity } }: HostServer): boolean {
      if (chosen.delete(identity)) return false;
      chosen.add(identity);
      return true;
    },
    dispose: () => states.dispose(),
  };
}
