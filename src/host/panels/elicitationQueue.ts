import type { Disposable } from '../../base/disposable.ts';
import { createPatternCheck } from '../../client/elicitation/patternCheck.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
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
  'questions' | 'openSurface' | 'lookAlike'
> &
  Pick<ElicitationQuestionOptions, 'openAddress'> & {
    /** For the patterns of forms. */
    readonly validator: SchemaValidator;
  };

/** Shows the questions of servers one after the other: see {@link QuestionQueue}. A refusal cancels. */
export class ElicitationQueue implements ElicitationConsent, Disposable {
  readonly #openAddress: ElicitationQuestionOptions['openAddress'];
  readonly #validator: SchemaValidator;
  readonly #queue: QuestionQueue<ElicitationToPanel, ElicitationMessage>;

  constructor({ openAddress, validator, ...options }: ElicitationQueueOptions) {
    this.#openAddress = openAddress;
    this.#validator = validator;
    this.#queue = new QuestionQueue({ ...options, read: readElicitationMessage });
  }

  open(review: ElicitationReview): ElicitationSession {
    const openAddress = this.#openAddress;
    const fields = review.kind === 'form' ? review.fields : [];
    const checkPatterns = createPatternCheck(this.#validator, review.server, fields);
    return this.#queue.add((slot) => new ElicitationQuestion({ slot, review, checkPatterns, openAddress }));
  }

  dispose(): void {
    this.#queue.dispose();
  }
}
