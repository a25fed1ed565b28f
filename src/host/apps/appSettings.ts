import { isString } from '../../base/json.ts';
import { isSwitchedOn, personalSetting } from '../platform/settings.ts';

/** Whether apps are shown at all: `patchbay.apps.enabled`. */
export function areAppsEnabled(): boolean {
  return isSwitchedOn('apps.enabled');
}

/** Whether a call opens the app of its tool: `patchbay.apps.openWithCall`. */
export function opensWithCall(): boolean {
  return areAppsEnabled() && isSwitchedOn('apps.openWithCall');
}

/** The domains that no app may reach: `patchbay.apps.blockedDomains`. */
export function blockedDomains(): readonly string[] {
  const set = personalSetting('apps.blockedDomains');
  return Array.isArray(set) ? set.filter(isString) : [];
}

/** Whether apps get real origins of their own: `patchbay.apps.ownOrigin`. */
export function givesOwnOrigins(): boolean {
  return personalSetting('apps.ownOrigin') === true;
}

/** Whether apps may run code that they make: `patchbay.apps.evaluation`. */
export function mayEvaluate(): boolean {
  return personalSetting('apps.evaluation') === true;
}
