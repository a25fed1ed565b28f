import { commands, Range, Uri, window, workspace } from 'vscode';
import type { ConfigurationSource, ConfiguredServer, TextRange } from '../../config/configuredServer.ts';

/** Opens the place that defines a server: its entry in a file, or the setting. */
export function openConfiguration({ source, range }: ConfiguredServer): Promise<void> {
  return openSource(source, range);
}

/** Opens a place that defines servers, at `range` where it is a file. */
export async function openSource(
  { kind, uri }: ConfigurationSource,
  range: TextRange = { offset: 0, length: 0 },
): Promise<void> {
  if (kind === 'demo') {
    await commands.executeCommand('workbench.action.openSettings', 'patchbay.demoServer');
    return;
  }
  if (uri === undefined) {
    await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.servers' } });
    return;
  }
  const document = await workspace.openTextDocument(Uri.parse(uri));
  const { offset, length } = range;
  const selection = new Range(document.positionAt(offset), document.positionAt(offset + length));
  await window.showTextDocument(document, { selection });
}
