import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import {
  createElicitationHandler,
  defaultElicitationLimits,
  type ElicitationHandler,
} from '../../client/elicitation/elicitationHandler.ts';
import { createPatternCheck } from '../../client/elicitation/patternCheck.ts';
import type { ElicitationConsent, ElicitationReview, ElicitationSession } from '../../client/elicitation/ports.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import { type ElicitationToPanel, readElicitationMessage } from '../../shared/elicitationMessages.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openAddress } from '../platform/openLink.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import {
  type ElicitationMessage,
  ElicitationQuestion,
  type ElicitationQuestionOptions,
} from './elicitationQuestion.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { QuestionQueue, type QuestionQueueOptions, toQuestionSurface } from './questionQueue.ts';
import { createTestingElicitation } from './testingConsent.ts';

export interface ElicitationHostOptions {
  readonly extensionUri: Uri;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly questions: OpenQuestions;
  readonly validator: SchemaValidator;
  /** How the label of a server could be taken for another. */
  readonly lookAlike: (server: string) => string | undefined;
}

export interface ElicitationHost extends Disposable {
  readonly flow: ElicitationHandler;
}

/** The flow of questions to the person, with this editor's panel and the person's own browser. Not restored after a reload. */
export function createElicitationHost(options: ElicitationHostOptions): ElicitationHost {
  const { extensionUri, isTest, clock, audit, questions, validator, lookAlike } = options;
  const panel = { extensionUri, name: 'elicitation', title: 'Patchbay: Question' } as const;
  const queue = new ElicitationQueue({
    questions,
    validator,
    lookAlike,
    openAddress,
    openSurface: () => toQuestionSurface(openWebviewPanel(panel)),
  });
  const consent = isTest ? createTestingElicitation(queue, () => testingAnswer('consent')) : queue;
  const flow = createElicitationHandler({ consent, limits: defaultElicitationLimits, clock, audit });
  return { flow, dispose: () => queue.dispose() };
}

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

  constructor(options: ElicitationQueueOptions) {
    this.#openAddress = options.openAddress;
    this.#validator = options.validator;
    this.#queue = new QuestionQueue({ ...options, read: readElicitationMessage });
  }

  open(review: ElicitationReview): ElicitationSession {
    const fields = review.kind === 'form' ? review.fields : [];
    const checkPatterns = createPatternCheck(this.#validator, review.server, fields);
    return this.#queue.add(
      (slot) => new ElicitationQuestion({ slot, review, checkPatterns, openAddress: this.#openAddress }),
    );
  }

  dispose(): void {
    this.#queue.dispose();
  }
}
