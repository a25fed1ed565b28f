import { writeFile } from 'node:fs/promises';
import type { ExtensionContext } from 'vscode';
import { registerModel } from './languageModel.ts';
import { startControlServer } from './controlServer.ts';

/** Offers a language model where VS Code takes one, and lets UI tests call Patchbay's API over loopback HTTP. */
export async function activate(context: ExtensionContext): Promise<void> {
  const model = registerModel();
  if (model !== undefined) context.subscriptions.push(model);
  const control = await startControlServer();
  context.subscriptions.push(control);
  const addressFile = process.env['PATCHBAY_COMPANION_ADDRESS_FILE'];
  if (addressFile !== undefined) await writeFile(addressFile, control.address);
}
