import { type Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import {
  createElicitationHandler,
  defaultElicitationLimits,
  type ElicitationHandler,
} from '../../client/elicitation/elicitationHandler.ts';
import { createSamplingHandler, type SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { defaultSamplingLimits, type SamplingLimits } from '../../client/sampling/samplingPolicy.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openAddress } from '../platform/openLink.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { createElicitationQueue, type ElicitationPorts } from './elicitationQuestion.ts';
import { createLanguageModels } from './languageModels.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { toQuestionSurface } from './questionQueue.ts';
import { createSamplingQueue } from './samplingQuestion.ts';
import { createTestingConsent, createTestingElicitation } from './testingConsent.ts';

/** What sampling and elicitation need of the extension. */
export interface ConsentOptions {
  readonly extensionUri: Uri;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly questions: OpenQuestions;
  /** How the label of a server could be mistaken for another one, in a few words. */
  readonly lookAlike: (server: string) => string | undefined;
}

/**
 * Handles requests for a model with the consent panel and the models of VS Code. The panel is not restored when the window
 * reloads: the request is gone then.
 * @param store disposing it refuses every open request, and all later ones
 */
export function createSamplingHost(options: ConsentOptions, store: DisposableStore): SamplingHandler {
  const { extensionUri, isTest, clock, audit, questions, lookAlike } = options;
  const panel = { extensionUri, name: 'consent', title: 'Patchbay: Model Request' } as const;
  const openSurface = () => toQuestionSurface(openWebviewPanel(panel));
  const queue = store.add(createSamplingQueue({ questions, lookAlike, openSurface, clock }));
  const consent = isTest ? createTestingConsent(queue, () => testingAnswer('consent')) : queue;
  return createSamplingHandler({ consent, models: createLanguageModels(), limits: samplingLimits, clock, audit });
}

/** The limits that the user set under `patchbay.sampling`; the default for a value that is not a positive number. */
function samplingLimits(): SamplingLimits {
  const settings = workspace.getConfiguration('patchbay.sampling');
  const read = (name: string, fallback: number): number => {
    const value = settings.get<unknown>(name);
    return typeof value === 'number' && value > 0 ? value : fallback;
  };
  return {
    ...defaultSamplingLimits,
    maximumTokens: read('maxTokens', defaultSamplingLimits.maximumTokens),
    maximumOpen: read('maxWaitingRequests', defaultSamplingLimits.maximumOpen),
  };
}

/** See {@link ConsentOptions}, and the validator for the patterns of forms. */
export type ElicitationHostOptions = ConsentOptions & Pick<ElicitationPorts, 'validator'>;

/**
 * Handles elicitations with the elicitation panel and the person's browser. The panel is not restored when the window
 * reloads.
 * @param store disposing it cancels every open elicitation, and all later ones
 */
export function createElicitationHost(options: ElicitationHostOptions, store: DisposableStore): ElicitationHandler {
  const { extensionUri, isTest, clock, audit, questions, validator, lookAlike } = options;
  const panel = { extensionUri, name: 'elicitation', title: 'Patchbay: Question' } as const;
  const openSurface = () => toQuestionSurface(openWebviewPanel(panel));
  const queue = store.add(createElicitationQueue({ questions, lookAlike, openSurface, validator, openAddress }));
  const consent = isTest ? createTestingElicitation(queue, () => testingAnswer('consent')) : queue;
  return createElicitationHandler({ consent, limits: defaultElicitationLimits, clock, audit });
}
