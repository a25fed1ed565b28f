import type { ExtensionContext } from 'vscode';
import type { PatchbayApi } from './host/api.ts';
import { compose } from './host/compose/compose.ts';

let host: Awaited<ReturnType<typeof compose>> | undefined;

/** Called by VS Code once; returns the API for other extensions. */
export async function activate(context: ExtensionContext): Promise<PatchbayApi> {
  host = await compose(context);
  return host.api;
}

/** Called by VS Code before the window goes; resolves when no server process is left. */
export async function deactivate(): Promise<void> {
  await host?.dispose();
  host = undefined;
}
