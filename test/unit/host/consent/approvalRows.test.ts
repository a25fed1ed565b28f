import { describe, expect, it } from 'vitest';
import {
  type ApprovalNode,
  approvalRow,
  type ApprovalState,
  approvalsOf,
  approvalTree,
} from '../../../../src/host/consent/approvalRows.ts';
import { endOf, nextChangeOf } from '../../../../src/host/consent/ruleText.ts';
import { sampleRule } from './sampleRule.ts';

const now = new Date(2026, 10, 23, 17, 30).getTime();
const used = { uses: [800, 300, 100].map((tokens, index) => ({ at: now + index, tokens })) };
const nothing: ApprovalState = {
  rules: [],
  grants: [],
  allowedOnce: [],
  mutedCalls: [],
  mutedQuestions: [],
  chosenModels: [],
  apps: [],
  budget: { used: 0, limit: 1_000_000 },
};
const everything: ApprovalState = {
  rules: [sampleRule(now, used)],
  grants: [
    { server: 'demo', tool: 'add', reach: 'own' },
    { server: 'demo', tool: undefined, reach: 'everyone' },
  ],
  allowedOnce: [
    { server: 'demo', tool: 'add', app: { uri: 'ui://demo/map', title: 'Map', ask: async () => undefined } },
  ],
  mutedCalls: ['loud'],
  mutedQuestions: ['loud'],
  chosenModels: [{ server: 'demo', model: 'ollama/llama3.2' }],
  apps: [
    { id: 'a', server: 'demo', app: 'Map', isAllowed: true, count: 1, reach: ['Use your camera'] },
    { id: 'b', server: 'demo', app: 'Map', isAllowed: false, count: 2, reach: ['x', 'y'] },
  ],
  budget: { used: 12_345, limit: 1_000_000 },
};

const rowsOf = (state: ApprovalState) =>
  approvalTree(state)
    .flatMap((node): ApprovalNode[] => [node, ...(node.kind === 'group' ? node.children : [])])
    .map((node) => approvalRow(node, now));

describe('the rows of the approvals view', () => {
  it('are none where nothing is allowed, so that VS Code says so', () => {
    expect(approvalTree(nothing)).toEqual([]);
    expect(approvalTree({ ...nothing, budget: { used: 0, limit: undefined } })).toEqual([]);
  });

  it('name each kind of approval, and today’s tokens last', () => {
    expect(rowsOf(everything).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      'Rules for Models | 1',
      `demo → llama3.2 | 3 of 10 requests, 1,200 of 20,000 tokens this hour, until ${endOf(now + 3_600_000, now)}`,
      'Tools | 2',
      'demo → add | when you call it here, without a question',
      'demo → Tools it calls read-only | for every caller, other extensions too, without a question',
      'What Apps May Reach | 2',
      'demo → Map | may reach 1 thing',
      'demo → Map | is shown without what it asks for',
      'Muted | 2',
      'loud | calls by other extensions and commands are refused',
      'loud | requests for a model, and questions to you are refused',
      'Models Chosen for Servers | 1',
      'demo → ollama/llama3.2 | suggested first',
      'Allowed Once | 1',
      'demo → add | called by the app Map, asked about each time',
      '12,345 of 1,000,000 tokens today | daily budget',
    ]);
    expect(approvalsOf(everything)).toHaveLength(8);
  });

  it('say how much was used without a budget too', () => {
    const [row] = rowsOf({ ...nothing, budget: { used: 1, limit: undefined } });
    expect(row).toMatchObject({ label: '1 token today', description: 'no daily budget', contextValue: 'budget' });
    expect(rowsOf({ ...nothing, rules: everything.rules }).map(({ id }) => id)).toContain('budget');
  });

  it('have ids of their own, however servers and tools are called, and the menus of their kind', () => {
    const confusing = {
      ...everything,
      rules: [sampleRule(now), sampleRule(now)],
      grants: [
        { server: 'a","b', tool: 'c', reach: 'own' },
        { server: 'a', tool: 'b","c', reach: 'own' },
        { server: 'a', tool: undefined, reach: 'own' },
        { server: 'a', tool: 'null', reach: 'own' },
      ],
    } as const;
    const ids = rowsOf(confusing).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(rowsOf(everything).map(({ contextValue }) => contextValue))]).toEqual([
      'group.rules',
      'approval.rule',
      'group.tools',
      'approval.tool',
      'group.apps',
      'approval.app',
      'group.muted',
      'approval.muted',
      'group.models',
      'approval.model',
      'group.allowedOnce',
      'allowedOnce',
      'budget',
    ]);
  });

  it('tell all terms of a rule, and what was seen when it was made', () => {
    const tooltip = (rule: Parameters<typeof sampleRule>[1]): string =>
      approvalRow({ kind: 'rule', rule: sampleRule(now, rule) }, now).tooltip;
    for (const part of [
      'localhost:11434',
      '1,234 characters',
      '500 tokens',
      'without a review',
      'Not kept',
      'abcdef01',
    ])
      expect(tooltip({})).toContain(part);
    expect(tooltip({})).not.toContain('abcdef012');
    expect(tooltip({ reviewsAnswer: true, isKept: true })).toMatch(/You review each answer[^]*Kept: it stays/);
    expect(tooltip({ model: { id: 'm', name: 'M', family: 'f' } })).toContain('a model of the editor');
  });

  it('are one short line each, whatever servers, tools and models are called', () => {
    const name = `a\nb\u202e${'x'.repeat(5_000)}`;
    const hostile: ApprovalState = {
      ...everything,
      rules: [
        sampleRule(now, { server: name, model: { id: name, name, family: 'f', destination: name }, definition: name }),
      ],
      grants: [{ server: name, tool: name, reach: 'own' }],
      mutedCalls: [name],
      chosenModels: [{ server: name, model: name }],
      apps: [{ id: name, server: name, app: name, isAllowed: true, count: 400, reach: Array(20).fill(name) }],
    };
    for (const { label, description, tooltip } of rowsOf(hostile)) {
      expect(`${label}${description}`).not.toMatch(/[\n\u202e]/);
      expect(`${label}${description}`.length).toBeLessThan(200);
      expect(tooltip).not.toContain('\u202e');
      expect(tooltip.length).toBeLessThan(2_000);
      expect(tooltip.split('\n').length).toBeLessThan(10);
    }
  });

  it('name the day too on which a rule ends, if it is not today', () => {
    expect(endOf(now, now)).not.toContain('2026');
    expect(endOf(now + 24 * 3_600_000, now)).toContain('2026');
  });

  it('change by themselves when a use is an hour old, and when a rule ends', () => {
    const [rule] = everything.rules;
    const rules = rule === undefined ? [] : [rule];
    expect(nextChangeOf([], now)).toBeUndefined();
    expect(nextChangeOf([sampleRule(now, { uses: [{ at: now - 1_000, tokens: 1 }] })], now)).toBe(now + 3_599_000);
    expect(nextChangeOf(rules, now)).toBe(now + 3_600_000);
    expect(nextChangeOf(rules, now + 4_000_000)).toBeUndefined();
  });
});
