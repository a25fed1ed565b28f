/** Something that holds a resource until told to let go. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Like {@link Disposable}, for resources whose release takes time, such as a child process. */
export interface AsyncDisposable {
  /** Resolves once the resource is really gone; never rejects. */
  dispose(): Promise<void>;
}

/** Wraps `release` so that it runs at most once. */
export function toDisposable(release: () => void): Disposable {
  let isDisposed = false;
  return {
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      release();
    },
  };
}

/** Owns disposables and releases them together, newest first. Anything added after that is released at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Releases `item` now and forgets it. */
  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  /** Releases everything held so far; the store stays usable. */
  clear(): void {
    const items = [...this.#items].toReversed();
    this.#items.clear();
    for (const item of items) item.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }
}
