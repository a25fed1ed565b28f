import { ConfigurationTarget, workspace } from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { RootsChoice } from '../../config/serverDefinition.ts';
import type { HostServer } from '../serverRegistry.ts';

/** Writes the choice to `patchbay.serverOptions`: the user's settings for the user's servers, else the workspace's. */
export async function saveRoots({ label, configured }: HostServer, roots: RootsChoice): Promise<void> {
  const settings = workspace.getConfiguration('patchbay');
  const isUsers = configured.source.folder === undefined;
  const inspected = settings.inspect<unknown>('serverOptions');
  const stored = isUsers ? inspected?.globalValue : inspected?.workspaceValue;
  const options = isRecord(stored) ? stored : {};
  const own = isRecord(options[label]) ? options[label] : {};
  const target = isUsers ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
  await settings.update('serverOptions', { ...options, [label]: { ...own, roots } }, target);
}
