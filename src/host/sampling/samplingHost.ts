import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import type { SamplingConsent } from '../../client/sampling/ports.ts';
import { createSamplingFlow, type SamplingFlow } from '../../client/sampling/samplingFlow.ts';
import { createLanguageModels } from '../models/languageModels.ts';
import { createConsentPanel } from '../panels/consentPanel.ts';
import type { OpenQuestions } from '../panels/openQuestions.ts';
import { testingAnswer } from '../testingAnswer.ts';
import { samplingLimits } from './samplingSettings.ts';
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
  readonly flow: SamplingFlow;
}

/** The flow of requests for a model, with this editor's panel and models. */
export function createSamplingHost(options: SamplingHostOptions): SamplingHost {
  const { isTest, clock, audit } = options;
  const panel = createConsentPanel(options);
  const asked: SamplingConsent = { open: async (review) => panel.open(review) };
  const consent = isTest ? createTestingConsent(asked, () => testingAnswer('consent')) : asked;
  const flow = createSamplingFlow({ consent, models: createLanguageModels(), limits: samplingLimits, clock, audit });
  return { flow, dispose: () => panel.dispose() };
}
