import type { Clock } from '../../base/clock.ts';
import type { ModelGateway, ModelInfo } from '../../models/modelGateway.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/mcp/sampling.ts';
import type { AuditLog } from '../auditLog.ts';
import type { RequestContext } from '../serverRequests/serverRequestHandlers.ts';
import type { ChosenModels, SamplingConsent } from './ports.ts';
import type { RuleBook } from './ruleBook.ts';
import type { SamplingLimits } from './samplingPolicy.ts';
import type { SamplingOutcome, SpentTokens } from './samplingRecord.ts';
import type { Round, RoundRequest } from './samplingRounds.ts';
import type { RuledRequest } from './samplingRules.ts';
import { unsearched } from './secrets/markList.ts';
import type { SecretFinder, SecretMark } from './secretMarks.ts';
import type { TokenBudget } from './tokenBudget.ts';

/** The ports to the person and to the models, and the limits for servers. */
export interface SamplingPorts {
  readonly consent: SamplingConsent;
  readonly models: ModelGateway;
  readonly rules: RuleBook;
  readonly budget: TokenBudget;
  readonly secrets: SecretFinder;
  readonly chosenModels: ChosenModels;
  /** Tokens of a text, as far as they can be told without a model. */
  readonly estimateTokens: (text: string) => number;
  /** Called for every request, so that changed settings apply at once. */
  readonly limits: () => SamplingLimits;
  /** Whether texts are recorded in the audit log. Called for every request. */
  readonly recordsBodies: () => boolean;
  readonly randomId: () => string;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

/** Where the answer to a question goes that the person asks themselves. No server gets it, so it is not reviewed. */
export interface OwnAnswer {
  /** The person has approved the request, and the model starts. Called again after a failure: the answer then starts over. */
  onBegin(model: ModelInfo): void;
  /** Called with each new piece of text as it streams. */
  onText(text: string): void;
  /** The model did not answer, and the person is asked about the request again. @param message a full sentence */
  onFailure(message: string): void;
}

/** One request, from its arrival to its answer. */
export interface Trial {
  readonly request: SamplingRequest;
  readonly context: RequestContext;
  /** Set if the person asks, and not a server. */
  readonly own: OwnAnswer | undefined;
  readonly ruled: RuledRequest;
  /** What the conversation is compared by; `undefined` for what the person asks themselves. */
  readonly compared: RoundRequest | undefined;
  readonly marks: readonly SecretMark[];
  readonly round: Round | undefined;
  /** Changes when the person adds a model while the request is shown. */
  models: readonly ModelInfo[];
  /** What all tries took so far. */
  spent: SpentTokens | undefined;
  /** What a model got last, for the record of a request that is not answered in the end. */
  lastSent: Pick<SamplingOutcome, 'sent' | 'model' | 'rule' | 'masked'> | undefined;
}

export interface Answered extends SamplingOutcome {
  readonly result: SamplingResult;
}

/** What may be secret in a request. One that cannot be searched is not searched: a person decides about it. */
export async function findMarks(
  secrets: SecretFinder,
  request: SamplingRequest,
  server: string,
): Promise<readonly SecretMark[]> {
  try {
    return await secrets.find(request, server);
  } catch {
    return [unsearched('It could not be searched for secrets')];
  }
}
