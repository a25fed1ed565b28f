import { homedir } from 'node:os';
import { type Memento, type QuickPickItem, window } from 'vscode';
import { CommandIds } from '../commandIds.ts';
import { countOf, escapeIcons, singleLine } from '../platform/displayText.ts';
import { addServer } from './addServer.ts';
import { openConfiguration } from './configurationFiles.ts';
import type { ConfigurationService } from './configurationService.ts';
import { demoKey, demoLabel } from './demoServer.ts';
import { importFromClients } from './importFromClients.ts';
import type { InputStore } from './inputStore.ts';
import type { TrustService } from './trust.ts';

interface Options {
  readonly configuration: Pick<ConfigurationService, 'refresh' | 'snapshot'>;
  readonly inputs: InputStore;
  readonly workspaceState: Pick<Memento, 'update'>;
  readonly trust: Pick<TrustService, 'load'>;
  /** What is kept of the definitions of tools, prompts and resources. */
  readonly definitions: { reset(): Promise<void> };
  readonly reveal: (label: string) => Promise<void>;
  readonly start: (label: string) => Promise<void>;
  /** Starts several, after one review of those that need a yes. */
  readonly startServers: (labels: readonly string[]) => Promise<void>;
}

export function createConfigurationCommands({ inputs, reveal, workspaceState, ...options }: Options) {
  const refresh = (): Promise<void> => options.configuration.refresh();
  const labels = (): string[] => options.configuration.snapshot.servers.map(({ label }) => label);
  const open = async (label: string): Promise<void> => {
    const server = options.configuration.snapshot.servers.find((one) => one.label === label);
    if (server !== undefined) await openConfiguration(server);
  };
  const saving = { inputs, refresh, reveal, open, labels };
  return {
    [CommandIds.addServer]: () => addServer({ ...saving, start: options.startServers }),
    [CommandIds.addReplay]: async (argument: unknown) => {
      const { addReplay } = await import('./addReplay.ts');
      await addReplay(argument, saving);
    },
    [CommandIds.importServers]: () => {
      const { platform, env: environment } = process;
      const known = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
      const place = { platform: known, userHome: homedir(), environment } as const;
      return importFromClients(place, saving);
    },
    [CommandIds.tryDemoServer]: async () => {
      await workspaceState.update(demoKey, true);
      await refresh();
      await reveal(demoLabel);
      await options.start(demoLabel);
    },
    [CommandIds.removeDemoServer]: async () => {
      await workspaceState.update(demoKey, false);
      await refresh();
    },
    [CommandIds.resetTrust]: () => resetTrust(options),
    [CommandIds.forgetInputs]: () => forgetInputs(inputs),
  };
}

/** *Forget Trusted Servers…*: forgets the chosen launches, and the pinned definitions of tools, prompts and resources. */
async function resetTrust({ trust, definitions }: Pick<Options, 'trust' | 'definitions'>): Promise<void> {
  const launches = await trust.load();
  const agreements = launches.trustedServers().map((agreement) => ({
    label: escapeIcons(singleLine(agreement.label, 80)),
    description: agreement.filesMayChange ? 'its files may change without asking' : '',
    detail: escapeIcons(singleLine(agreement.uri ?? 'User settings')),
    agreement,
  }));
  const used = {
    label: 'Tools, prompts and resources',
    description: 'of all servers',
    detail: 'How they were defined when you used them',
    agreement: undefined,
  };
  const placeHolder = 'Select what to forget. Servers ask again before their next start; running ones keep running';
  const picked = await pickSome([...agreements, used], 'Forget Trusted Servers', placeHolder);
  if (picked.length === 0) return;
  await launches.forget(picked.flatMap(({ agreement }) => (agreement === undefined ? [] : [agreement])));
  if (picked.some(({ agreement }) => agreement === undefined)) await definitions.reset();
}

async function forgetInputs(inputs: InputStore): Promise<void> {
  const items = inputs.stored().map((stored) => ({
    label: escapeIcons(singleLine(stored.id)),
    description: escapeIcons(
      singleLine(`for ${stored.usedBy.label} · goes to ${stored.usedBy.target}${stored.isSecret ? ' · hidden' : ''}`),
    ),
    detail: escapeIcons(singleLine(stored.source.uri ?? 'User settings')),
    stored,
  }));
  if (items.length === 0) {
    void window.showInformationMessage('No saved inputs.');
    return;
  }
  const picked = await pickSome(items, 'Forget Inputs', 'Select inputs to forget; the next start asks for them');
  if (picked.length === 0) return;
  await inputs.forget(picked.map(({ stored }) => stored));
  void window.showInformationMessage(`Forgot ${countOf(picked.length, 'input')}.`);
}

/** @returns those of the items that the person leaves chosen */
async function pickSome<T extends QuickPickItem>(items: readonly T[], title: string, placeHolder: string) {
  const all = items.map((item) => ({ ...item, picked: true }));
  return (await window.showQuickPick(all, { title, placeHolder, canPickMany: true })) ?? [];
}
