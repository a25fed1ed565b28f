import type { Disposable } from '../base/disposable.ts';

/** What a server is doing for the user at the moment; tells the person asked for consent why. */
export interface Activity {
  begin(what: string): Disposable;
  /** The running operations, newest last, or `undefined` when there are none. */
  describe(): string | undefined;
}

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
