import { personalSetting } from '../platform/settings.ts';

// Apart from the other settings, as only what is loaded with the first app reads these.

/** Whether apps get real origins of their own: `patchbay.apps.ownOrigin`. */
export function givesOwnOrigins(): boolean {
  return personalSetting('apps.ownOrigin') === true;
}

/** Whether apps may run code that they make: `patchbay.apps.evaluation`. */
export function mayEvaluate(): boolean {
  return personalSetting('apps.evaluation') === true;
}
