import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ImportPlace } from '../../config/importCandidates.ts';
import { askSafely } from '../askSafely.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import { countOf, escapeIcons, singleLine } from '../displayText.ts';
import type { LazyDefinitions } from '../definitions/lazyDefinitions.ts';
import type { ConfigurationService } from './configurationService.ts';
import { addDemoServer, demoLabel, removeDemoServer } from './demoServer.ts';
import type { InputStore } from './inputStore.ts';
import type { TrustService } from './trust.ts';

export interface ConfigurationCommandsOptions {
  readonly configuration: Pick<ConfigurationService, 'refresh'>;
  readonly inputs: InputStore;
  readonly trust: Pick<TrustService, 'reset'>;
  readonly definitions: Pick<LazyDefinitions, 'reset'>;
  readonly place: ImportPlace;
  /** Shows a server in the sidebar. */
  readonly reveal: (label: string) => Promise<void>;
  /** Starts a server as a person does, failures shown. */
  readonly start: (label: string) => Promise<void>;
  readonly logger: Logger;
}

/** Registers the commands that add servers, and those that forget what was answered about them. */
export function registerConfigurationCommands(options: ConfigurationCommandsOptions): Disposable {
  const { inputs, reveal, place, logger } = options;
  const refresh = (): Promise<void> => options.configuration.refresh();
  const store = new DisposableStore();
  store.add(
    registerCommand({ logger }, CommandIds.addServer, async () => {
      // Loaded when asked for: most windows never add a server.
      const { addServer } = await import('./addServer.ts');
      await addServer({ inputs, refresh, reveal });
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.importServers, async () => {
      const { importFromClients } = await import('./importFromClients.ts');
      await importFromClients({ inputs, place, refresh, reveal });
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.tryDemoServer, async () => {
      await addDemoServer();
      await refresh();
      await reveal(demoLabel);
      await options.start(demoLabel);
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.removeDemoServer, async () => {
      await removeDemoServer();
      await refresh();
    }),
  );
  store.add(registerCommand({ logger }, CommandIds.resetTrust, () => resetTrust(options)));
  store.add(registerCommand({ logger }, CommandIds.forgetInputs, () => forgetInputs(inputs)));
  return store;
}

async function resetTrust({
  trust,
  definitions,
}: Pick<ConfigurationCommandsOptions, 'trust' | 'definitions'>): Promise<void> {
  const message = 'Forget which servers you have trusted?';
  const detail =
    'Every server asks again before its next start, and what its tools, prompts and resources were like when you used them is forgotten. Servers that run now keep running.';
  const chosen = await askSafely({ message, detail, safe: 'Keep Them', actions: ['Forget'] });
  if (chosen !== 'Forget') return;
  await trust.reset();
  await definitions.reset();
}

function userOf({ usedBy }: InputStore['stored'][number]): string[] {
  return usedBy === undefined ? [] : [`for ${usedBy.label}`, `goes to ${usedBy.target}`];
}

async function forgetInputs(inputs: InputStore): Promise<void> {
  const items = inputs.stored.map((stored) => ({
    label: escapeIcons(singleLine(stored.id)),
    description: escapeIcons(singleLine([...userOf(stored), ...(stored.isSecret ? ['hidden'] : [])].join(' · '))),
    detail: escapeIcons(singleLine(stored.source.uri ?? 'User settings')),
    picked: true,
    stored,
  }));
  if (items.length === 0) {
    void window.showInformationMessage('No inputs are kept.');
    return;
  }
  const picked = await window.showQuickPick(items, {
    title: 'Forget Inputs',
    placeHolder: 'The chosen ones are asked for again at the next start',
    canPickMany: true,
  });
  if (picked === undefined || picked.length === 0) return;
  await inputs.forget(picked.map(({ stored }) => stored));
  void window.showInformationMessage(`Forgot ${countOf(picked.length, 'input')}.`);
}
