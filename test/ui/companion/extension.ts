import { writeFile } from 'node:fs/promises';
import type { ExtensionContext } from 'vscode';
import { registerModel } from './languageModel.ts';
import { startControlServer } from './controlServer.ts';

/** Offers a language model where VS Code takes one and the manifest has it, and lets UI tests call Patchbay's API over loopback HTTP. */
export async function activate(context: ExtensionContext): Promise<void> {
  const { contributes } = context.extension.packageJSON as { readonly contributes?: object };
  const model = contributes === undefined ? undefined : registerModel();
  if (model !== undefined) context.subscriptions.push(model);
  const control = await startControlServer();
  context.subscriptions.push(control);
  const addressFile = process.env['PATCHBAY_COMPANION_ADDRESS_FILE'];
  if (addressFile !== undefined) await writeFile(addressFile, control.address);
}
