import type { Disposable } from '../../base/disposable.ts';
import type { ElicitationConsent, ElicitationReview, ElicitationSession } from '../../client/elicitation/ports.ts';
import { type ElicitationToPanel, readElicitationMessage } from '../../shared/elicitationMessages.ts';
import {
  type ElicitationMessage,
  ElicitationQuestion,
  type ElicitationQuestionOptions,
} from './elicitationQuestion.ts';
import { QuestionQueue, type QuestionQueueOptions } from './questionQueue.ts';

export type ElicitationQueueOptions = Pick<
  QuestionQueueOptions<ElicitationToPanel, ElicitationMessage>,
  'questions' | 'openSurface'
> &
  Pick<ElicitationQuestionOptions, 'openAddress'>;

/** Shows the questions of servers one after the other: see {@link QuestionQueue}. A refusal cancels. */
export class ElicitationQueue implements ElicitationConsent, Disposable {
  readonly #openAddress: ElicitationQuestionOptions['openAddress'];
  readonly #queue: QuestionQueue<ElicitationToPanel, ElicitationMessage>;

  constructor({ openAddress, ...options }: ElicitationQueueOptions) {
    this.#openAddress = openAddress;
    this.#queue = new QuestionQueue({ ...options, read: readElicitationMessage });
  }

  open(review: ElicitationReview): ElicitationSession {
    const openAddress = this.#openAddress;
    return this.#queue.add((slot) => new ElicitationQuestion({ slot, review, openAddress }));
  }

  dispose(): void {
    this.#queue.dispose();
  }
}
