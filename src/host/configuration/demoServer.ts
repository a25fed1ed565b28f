import { type Memento, Uri } from 'vscode';
import type { LoadedSource } from '../../config/mergeConfiguration.ts';
import { isSwitchedOn } from '../platform/settings.ts';

/** The label of the demo server. A workspace can define another server with this label, which takes precedence. */
export const demoLabel = 'demo';

const demoSetting = 'demoServer';

/** True or false once the person has added it to this workspace, or removed it: that goes before the setting. */
export const demoKey = 'patchbay.demoServer';

/**
 * The demo server as a configuration source, where the person or the setting asks for it. It is trusted without a question:
 * nothing of its definition comes from a file or a setting.
 * @param executable the editor's own Node.js, as in `process.execPath`
 */
export function createDemoSource(
  extensionUri: Uri,
  executable: string,
  workspaceState: Pick<Memento, 'get'>,
): () => LoadedSource | undefined {
  const script = Uri.joinPath(extensionUri, 'dist', 'demoServer.js').fsPath;
  return () => {
    const isAdded = workspaceState.get<unknown>(demoKey);
    if (isAdded === false || (isAdded !== true && !isSwitchedOn(demoSetting))) return undefined;
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
