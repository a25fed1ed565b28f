import { createHash } from 'node:crypto';
import { Emitter } from '../../base/event.ts';
import { type Storage, storedAnswers } from '../platform/storage.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';

type Developed = Pick<HostServer, 'label' | 'definition' | 'configured'>;

/** `kept`: it is on, and the person had let its files change before. */
export type RestartChoice = 'on' | 'kept' | 'off';

const isChoice = (value: unknown): value is RestartChoice => value === 'on' || value === 'kept' || value === 'off';

/** Keeps in the workspace's state which servers restart on save. It is for a definition: another one of the same name is off. */
export function createRestartChoices(storage: Storage) {
  const didChange = new Emitter<void>();
  const answers = storedAnswers(storage, 'patchbay.restartOnSave', isChoice);
  const of = (server: Developed): RestartChoice | undefined => answers.get(definitionKey(server));
  return {
    onDidChange: didChange.event,
    of,
    /** What the person has chosen, or else what the configuration says with `dev.watch`. */
    isOn(server: Developed): boolean {
      const choice = of(server);
      return choice === undefined ? server.configured.options.dev?.watch !== undefined : choice !== 'off';
    },
    async set(server: Developed, choice: RestartChoice): Promise<void> {
      await answers.set(definitionKey(server), choice);
      didChange.fire();
    },
  };
}

export type RestartChoices = ReturnType<typeof createRestartChoices>;

/** The servers whose files may change without a question, as the person has turned *Restart on Save* on, for the view of approvals. */
export function createRestartApprovals(
  registry: Pick<ServerRegistry, 'servers' | 'get'>,
  choices: RestartChoices,
  development: () => Promise<{ turnOff(host: HostServer): Promise<void> }>,
) {
  return {
    get all(): readonly string[] {
      const isChosen = (host: HostServer): boolean => (choices.of(host) ?? 'off') !== 'off';
      return registry.servers.filter(isChosen).map(({ label }) => label);
    },
    async revoke(label: string): Promise<void> {
      const host = registry.get(label);
      if (host !== undefined) await (await development()).turnOff(host);
    },
    onDidChange: choices.onDidChange,
  };
}

export type RestartApprovals = ReturnType<typeof createRestartApprovals>;

/** @returns a text that is another one for another definition, also of a server that was never started */
export function definitionKey({ label, definition, configured }: Developed): string {
  const text = JSON.stringify([configured.source.folder?.uri, label, definition]);
  return createHash('sha256').update(text).digest('hex');
}
