import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { RuleBook } from '../../../../src/client/sampling/ruleBook.ts';
import type { SharedStore } from '../../../../src/base/sharedStore.ts';
import type { SamplingRule } from '../../../../src/client/sampling/samplingRules.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { coveredRequest, sampleRule, sampleRuleBook } from '../../host/consent/sampleRule.ts';

function setUp() {
  const clock = createManualClock();
  const audit: AuditEntry[] = [];
  const rules = sampleRuleBook(clock, { record: (entry) => audit.push(entry) });
  return { clock, audit, rules, rule: sampleRule(clock.now()) };
}

describe('the record of rules', () => {
  it('says what was allowed when a rule is made', async () => {
    const { audit, rules, rule } = setUp();
    await rules.add(rule);
    await rules.add({ ...rule, id: 'r2' });
    const made = { server: 'demo', action: 'rule', outcome: 'made' } as const;
    const detail = {
      rule: 'r1',
      model: 'llama3.2',
      destination: 'localhost:11434',
      requestsPerHour: 10,
      tokensPerHour: 20_000,
      until: new Date(rule.expiresAt).toISOString(),
      reviewsAnswer: false,
      kept: false,
      definition: rule.definition,
      seenCharacters: 1_234,
      seenMaxTokens: 500,
    };
    expect(audit).toEqual([
      { ...made, detail },
      { ...made, detail: { ...detail, rule: 'r2', replaced: 1 } },
    ]);
  });

  it('says what an edit changes, and is silent about one that changes nothing', async () => {
    const { audit, rules, rule } = setUp();
    await rules.add(rule);
    await rules.edit('r1', { requestsPerHour: 10 });
    await rules.edit('gone', { requestsPerHour: 1 });
    await rules.edit('r1', { requestsPerHour: 2, isKept: true });
    expect(audit.slice(1)).toEqual([
      { server: 'demo', action: 'rule', outcome: 'changed', detail: { rule: 'r1', requestsPerHour: 2, kept: true } },
    ]);
  });

  it('takes those that are kept along to the new name of their server, for the same definition', async () => {
    const { audit, rules, rule } = setUp();
    await rules.add({ ...rule, isKept: true });
    await rules.add({ ...rule, id: 'r2', definition: 'another' });
    await rules.add({ ...rule, id: 'r3', server: 'other', isKept: true });
    await rules.rename('demo', 'better');
    const after = Object.fromEntries(rules.rules.map(({ id, server, definition }) => [id, `${server} ${definition}`]));
    expect(after).toEqual({ r1: `better ${rule.definition}`, r2: 'demo another', r3: `other ${rule.definition}` });
    expect(audit.at(-1)).toEqual({
      server: 'demo',
      action: 'rule',
      outcome: 'changed',
      detail: { rule: 'r1', server: 'better' },
    });
    const request = { ...coveredRequest(rule), server: 'better' };
    expect(rules.find(request)).toMatchObject({ rule: { id: 'r1' } });
    expect(rules.find({ ...request, definition: 'another' })).toMatchObject({ because: expect.any(String) });
    expect(rules.find(coveredRequest(rule))).not.toHaveProperty('rule');
  });

  it('names each rule that is revoked, and why', async () => {
    const { audit, rules, rule } = setUp();
    await rules.add(rule);
    await rules.add({ ...rule, id: 'r2', server: 'other' });
    await rules.revoke(({ server }) => server === 'none', 'no reason');
    await rules.revoke(() => true, 'stopped by the person');
    const detail = { model: 'llama3.2', because: 'stopped by the person' };
    expect(audit.slice(2)).toEqual([
      { server: 'demo', action: 'rule', outcome: 'revoked', detail: { rule: 'r1', ...detail } },
      { server: 'other', action: 'rule', outcome: 'revoked', detail: { rule: 'r2', ...detail } },
    ]);
    expect(rules.rules).toEqual([]);
  });

  it('says too that a rule has ended here which could not be deleted from its file, and nothing of one that could not be made', async () => {
    const clock = createManualClock();
    const rule = sampleRule(clock.now(), { isKept: true });
    const audit: AuditEntry[] = [];
    const disk = { isFull: false };
    const store: SharedStore<readonly SamplingRule[]> = {
      update: (change) => (disk.isFull ? Promise.reject(new Error('full')) : Promise.resolve(change([]))),
    };
    const rules = new RuleBook(store, clock, { record: (entry) => audit.push(entry) });
    await rules.add(rule);
    disk.isFull = true;
    await expect(rules.revoke(() => true, 'stopped by the person')).rejects.toThrow('full');
    expect(rules.rules).toEqual([]);
    await expect(rules.add({ ...rule, id: 'r2' })).rejects.toThrow('full');
    const detail = { rule: 'r1', model: 'llama3.2', because: 'stopped by the person', stored: false };
    expect(audit.slice(1)).toEqual([{ server: 'demo', action: 'rule', outcome: 'revoked', detail }]);
  });

  it('keeps a rule that is made while another change is stored, and ends it with its server before that', async () => {
    const { rules, rule } = setUp();
    await Promise.all([rules.load(), rules.add(rule), rules.add({ ...rule, id: 'r2', server: 'other' })]);
    expect(rules.rules.map(({ id }) => id)).toEqual(['r1', 'r2']);
    const adding = rules.add({ ...rule, id: 'r3', server: 'third' });
    await rules.revoke(({ server }) => server === 'third', 'the server has stopped');
    await adding;
    expect(rules.rules.map(({ id }) => id)).toEqual(['r1', 'r2']);
  });
});
