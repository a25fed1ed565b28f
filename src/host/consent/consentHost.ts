import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { commands, type SecretStorage, type Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import {
  createElicitationHandler,
  defaultElicitationLimits,
  type ElicitationHandler,
} from '../../client/elicitation/elicitationHandler.ts';
import type { ChosenModels } from '../../client/sampling/ports.ts';
import { RuleBook } from '../../client/sampling/ruleBook.ts';
import { SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { createSecretFinder } from '../../client/sampling/secretMarks.ts';
import { TokenBudget } from '../../client/sampling/tokenBudget.ts';
import { estimateTokens } from '../../client/sampling/tokenEstimate.ts';
import { CommandIds } from '../commandIds.ts';
import { createModelGateways } from '../models/modelGateways.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openAddress } from '../platform/openLink.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createWindowProbe } from '../platform/windowProbe.ts';
import { createBudgetFile, createRuleFile } from './consentFiles.ts';
import { createElicitationQueue, type ElicitationPorts } from './elicitationQuestion.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { toQuestionSurface } from './questionQueue.ts';
import { createSamplingQueue } from './samplingQuestion.ts';
import { readSamplingLimits, recordsBodies } from './samplingSettings.ts';
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

/** What sampling needs beside {@link ConsentOptions}. */
export interface SamplingHostOptions extends ConsentOptions {
  readonly secrets: SecretStorage;
  readonly http: HttpClient;
  readonly logger: Logger;
  readonly chosenModels: ChosenModels;
  readonly knownSecrets: WindowSecrets;
  /** Absolute paths of the folders that a server knows about. */
  readonly roots: (server: string) => readonly string[];
  /** The files with the rules that are kept, and with the tokens of today. */
  readonly paths: { readonly rules: string; readonly budget: string };
}

/** Sampling with all that it keeps. */
export interface SamplingHost {
  readonly handler: SamplingHandler;
  readonly budget: TokenBudget;
}

/**
 * Handles requests for a model with the consent panel, the models of the editor and those that the person has set up. The
 * panel is not restored when the window reloads: the request is gone then.
 * @param store disposing it refuses every open request, and all later ones
 */
export function createSamplingHost(options: SamplingHostOptions, store: DisposableStore): SamplingHost {
  const { clock, audit, logger, secrets, http, chosenModels, paths, knownSecrets } = options;
  const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(secrets) };
  const rules = store.add(new RuleBook(store.add(createRuleFile(paths.rules, lock)), clock, audit));
  const budget = store.add(new TokenBudget(store.add(createBudgetFile(paths.budget, lock)), clock, logger));
  const handler = new SamplingHandler({
    consent: createConsent(options, store),
    models: createModelGateways({ secrets, http, clock, logger, usedKeys: knownSecrets.modelKeys }),
    rules,
    budget,
    secrets: createSecretFinder({
      known: async () => (await knownSecrets.collector()).collect(),
      roots: options.roots,
      home: homedir(),
      loadKeyRules: () => import('@secretlint/secretlint-rule-preset-recommend'),
      pause: () => new Promise((resolve) => void clock.after(0, resolve)),
    }),
    chosenModels,
    estimateTokens,
    limits: readSamplingLimits,
    recordsBodies,
    randomId: randomUUID,
    clock,
    audit,
  });
  return { handler, budget };
}

function createConsent({ extensionUri, isTest, clock, questions, lookAlike }: ConsentOptions, store: DisposableStore) {
  const panel = { extensionUri, name: 'consent', title: 'Patchbay: Model Request' } as const;
  const queue = store.add(
    createSamplingQueue({
      questions,
      lookAlike,
      clock,
      estimateTokens,
      openSurface: () => toQuestionSurface(openWebviewPanel(panel)),
      addModel: async () => {
        await commands.executeCommand(CommandIds.addModel);
      },
    }),
  );
  return isTest ? createTestingConsent(queue, () => testingAnswer('consent')) : queue;
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
