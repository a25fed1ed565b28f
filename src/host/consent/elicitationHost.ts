import type { DisposableStore } from '../../base/disposable.ts';
import { createElicitationHandler, type ElicitationHandler } from '../../client/elicitation/elicitationHandler.ts';
import { defaultElicitationLimits } from '../../client/elicitation/elicitationHandler.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openAddress } from '../platform/openLink.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { createElicitationQueue, type ElicitationPorts } from './elicitationQuestion.ts';
import { toQuestionSurface } from './questionQueue.ts';
import type { ConsentOptions } from './samplingHost.ts';
import { createTestingElicitation } from './testingConsent.ts';

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
