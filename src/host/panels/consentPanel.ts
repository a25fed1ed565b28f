import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { ConsentQueue } from './consentQueue.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { openWebviewPanel } from './openWebviewPanel.ts';
import { toQuestionSurface } from './questionSurface.ts';

export interface ConsentPanelOptions {
  readonly extensionUri: Uri;
  readonly clock: Clock;
  readonly questions: OpenQuestions;
  readonly lookAlike: (server: string) => string | undefined;
}

/**
 * Asks about requests for a language model in an editor tab. There is no serializer on purpose: after a reload of the
 * window the tab is gone, and with it the request.
 */
export function createConsentPanel({ extensionUri, ...queue }: ConsentPanelOptions): ConsentQueue {
  const options = { extensionUri, name: 'consent', title: 'Patchbay: Model Request' } as const;
  return new ConsentQueue({ ...queue, openSurface: () => toQuestionSurface(openWebviewPanel(options)) });
}
