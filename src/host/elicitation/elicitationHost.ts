import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import { createElicitationFlow, type ElicitationFlow } from '../../client/elicitation/elicitationFlow.ts';
import { defaultElicitationLimits } from '../../client/elicitation/elicitationPolicy.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import { openAddress } from '../openLink.ts';
import { ElicitationQueue } from '../panels/elicitationQueue.ts';
import type { OpenQuestions } from '../panels/openQuestions.ts';
import { openWebviewPanel } from '../panels/openWebviewPanel.ts';
import { toQuestionSurface } from '../panels/questionSurface.ts';
import { testingAnswer } from '../testingAnswer.ts';
import { createTestingElicitation } from './testingElicitation.ts';

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
  readonly flow: ElicitationFlow;
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
  const flow = createElicitationFlow({ consent, limits: defaultElicitationLimits, clock, audit });
  return { flow, dispose: () => queue.dispose() };
}
