import { workspace } from 'vscode';

// Apart from the other settings, as only what is loaded with the first app reads these.

/** Whether apps get real origins of their own: `patchbay.apps.ownOrigin`. */
export function givesOwnOrigins(): boolean {
  return isOn('ownOrigin');
}

/** Whether apps may run code that they make: `patchbay.apps.evaluation`. */
export function mayEvaluate(): boolean {
  return isOn('evaluation');
}

function isOn(name: string): boolean {
  return workspace.getConfiguration('patchbay.apps').get<unknown>(name) === true;
}
