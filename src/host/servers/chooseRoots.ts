import { window, workspace } from 'vscode';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { saveOptions } from './saveOptions.ts';
import type { HostServer } from './serverRegistry.ts';
import { escapeIcons, singleLine } from '../platform/displayText.ts';

/** Asks which workspace folders a server may know about, and saves the choice in the user's settings; a running server is notified. */
export async function chooseRoots(host: Pick<HostServer, 'configured'>): Promise<void> {
  const roots = await askRoots(host.configured);
  // The configuration may have changed meanwhile.
  if (roots !== undefined) await saveOptions(host.configured, { roots });
}

async function askRoots({ label, options: { roots: present = 'all' } }: ConfiguredServer) {
  const title = `Workspace Folders for ${singleLine(label, 60)}`;
  const scope = typeof present === 'string' ? present : 'some';
  const scopes = [
    { scope: 'all', label: 'All Workspace Folders', detail: 'Including folders added later.' },
    { scope: 'none', label: 'No Workspace Folder', detail: 'The server gets an empty list.' },
    { scope: 'some', label: 'Choose Folders…', detail: 'Only the folders that you select.' },
  ] as const;
  const picked = await window.showQuickPick(
    scopes.map((pick) => (pick.scope === scope ? { ...pick, description: 'now' } : pick)),
    { title, placeHolder: 'Select what to share with the server' },
  );
  if (picked?.scope !== 'some') return picked?.scope;
  const picks = (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    label: escapeIcons(name),
    description: escapeIcons(uri.fsPath),
    picked: present === 'all' || (present !== 'none' && present.includes(name)),
    name,
  }));
  const placeHolder = 'Select the folders to share with the server';
  const chosen = await window.showQuickPick(picks, { canPickMany: true, title, placeHolder });
  return chosen?.map(({ name }) => name);
}
