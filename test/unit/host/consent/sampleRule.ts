import type { AuditLog } from '../../../../src/client/auditLog.ts';
import { RuleBook } from '../../../../src/client/sampling/ruleBook.ts';
import type { RuledRequest, SamplingRule } from '../../../../src/client/sampling/samplingRules.ts';
import type { Clock } from '../../../../src/base/clock.ts';

/** A rule that was made at `now`, for an hour. */
export function sampleRule(now: number, rule: Partial<SamplingRule> = {}): SamplingRule {
  return {
    id: 'r1',
    server: 'demo',
    definition: 'abcdef0123456789',
    model: { id: 'ollama/llama3.2', name: 'llama3.2', family: 'f', destination: 'localhost:11434' },
    madeAt: now,
    requestsPerHour: 10,
    tokensPerHour: 20_000,
    expiresAt: now + 3_600_000,
    reviewsAnswer: false,
    isKept: false,
    seen: { maxTokens: 500, characters: 1_234, frame: 'frame' },
    uses: [],
    ...rule,
  };
}

/** A request that {@link sampleRule} covers, which reserves 400 tokens. */
export function coveredRequest(rule: SamplingRule): RuledRequest {
  const facts = { maxTokens: 300, characters: 200, estimatedTokens: 100, frame: 'frame', special: undefined };
  return { server: rule.server, definition: rule.definition, facts, marks: [] };
}

/** Rules with a store in memory. */
export function sampleRuleBook(clock: Clock, audit: AuditLog = { record: () => {} }): RuleBook {
  let rules: readonly SamplingRule[] = [];
  return new RuleBook({ update: async (change) => (rules = change(rules)) }, clock, audit);
}
