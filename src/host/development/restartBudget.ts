/** So many restarts within so many milliseconds, or each as soon after the one before, are no person's saves. */
const most = { restarts: 10, ms: 30_000, soonMs: 3_000 };

/** Counts the restarts on save of one server: one that writes its own files would restart without end, however slowly it starts. */
export class RestartBudget {
  #at: readonly number[] = [];
  #chain = 0;
  #endedAt = -Infinity;

  /**
   * Counts a restart.
   * @param isDuring the files changed before the restart before it was over
   * @returns false if there were too many: nothing is restarted then
   */
  take(now: number, isDuring: boolean): boolean {
    this.#at = this.#at.filter((at) => now - at < most.ms);
    this.#chain = isDuring || now - this.#endedAt < most.soonMs ? this.#chain + 1 : 0;
    if (this.#at.length >= most.restarts || this.#chain >= most.restarts) return false;
    this.#at = [...this.#at, now];
    return true;
  }

  /** A restart is over. */
  ended(now: number): void {
    this.#endedAt = now;
  }

  /** The person has started the server, or has saved a file. */
  reset(): void {
    this.#at = [];
    this.#chain = 0;
  }
}

export const pausedWords = `Paused after ${most.restarts} restarts one after the other: the server, or a program beside it, keeps changing its files. Restart the server to go on, or leave these files out with "dev.watch".`;
