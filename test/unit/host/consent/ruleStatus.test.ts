import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { SamplingRule } from '../../../../src/client/sampling/samplingRules.ts';
import { createRuleStatus, summarizeRules } from '../../../../src/host/consent/ruleStatus.ts';
import type { ServerStateChange } from '../../../../src/host/servers/serverRegistry.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { running, sampleServer } from '../sampleServer.ts';
import { coveredRequest, sampleRule, sampleRuleBook } from './sampleRule.ts';
import { editor } from '../../../fixtures/vscode.ts';

async function setUp() {
  const clock = createManualClock();
  const rules = sampleRuleBook(clock);
  const servers = [sampleServer('demo', { state: running }), sampleServer('other')];
  const [onDidChangeServers, onDidChangeState] = [new Emitter<void>(), new Emitter<ServerStateChange>()];
  let finds = 0;
  const source = {
    rules: async () => {
      finds += 1;
      return rules;
    },
    onDidChange: rules.onDidChange,
  };
  const registry = { servers, onDidChangeServers: onDidChangeServers.event, onDidChangeState: onDidChangeState.event };
  const start = () => createRuleStatus({ sampling: source, registry, clock, logger: createNullLogger() });
  const setState = async (label: string, state: typeof running | { kind: 'stopped' }): Promise<void> => {
    const index = servers.findIndex((server) => server.label === label);
    servers[index] = sampleServer(label, { state });
    onDidChangeState.fire({ label, state });
    await settle();
  };
  return { clock, rules, rule: sampleRule(clock.now()), start, setState, finds: () => finds };
}

describe('the status of rules', () => {
  it('reads no rules before a server runs', async () => {
    const { start, setState, finds } = await setUp();
    await setState('demo', { kind: 'stopped' });
    const status = start();
    await settle();
    expect(finds()).toBe(0);
    await setState('demo', running);
    expect(finds()).toBe(1);
    expect(editor.statusItem['isShown']).toBe(false);
    status.dispose();
  });

  it('warns as long as a rule of a running server is alive', async () => {
    const { clock, rules, rule, start, setState } = await setUp();
    const status = start();
    await rules.add({ ...rule, server: 'other' });
    await settle();
    expect(editor.statusItem['isShown']).toBe(false);
    await rules.add({ ...rule, id: 'r2' });
    await settle();
    expect(editor.statusItem).toMatchObject({
      isShown: true,
      text: '$(shield) 1 rule: demo → llama3.2 (0 of 10)',
      command: 'patchbay.stopRules',
      backgroundColor: { id: 'statusBarItem.warningBackground' },
    });
    expect(editor.statusItem['tooltip']).toContain('0 of 20,000 tokens this hour');
    expect(editor.statusItem['tooltip']).toContain('1 rule of servers that do not run');
    await setState('other', running);
    expect(editor.statusItem['text']).toBe('$(shield) 2 rules');
    await setState('demo', { kind: 'stopped' });
    expect(editor.statusItem['text']).toContain('other → llama3.2');
    await clock.advance(3_600_000);
    expect(editor.statusItem['isShown']).toBe(false);
    status.dispose();
    expect(clock.waiting).toBe(0);
  });

  it('turns while a rule lets a request through, and counts it', async () => {
    const { rules, rule, start } = await setUp();
    await rules.add(rule);
    const status = start();
    const usage = await rules.use(rule, coveredRequest(rule));
    await settle();
    expect(editor.statusItem['text']).toBe('$(sync~spin) 1 rule: demo → llama3.2 (1 of 10)');
    expect(editor.statusItem['accessibilityInformation']).toMatchObject({
      label: expect.stringContaining('1 request is being answered by a rule.'),
    });
    usage?.end(120);
    await settle();
    expect(editor.statusItem['text']).toBe('$(shield) 1 rule: demo → llama3.2 (1 of 10)');
    expect(editor.statusItem['tooltip']).toContain('120 of 20,000 tokens');
    status.dispose();
  });

  it('counts again when a use is an hour old', async () => {
    const { clock, rules, rule, start } = await setUp();
    await rules.add({ ...rule, expiresAt: clock.now() + 7_200_000 });
    const status = start();
    (await rules.use(rule, coveredRequest(rule)))?.end(120);
    await settle();
    expect(editor.statusItem['text']).toContain('(1 of 10)');
    await clock.advance(3_599_999);
    expect(editor.statusItem['text']).toContain('(1 of 10)');
    await clock.advance(1);
    expect(editor.statusItem['text']).toContain('(0 of 10)');
    status.dispose();
  });
});

describe('summarizeRules', () => {
  const now = 1_000_000;
  const summarize = (rules: readonly SamplingRule[], count = 0) =>
    summarizeRules({ rules, running: count }, () => true, now);

  it('draws no icon that a server or a model has in its name, and is short', () => {
    const name = `$(check) fine\n${'x'.repeat(5_000)}`;
    const summary = summarize([sampleRule(now, { server: name, model: { id: 'm', name, family: 'f' } })]);
    expect(summary?.text).toMatch(/^\$\(shield\) 1 rule: \\\$\(check\) fine /);
    expect(summary?.text).not.toContain('\n');
    expect(summary?.text.length).toBeLessThan(150);
    expect(summary?.lines.join('').length).toBeLessThan(500);
  });

  it('lists at most 20 rules', () => {
    const rules = Array.from({ length: 100 }, (_, index) => sampleRule(now, { id: String(index) }));
    expect(summarize(rules)?.lines).toContain('… 80 more');
    expect(summarize(rules)?.text).toBe('$(shield) 100 rules');
  });

  it('stays while a request runs whose rule has ended', () => {
    expect(summarize([], 1)?.text).toBe('$(sync~spin) 1 request');
    expect(summarize([])).toBeUndefined();
  });
});
