import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ConsentSession, SamplingReview } from '../../client/sampling/ports.ts';
import type { ConsentToPanel } from '../../shared/consentMessages.ts';
import { readConsentMessage } from '../../shared/readConsentMessage.ts';
import { ConsentRequest } from './consentRequest.ts';

/** A panel on the screen, or a stand-in for one. */
export interface ConsentSurface extends Disposable {
  post(message: ConsentToPanel): void;
  reveal(): void;
  /** Whatever the page sent, unchecked. */
  readonly onMessage: Event<unknown>;
  /** The person closed it; not fired by `dispose`. */
  readonly onDidClose: Event<void>;
}

export interface ConsentQueueOptions {
  readonly openSurface: () => ConsentSurface;
  readonly clock: Clock;
}

/**
 * Shows requests one after the other, in the order they came. Closing the panel, or a message from it that cannot be
 * understood, declines the request on the screen and no other: the next one comes up on its own.
 */
export class ConsentQueue implements Disposable {
  readonly #options: ConsentQueueOptions;
  readonly #requests: ConsentRequest[] = [];
  #surface: ConsentSurface | undefined;
  /** The page has loaded and listens. */
  #isReady = false;
  #shown: ConsentRequest | undefined;
  #nextId = 1;
  #isDisposed = false;

  constructor(options: ConsentQueueOptions) {
    this.#options = options;
  }

  /** Shows `review` as soon as it is its turn. */
  open(review: SamplingReview): ConsentSession {
    const request = new ConsentRequest({
      id: this.#nextId++,
      review,
      clock: this.#options.clock,
      post: (message) => {
        if (message.id === this.#shown?.id && this.#isReady) this.#surface?.post(message);
      },
      onDidEnd: (ended) => this.#remove(ended),
      onDidChangeWaiting: () => this.#showWaiting(),
    });
    if (this.#isDisposed) {
      request.refuse();
      return request;
    }
    this.#requests.push(request);
    this.#advance();
    return request;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#shown = undefined;
    for (const request of this.#requests.splice(0)) request.refuse();
    this.#closeSurface();
  }

  #advance(): void {
    const [first] = this.#requests;
    if (first === undefined) return this.#closeSurface();
    if (first === this.#shown) return this.#showWaiting();
    this.#shown = first;
    if (this.#surface === undefined) this.#openSurface();
    else this.#surface.reveal();
    if (this.#isReady) first.present(this.#waiting());
  }

  #remove(request: ConsentRequest): void {
    const index = this.#requests.indexOf(request);
    if (index === -1) return;
    this.#requests.splice(index, 1);
    if (request === this.#shown) {
      if (this.#isReady) this.#surface?.post({ type: 'done', id: request.id });
      this.#shown = undefined;
    }
    this.#advance();
  }

  #openSurface(): void {
    const surface = this.#options.openSurface();
    this.#surface = surface;
    this.#isReady = false;
    surface.onMessage((message) => {
      if (surface === this.#surface) this.#receive(message);
    });
    surface.onDidClose(() => {
      if (surface !== this.#surface) return;
      this.#surface = undefined;
      this.#isReady = false;
      this.#shown?.refuse();
    });
  }

  #receive(value: unknown): void {
    const message = readConsentMessage(value);
    if (message === undefined) this.#shown?.refuse();
    else if (message.type === 'ready') {
      this.#isReady = true;
      this.#shown?.present(this.#waiting());
    } else if (message.id === this.#shown?.id) this.#shown.receive(message);
  }

  #closeSurface(): void {
    const surface = this.#surface;
    this.#surface = undefined;
    this.#isReady = false;
    surface?.dispose();
  }

  #showWaiting(): void {
    const shown = this.#shown;
    if (shown && this.#isReady) this.#surface?.post({ type: 'waiting', id: shown.id, count: this.#waiting() });
  }

  /** The asker may know of more than are in this queue, never of fewer. */
  #waiting(): number {
    return Math.max(this.#requests.length - 1, this.#shown?.waiting ?? 0);
  }
}
