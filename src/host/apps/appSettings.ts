import { workspace } from 'vscode';
import { isString } from '../../base/json.ts';

function setting(name: string): unknown {
  return workspace.getConfiguration('patchbay.apps').get<unknown>(name);
}

/** Whether apps are shown at all: `patchbay.apps.enabled`. */
export function areAppsEnabled(): boolean {
  return setting('enabled') !== false;
}

/** Whether a call opens the app of its tool: `patchbay.apps.openWithCall`. */
export function opensWithCall(): boolean {
  return areAppsEnabled() && setting('openWithCall') !== false;
}

/** The domains that no app may reach: `patchbay.apps.blockedDomains`. */
export function blockedDomains(): readonly string[] {
  const set = setting('blockedDomains');
  return Array.isArray(set) ? set.filter(isString) : [];
}
