import { window } from 'vscode';
import { escapeIcons } from '../displayText.ts';
import { type SaveTarget, saveTargets } from './saveServers.ts';

/** Asks where servers are to be saved. Without an open folder there is one place, and no question. */
export async function chooseTarget(title: string): Promise<SaveTarget | undefined> {
  const targets = await saveTargets();
  if (targets.length === 1) return targets[0];
  const items = targets.map((target) =>
    target.kind === 'file'
      ? {
          label: `$(root-folder) ${escapeIcons(target.file.source.title)}`,
          description: 'For everyone who works on this folder',
          target,
        }
      : { label: '$(account) User settings', description: 'For you, in every workspace', target },
  );
  return (await window.showQuickPick(items, { title, placeHolder: 'Where to save it', ignoreFocusOut: true }))?.target;
}
