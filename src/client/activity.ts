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
  const running = new Set<Entry>();
  return {
    begin(what) {
      const entry = new Entry(what, running);
      running.add(entry);
      return entry;
    },
    describe() {
      return running.size === 0 ? undefined : [...running].map(({ what }) => what).join(', ');
    },
  };
}

class Entry implements Disposable {
  readonly what: string;
  readonly #running: Set<Entry>;

  constructor(what: string, running: Set<Entry>) {
    this.what = what;
    this.#running = running;
  }

  dispose(): void {
    this.#running.delete(this);
  }
}
