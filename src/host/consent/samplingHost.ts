import { type Uri, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import type { ConsentSession, SamplingConsent, SamplingReview } from '../../client/sampling/ports.ts';
import { createSamplingHandler, type SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { defaultSamplingLimits, type SamplingLimits } from '../../client/sampling/samplingPolicy.ts';
import { type ConsentFromPanel, type ConsentToPanel, readConsentMessage } from '../../shared/consentMessages.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import { createLanguageModels } from './languageModels.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { QuestionQueue, type QuestionQueueOptions, type QuestionSurface, toQuestionSurface } from './questionQueue.ts';
import { SamplingQuestion } from './samplingQuestion.ts';
import { createTestingConsent } from './testingConsent.ts';

export interface SamplingHostOptions {
  readonly extensionUri: Uri;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly questions: OpenQuestions;
  /** How the label of a server could be taken for another. */
  readonly lookAlike: (server: string) => string | undefined;
}

export interface SamplingHost extends Disposable {
  readonly flow: SamplingHandler;
}

/** The flow of requests for a model, with this editor's panel and models. */
export function createSamplingHost(options: SamplingHostOptions): SamplingHost {
  const { isTest, clock, audit } = options;
  const panel = createSamplingPanel(options);
  const asked: SamplingConsent = { open: async (review) => panel.open(review) };
  const consent = isTest ? createTestingConsent(asked, () => testingAnswer('consent')) : asked;
  const flow = createSamplingHandler({ consent, models: createLanguageModels(), limits: samplingLimits, clock, audit });
  return { flow, dispose: () => panel.dispose() };
}

/** The bounds the user set under `patchbay.sampling`; anything that is not a positive number leaves the default. */
export function samplingLimits(): SamplingLimits {
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

export interface SamplingPanelOptions {
  readonly extensionUri: Uri;
  readonly clock: Clock;
  readonly questions: OpenQuestions;
  readonly lookAlike: (server: string) => string | undefined;
}

/**
 * Asks about requests for a language model in an editor tab. There is no serializer on purpose: after a reload of the
 * window the tab is gone, and with it the request.
 */
export function createSamplingPanel({ extensionUri, ...queue }: SamplingPanelOptions): SamplingQueue {
  const options = { extensionUri, name: 'consent', title: 'Patchbay: Model Request' } as const;
  return new SamplingQueue({ ...queue, openSurface: () => toQuestionSurface(openWebviewPanel(options)) });
}

export type SamplingSurface = QuestionSurface<ConsentToPanel>;

type Decision = Exclude<ConsentFromPanel, { readonly type: 'ready' }>;

export interface SamplingQueueOptions extends Pick<
  QuestionQueueOptions<ConsentToPanel, Decision>,
  'questions' | 'lookAlike'
> {
  readonly openSurface: () => SamplingSurface;
  readonly clock: Clock;
}

/** Shows requests for a model one after the other: see {@link QuestionQueue}. A refusal declines. */
export class SamplingQueue implements Disposable {
  readonly #clock: Clock;
  readonly #queue: QuestionQueue<ConsentToPanel, Decision>;

  constructor({ clock, ...options }: SamplingQueueOptions) {
    this.#clock = clock;
    this.#queue = new QuestionQueue({ ...options, read: readConsentMessage });
  }

  /** Shows `review` as soon as it is its turn. */
  open(review: SamplingReview): ConsentSession {
    return this.#queue.add((slot) => new SamplingQuestion({ slot, review, clock: this.#clock }));
  }

  dispose(): void {
    this.#queue.dispose();
  }
}
