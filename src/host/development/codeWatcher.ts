import { RelativePattern, Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { mostFiles } from './fileStates.ts';
import { foreignGlob, isForeign, shownPath, type WatchedFiles } from './watchedFiles.ts';

/** Files that are saved together, or by a checkout, come within so many milliseconds of each other. */
const burstMs = 150;
/** Milliseconds of a burst that goes on: a file that is written all the time, as a log, does not hold back the others. */
const longestMs = 2_000;
/** Paths of a burst that are remembered: so many count even where all of them are excepted. */
const maximumPaths = 5_000;

export interface SavedFiles {
  /** At least one, in the order of their changes. */
  readonly paths: readonly string[];
  /** One of them was saved in an editor of this window. */
  readonly isByPerson: boolean;
}

/** Watches the code of one server. */
export class CodeWatcher implements Disposable {
  readonly #clock: Clock;
  readonly #bursts: Coalescer;
  readonly #store = new DisposableStore();
  #watchers = new DisposableStore();
  #watched = '';
  #since: number | undefined;
  readonly #changed = new Set<string>();
  readonly #excepted = new Set<string>();
  readonly #inEditor = new Set<string>();

  /** @param saved a burst of changes is over */
  constructor(clock: Clock, saved: (files: SavedFiles) => void) {
    this.#clock = clock;
    this.#bursts = this.#store.add(new Coalescer(clock, burstMs, () => this.#end(saved)));
    this.#store.add(workspace.onDidSaveTextDocument(({ uri }) => addBounded(this.#inEditor, uri.fsPath)));
  }

  /** From now on these files count. A burst that has begun goes on. */
  watch(watched: readonly WatchedFiles[]): void {
    if (JSON.stringify(watched) === this.#watched) return;
    this.#watched = JSON.stringify(watched);
    const earlier = this.#watchers;
    this.#watchers = new DisposableStore();
    for (const { base, globs, except } of watched) {
      for (const glob of except) this.#follow(base, glob, (path) => addBounded(this.#excepted, path));
      for (const glob of globs) this.#follow(base, glob, (path) => this.#takeChange(path));
    }
    earlier.dispose();
  }

  dispose(): void {
    this.#watchers.dispose();
    this.#store.dispose();
  }

  #follow(base: string, glob: string, act: (path: string) => void): void {
    const watcher = this.#watchers.add(workspace.createFileSystemWatcher(new RelativePattern(Uri.file(base), glob)));
    const take = ({ fsPath }: Uri): void => {
      if (!isForeign(shownPath(fsPath, [base]))) act(fsPath);
    };
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#watchers.add(event(take));
  }

  #takeChange(path: string): void {
    addBounded(this.#changed, path);
    const now = this.#clock.now();
    this.#since ??= now;
    if (now - this.#since < longestMs || !this.#bursts.isWaiting()) this.#bursts.postpone();
  }

  #end(saved: (files: SavedFiles) => void): void {
    const all = [...this.#changed];
    const counted = all.filter((path) => !this.#excepted.has(path));
    const paths = all.length < maximumPaths || counted.length > 0 ? counted : all;
    const isByPerson = paths.some((path) => this.#inEditor.has(path));
    this.#since = undefined;
    for (const seen of [this.#changed, this.#excepted, this.#inEditor]) seen.clear();
    if (paths.length > 0) saved({ paths, isByPerson });
  }
}

/** The watched files that are there, as many as are read at most. */
export async function listFiles(watched: readonly WatchedFiles[]): Promise<readonly string[]> {
  const patterns = watched.flatMap(({ base, globs }) => globs.map((glob) => new RelativePattern(Uri.file(base), glob)));
  const found = await Promise.all(patterns.map((each) => workspace.findFiles(each, foreignGlob, mostFiles)));
  return [...new Set(found.flat().map(({ fsPath }) => fsPath))];
}

function addBounded(paths: Set<string>, path: string): void {
  if (paths.size < maximumPaths) paths.add(path);
}
