import type { PatchbayError } from '../../base/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/** What is known of a server whose code is in the workspace. */
export interface DevelopmentState {
  readonly restartsOnSave: boolean;
  /** A file, as people know it, that has changed since the process was started. */
  readonly staleFile?: string | undefined;
  /** Why the code that was saved last does not start: what runs is the code before it. */
  readonly failure?: PatchbayError | undefined;
  /** What the last restart on save has changed, in a few words and in sentences. */
  readonly changes?: { readonly words: string; readonly lines: readonly string[] } | undefined;
  /** Why it no longer restarts on save, in a sentence. */
  readonly pausedBecause?: string | undefined;
}

/** What `host/development` has found, by the labels of servers. */
export class DevelopmentStates implements Disposable {
  readonly #onDidChange = new Emitter<string>();
  readonly #onDidRestart = new Emitter<string>();
  readonly #states = new Map<string, DevelopmentState>();

  /** Fires with the label. */
  readonly onDidChange = this.#onDidChange.event;
  /** A server runs from what was saved. Fires with the label. */
  readonly onDidRestart = this.#onDidRestart.event;

  /** @returns `undefined` for a server whose code is not in the workspace, or that has not run */
  of(label: string): DevelopmentState | undefined {
    return this.#states.get(label);
  }

  set(label: string, state: DevelopmentState | undefined): void {
    if (textOf(this.#states.get(label)) === textOf(state)) return;
    if (state === undefined) this.#states.delete(label);
    else this.#states.set(label, state);
    this.#onDidChange.fire(label);
  }

  restarted(label: string): void {
    this.#onDidRestart.fire(label);
  }

  dispose(): void {
    this.#onDidChange.dispose();
    this.#onDidRestart.dispose();
  }
}

/** JSON leaves out the message of an error, in which two mistakes in one file differ. */
function textOf(state: DevelopmentState | undefined): string | undefined {
  return JSON.stringify(state && { ...state, failure: state.failure?.message });
}
