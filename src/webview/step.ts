import type { ShortcutTargets } from './shortcuts.ts';

/** One part of the conversation; exactly one is on the screen. */
export interface Step {
  readonly element: HTMLElement;
  readonly shortcuts: ShortcutTargets;
  /** Buttons that decide take clicks only while armed: they stand where those of the step before stood. */
  setArmed(isArmed: boolean): void;
}
