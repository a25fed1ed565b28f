import { commands, Range, Uri, window, workspace } from 'vscode';
import type { ConfiguredServer } from '../../config/configuredServer.ts';

/** Opens the place that defines a server: its entry in a file, or the setting. */
export async function openConfiguration({ source, range }: ConfiguredServer): Promise<void> {
  if (source.kind === 'demo') {
    await commands.executeCommand('workbench.action.openSettings', 'patchbay.demoServer');
    return;
  }
  if (source.uri === undefined) {
    await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.servers' } });
    return;
  }
  const document = await workspace.openTextDocument(Uri.parse(source.uri));
  const start = document.positionAt(range?.offset ?? 0);
  const end = document.positionAt((range?.offset ?? 0) + (range?.length ?? 0));
  await window.showTextDocument(document, { selection: new Range(start, end) });
}
