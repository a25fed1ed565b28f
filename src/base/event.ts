import type { Disposable } from './disposable.ts';

/** Subscribes `listener`; dispose the returned object to unsubscribe. Same shape as `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  /** Replaced by each change, so that a listener may subscribe and unsubscribe others while the event fires. */
  #subscriptions: readonly Subscription<T>[] = none;

  /** Created by each access: most emitters have one listener, or none, for as long as they live. */
  get event(): Event<T> {
    return (listener) => this.#subscribe(listener);
  }

  #subscribe(listener: (value: T) => void): Subscription<T> {
    const subscription = new Subscription(this, listener);
    // Unlike a spread, `concat` reserves no room for more: most events have one listener, and stay as they are.
    this.#subscriptions = this.#subscriptions.concat(subscription);
    return subscription;
  }

  /** An error of a listener is thrown outside the current call stack. The other listeners are still called. */
  fire(value: T): void {
    for (const { listener } of this.#subscriptions) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Ends one subscription; no-op for one that has ended. */
  remove(subscription: Subscription<T>): void {
    this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
  }

  dispose(): void {
    this.#subscriptions = none;
  }
}

const none: readonly never[] = [];

/** One object for each subscription, so that subscribing one listener twice gives two. */
class Subscription<T> implements Disposable {
  readonly listener: (value: T) => void;
  readonly #emitter: Emitter<T>;

  constructor(emitter: Emitter<T>, listener: (value: T) => void) {
    this.#emitter = emitter;
    this.listener = listener;
  }

  dispose(): void {
    this.#emitter.remove(this);
  }
}
