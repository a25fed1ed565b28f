import type { Disposable } from './disposable.ts';

/** Subscribes `listener`; dispose the returned object to unsubscribe. Same shape as `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Called when a listener throws. The other listeners are still called. */
export type ListenerErrorHandler = (error: unknown) => void;

/** The firing end of an {@link Event}. */
export class Emitter<T> implements Disposable {
  #listeners: readonly ((value: T) => void)[] = [];
  readonly #onListenerError: ListenerErrorHandler;

  /** @param onListenerError defaults to reporting the error outside the current call stack */
  constructor(onListenerError: ListenerErrorHandler = reportLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    // A fresh function per subscription, so that subscribing one listener twice gives two subscriptions.
    const entry = (value: T): void => listener(value);
    this.#listeners = [...this.#listeners, entry];
    return {
      dispose: () => {
        this.#listeners = this.#listeners.filter((other) => other !== entry);
      },
    };
  };

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}

function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
