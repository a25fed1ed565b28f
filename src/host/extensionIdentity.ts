import type { ExtensionContext } from 'vscode';
import { isRecord, isString } from '../base/json.ts';
import type { Implementation } from '../protocol/mcp/base.ts';

/** How servers get to know us: name and version from the manifest. */
export function extensionIdentity(context: ExtensionContext): Implementation {
  const manifest: unknown = context.extension.packageJSON;
  const version = isRecord(manifest) && isString(manifest['version']) ? manifest['version'] : '0.0.0';
  return { name: 'patchbay', title: 'Patchbay', version };
}
