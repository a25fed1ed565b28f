import type { Disposable } from '../base/disposable.ts';

/** The operations that run on one server for the user now. Consent questions show them as the reason. */
export interface Activity {
  /** @param what in a few words, for instance "tool summarize". Dispose the result when the operation ends. */
  begin(what: string): Disposable;
  /** The running operations, newest last, or `undefined` when there are none. */
  describe(): string | undefined;
}

/** Creates an activity without operations. */
export function createActivity(): Activity {
  const running = new Set<ActivityEntry>();
  return {
    begin(what) {
      const entry = new ActivityEntry(what, running);
      running.add(entry);
      return entry;
    },
    describe() {
      return running.size === 0 ? undefined : [...running].map(({ what }) => what).join(', ');
    },
  };
}

class ActivityEntry implements Disposable {
  readonly what: string;
  readonly #running: Set<ActivityEntry>;

  constructor(what: string, running: Set<ActivityEntry>) {
    this.what = what;
    this.#running = running;
  }

  dispose(): void {
    this.#running.delete(this);
  }
}
