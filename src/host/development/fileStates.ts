import type { ResolvedFile } from '../../config/resolvedCode.ts';

/** What of the watched files is read at a start: more is known by its name alone, and counts as changed with its first change. */
export const mostFiles = 1_000;

/** No file of this name. */
const absent = 'absent';
/** It has changed before it was read: what the process has of it is not known. */
const unknown = 'unknown';

/** What the watched files held when a process was started, and which of them are not as they were. */
export class FileStates {
  readonly #digest: (path: string) => Promise<string>;
  readonly #known: Map<string, string>;
  /** What was compared last, where that is something else. */
  readonly #seen = new Map<string, string>();
  readonly #changed = new Set<string>();
  #isComplete = false;
  #isOver = false;

  /**
   * @param digest rejects where there is no file; empty for one that is too large
   * @param named files whose digests are known
   */
  constructor(digest: (path: string) => Promise<string>, named: readonly ResolvedFile[]) {
    this.#digest = digest;
    this.#known = new Map(named.map((file) => [file.path, file.digest]));
  }

  /** Reads what is there, one file after the other: beside the work of a person. @param paths at most {@link mostFiles}, or more of which the rest is left */
  async read(paths: readonly string[]): Promise<void> {
    for (const path of paths.slice(0, mostFiles)) {
      if (this.#isOver) return;
      if (this.#known.has(path)) continue;
      const digest = await this.#now(path);
      // It may have changed meanwhile.
      if (!this.#known.has(path)) this.#known.set(path, digest);
    }
    this.#isComplete = paths.length < mostFiles;
  }

  /** Whether a file holds something else than when it was compared last: one that is written as it was, as by a build, says nothing. */
  async hasNews(paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      const before = this.#seen.get(path) ?? this.#before(path);
      if (!isSame(before, await this.#now(path))) return true;
    }
    return false;
  }

  /** Files have changed, or are as they were again. @returns the first that is not as it was */
  async compare(paths: readonly string[]): Promise<string | undefined> {
    for (const path of paths) {
      const before = this.#before(path);
      this.#known.set(path, before);
      const now = await this.#now(path);
      this.#seen.set(path, now);
      if (isSame(before, now)) this.#changed.delete(path);
      else this.#changed.add(path);
    }
    return [...this.#changed][0];
  }

  /** The process is another one now: nothing more is read. */
  end(): void {
    this.#isOver = true;
  }

  #before(path: string): string {
    return this.#known.get(path) ?? (this.#isComplete ? absent : unknown);
  }

  #now(path: string): Promise<string> {
    return this.#digest(path).catch(() => absent);
  }
}

function isSame(before: string, now: string): boolean {
  return before !== '' && before !== unknown && before === now;
}
