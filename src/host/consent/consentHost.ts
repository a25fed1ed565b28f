import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { commands, type SecretStorage, type Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../../client/auditLog.ts';
import { defaultElicitationLimits, ElicitationHandler } from '../../client/elicitation/elicitationHandler.ts';
import type { ChosenModels } from '../../client/sampling/ports.ts';
import { RuleBook } from '../../client/sampling/ruleBook.ts';
import { SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import { createSecretFinder } from '../../client/sampling/secretMarks.ts';
import { estimateTokens, TokenBudget } from '../../client/sampling/tokenBudget.ts';
import type { SchemaValidator } from '../../client/validation/schemaValidator.ts';
import { CommandIds } from '../commandIds.ts';
import { createModelGateways } from '../models/modelGateways.ts';
import { testingAnswer } from '../platform/dialogs.ts';
import { openAddress } from '../platform/openLink.ts';
import { openWebviewPanel } from '../platform/webviewPanel.ts';
import type { WindowSecrets } from '../servers/windowSecrets.ts';
import { createWindowProbe } from '../platform/fileLock.ts';
import { createBudgetFile, createRuleFile } from './consentFiles.ts';
import { createElicitationQueue } from './elicitationQuestion.ts';
import type { OpenQuestions } from './openQuestions.ts';
import { createSamplingQueue } from './samplingQuestion.ts';
import { readSamplingLimits, recordsBodies } from './samplingSettings.ts';
import { createTestingConsent, createTestingElicitation } from './testingConsent.ts';

interface ConsentPorts {
  readonly extensionUri: Uri;
  /** True only when VS Code runs extension tests: then `patchbay.testing.consent` may answer. */
  readonly isTest: boolean;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly questions: OpenQuestions;
  /** How the label of a server could be mistaken for another one, in a few words. */
  readonly lookAlike: (server: string) => string | undefined;
}

export interface ElicitationPorts extends ConsentPorts {
  readonly validator: SchemaValidator;
}

export interface SamplingPorts extends ConsentPorts {
  readonly secrets: SecretStorage;
  readonly http: HttpClient;
  readonly logger: Logger;
  readonly chosenModels: () => Promise<ChosenModels>;
  readonly knownSecrets: WindowSecrets;
  readonly roots: (server: string) => readonly string[];
  /** The files with the rules that are kept, and with the tokens of today. */
  readonly paths: { readonly rules: string; readonly budget: string };
}

/**
 * Handles requests for a model with the consent panel, the models of the editor and those that the person has set up. The
 * panel is not restored when the window reloads: the request is gone then.
 * @param store disposing it refuses every open request, and all later ones
 */
export async function createSamplingHost(ports: SamplingPorts, store: DisposableStore): Promise<SamplingHandler> {
  const { extensionUri, clock, audit, logger, secrets, http, paths, knownSecrets } = ports;
  const chosenModels = await ports.chosenModels();
  const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(secrets) };
  const rules = store.add(new RuleBook(store.add(createRuleFile(paths.rules, lock)), clock, audit));
  const budget = store.add(new TokenBudget(store.add(createBudgetFile(paths.budget, lock)), clock, logger));
  const openPanel = () => openWebviewPanel({ extensionUri, name: 'consent', title: 'Patchbay: Model Request' });
  const addModel = async (): Promise<void> => void (await commands.executeCommand(CommandIds.addModel));
  const queue = store.add(createSamplingQueue({ ...ports, estimateTokens, openPanel, addModel }));
  return new SamplingHandler({
    consent: ports.isTest ? createTestingConsent(queue, () => testingAnswer('consent')) : queue,
    models: createModelGateways({ secrets, http, clock, logger, usedKeys: knownSecrets.modelKeys }),
    rules,
    budget,
    secrets: createSecretFinder({
      known: async () => (await knownSecrets.collector()).collect(),
      roots: ports.roots,
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
}

/**
 * Handles elicitations with the elicitation panel and the person's browser. The panel is not restored when the window
 * reloads.
 * @param store disposing it cancels every open elicitation, and all later ones
 */
export function createElicitationHost(ports: ElicitationPorts, store: DisposableStore): ElicitationHandler {
  const { extensionUri } = ports;
  const openPanel = () => openWebviewPanel({ extensionUri, name: 'elicitation', title: 'Patchbay: Question' });
  const queue = store.add(createElicitationQueue({ ...ports, openPanel, openAddress }));
  const consent = ports.isTest ? createTestingElicitation(queue, () => testingAnswer('consent')) : queue;
  return new ElicitationHandler(consent, defaultElicitationLimits, ports.clock, ports.audit);
}
