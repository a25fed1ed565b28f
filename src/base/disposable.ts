/** An object that holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Like {@link Disposable}, for resources whose release takes time, such as a child process. */
export interface AsyncDisposable {
  /** Resolves when the resource is released; never rejects. */
  dispose(): Promise<void>;
}

/** @returns a disposable that calls `release` at most once */
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

/** Owns disposables and disposes them together, in reverse order. An item added after that is disposed at once. */
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

  /** Disposes `item` now and removes it. */
  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  /** Disposes all items; the store stays usable. */
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
