import type { ShortcutTargets } from './shortcuts.ts';

/** One step of a question, for instance the form or the review of the answer. The page shows one step at a time. */
export interface Step {
  readonly element: HTMLElement;
  readonly shortcuts: ShortcutTargets;
  /** Enables or disables the deciding buttons: they are in the same place as those of the step before. */
  setArmed(isArmed: boolean): void;
}
