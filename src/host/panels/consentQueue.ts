import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ConsentSession, SamplingReview } from '../../client/sampling/ports.ts';
import type { ConsentFromPanel, ConsentToPanel } from '../../shared/consentMessages.ts';
import { readConsentMessage } from '../../shared/readConsentMessage.ts';
import { ConsentRequest } from './consentRequest.ts';
import { QuestionQueue, type QuestionQueueOptions, type QuestionSurface } from './questionQueue.ts';

export type ConsentSurface = QuestionSurface<ConsentToPanel>;

type Decision = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

export interface ConsentQueueOptions extends Pick<
  QuestionQueueOptions<ConsentToPanel, Decision>,
  'questions' | 'lookAlike'
> {
  readonly openSurface: () => ConsentSurface;
  readonly clock: Clock;
}

/** Shows requests for a model one after the other: see {@link QuestionQueue}. A refusal declines. */
export class ConsentQueue implements Disposable {
  readonly #clock: Clock;
  readonly #queue: QuestionQueue<ConsentToPanel, Decision>;

  constructor({ clock, ...options }: ConsentQueueOptions) {
    this.#clock = clock;
    this.#queue = new QuestionQueue({ ...options, read: readConsentMessage });
  }

  /** Shows `review` as soon as it is its turn. */
  open(review: SamplingReview): ConsentSession {
    return this.#queue.add((slot) => new ConsentRequest({ slot, review, clock: this.#clock }));
  }

  dispose(): void {
    this.#queue.dispose();
  }
}
