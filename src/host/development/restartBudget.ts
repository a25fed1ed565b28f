/** So many restarts within so many milliseconds are no person's saves. */
const most = { restarts: 10, ms: 30_000 };

/** Counts the restarts on save of one server: one that writes its own files would restart without end. */
export class RestartBudget {
  #at: readonly number[] = [];

  /** Counts a restart. @returns false if there were too many: nothing is restarted then */
  take(now: number): boolean {
    this.#at = this.#at.filter((at) => now - at < most.ms);
    if (this.#at.length >= most.restarts) return false;
    this.#at = [...this.#at, now];
    return true;
  }

  /** The person has started the server again. */
  reset(): void {
    this.#at = [];
  }
}

export const pausedWords = `Paused after ${most.restarts} restarts in ${most.ms / 1_000} s: the server, or a program beside it, keeps changing its files. Restart the server to go on.`;
