import { commands, ConfigurationTarget, Uri, window, workspace } from 'vscode';
import type { LoadedSource } from '../../config/mergeConfiguration.ts';

/** The label of the demo server. A workspace can define another server with this label, which takes precedence. */
export const demoLabel = 'demo';

const section = 'patchbay';
const setting = 'demoServer';

/**
 * The demo server as a configuration source, if the setting asks for it.
 * @param executable the editor's own Node.js, as in `process.execPath`
 */
export function createDemoSource(extensionUri: Uri, executable: string): () => LoadedSource | undefined {
  const script = Uri.joinPath(extensionUri, 'dist', 'demoServer.js').fsPath;
  return () => {
    // VS Code copies all values of the section, without a section those of all extensions.
    if (workspace.getConfiguration(section).get<unknown>(setting) !== true) return undefined;
    const definition = {
      type: 'stdio',
      command: executable,
      args: [script],
      // Desktop editors are Electron, which runs as plain Node.js only with this variable; Node.js ignores it.
      env: { ELECTRON_RUN_AS_NODE: '1' },
    } as const;
    return {
      source: { kind: 'demo', uri: undefined, folder: undefined, title: 'Built-in demo server' },
      parsed: {
        servers: [{ label: demoLabel, definition, options: {}, range: undefined }],
        labels: [demoLabel],
        inputs: [],
        problems: [],
      },
    };
  };
}

/** Turns the demo server on in all windows. */
export async function addDemoServer(): Promise<void> {
  await workspace.getConfiguration(section).update(setting, true, ConfigurationTarget.Global);
}

/** Turns the demo server off in the user and workspace settings. */
export async function removeDemoServer(): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  const { globalValue, workspaceValue } = configuration.inspect(setting) ?? {};
  if (globalValue !== undefined) await configuration.update(setting, undefined, ConfigurationTarget.Global);
  if (workspaceValue !== undefined) await configuration.update(setting, undefined, ConfigurationTarget.Workspace);
  if (workspace.getConfiguration(section).get(setting) !== true) return;
  const open = 'Open Settings';
  const chosen = await window.showInformationMessage(
    'A folder of this workspace asks for the demo server in its settings.',
    open,
  );
  if (chosen === open) await commands.executeCommand('workbench.action.openSettings', `${section}.${setting}`);
}
