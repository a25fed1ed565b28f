import { describe, expect, it } from 'vitest';
import {
  type ApprovalNode,
  approvalRow,
  type ApprovalSources,
  approvalTree,
  type AppReachAnswer,
  readApprovals,
} from '../../../../src/host/consent/approvals.ts';
import type { MutedServer } from '../../../../src/client/mutes.ts';
import type { SamplingRule } from '../../../../src/client/sampling/samplingRules.ts';
import type { AllowedCall } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import type { ToolGrant } from '../../../../src/client/toolCalls/toolGrants.ts';
import type { ChosenModel } from '../../../../src/host/consent/chosenModels.ts';
import { endOf, nextChangeOf } from '../../../../src/host/consent/ruleText.ts';
import { sampleRule } from './sampleRule.ts';
import { editor } from '../../../fixtures/vscode.ts';

const now = new Date(2026, 10, 23, 17, 30).getTime();
const used = { uses: [800, 300, 100].map((tokens, index) => ({ at: now + index, tokens })) };

/** What the sources have. */
interface Given {
  readonly rules?: readonly SamplingRule[];
  readonly grants?: readonly ToolGrant[];
  readonly allowedOnce?: readonly AllowedCall[];
  readonly muted?: readonly MutedServer[];
  readonly chosenModels?: readonly ChosenModel[];
  readonly apps?: readonly AppReachAnswer[];
  readonly restarts?: readonly string[];
  readonly used?: number;
}
const bound = { identity: 'one', digest: 'x', coversUnchecked: false } as const;

const everything: Given = {
  rules: [sampleRule(now, used)],
  grants: [
    { ...bound, server: 'demo', tool: 'add', reach: 'own' },
    { ...bound, server: 'demo', tool: 'list', reach: 'everyone' },
  ],
  allowedOnce: [
    { server: 'demo', tool: 'add', app: { uri: 'ui://demo/map', title: 'Map', ask: async () => undefined } },
  ],
  muted: [
    { server: 'loud', what: 'calls' },
    { server: 'loud', what: 'questions' },
  ],
  chosenModels: [{ server: 'demo', model: 'ollama/llama3.2' }],
  apps: [
    { id: 'a', server: 'demo', app: 'Map', isAllowed: true, count: 1, reach: ['Use your camera'] },
    { id: 'b', server: 'demo', app: 'Map', isAllowed: false, count: 2, reach: ['x', 'y'] },
  ],
  restarts: ['demo'],
  used: 12_345,
};

const read = (given: Given) =>
  readApprovals({
    clock: { now: () => now },
    approvals: { current: async () => ({ grants: given.grants ?? [], allowedOnce: given.allowedOnce ?? [] }) },
    sampling: { rules: async () => ({ rules: given.rules ?? [] }), tokensOfToday: async () => given.used ?? 0 },
    mutes: { muted: given.muted ?? [] },
    chosenModels: { all: given.chosenModels ?? [] },
    apps: { all: given.apps ?? [] },
    restarts: { all: given.restarts ?? [] },
  } as unknown as ApprovalSources);
const rowsOf = async (given: Given) =>
  approvalTree(await read(given))
    .flatMap((node): ApprovalNode[] => [node, ...('children' in node ? node.children : [])])
    .map(approvalRow);

describe('the rows of the approvals view', () => {
  it('are none where nothing is allowed, so that VS Code says so', async () => {
    expect(await rowsOf({})).toEqual([]);
    editor.settings['sampling.dailyTokens'] = 0;
    expect(await rowsOf({})).toEqual([]);
  });

  it('name each kind of approval, and today’s tokens last', async () => {
    expect((await rowsOf(everything)).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      'Rules for Models | 1',
      `demo → llama3.2 | 3 of 10 requests, 1,200 of 20,000 tokens this hour, until ${endOf(now + 3_600_000, now)}`,
      'Tools | 2',
      'demo → add | when you call it here, without a question',
      'demo → list | for every caller, including other extensions, without a question',
      'What Apps May Reach | 2',
      'demo → Map | 1 permission',
      'demo → Map | shown without permissions',
      'Restart on Save | 1',
      'demo | changes of its files in this workspace ask nothing',
      'Muted | 2',
      'loud | calls by apps, other extensions and commands are declined',
      'loud | requests for a model and questions to you are declined',
      'Models Chosen for Servers | 1',
      'demo → ollama/llama3.2 | suggested first',
      'Allowed Once | 1',
      'demo → add | called by the app Map; you are asked each time',
      '12,345 of 1,000,000 tokens today | daily budget',
    ]);
    const { approvals } = await read(everything);
    expect(approvals.filter(({ revoke }) => revoke !== undefined)).toHaveLength(9);
  });

  it('say how much was used without a budget too', async () => {
    editor.settings['sampling.dailyTokens'] = 0;
    const [row] = await rowsOf({ used: 1 });
    expect(row).toMatchObject({ label: '1 token today', description: 'no daily budget', contextValue: 'budget' });
    expect((await rowsOf({ rules: [sampleRule(now)] })).map(({ id }) => id)).toContain('budget');
  });

  it('have ids of their own, however servers and tools are called, and the menus of their kind', async () => {
    const confusing = {
      ...everything,
      grants: [
        { ...bound, server: 'a","b', tool: 'c', reach: 'own' },
        { ...bound, server: 'a', tool: 'b","c', reach: 'own' },
        { ...bound, server: 'a', tool: 'null', reach: 'own' },
        { ...bound, server: 'a', tool: 'null', reach: 'own', identity: 'two' },
        { ...bound, server: 'a', tool: 'null', reach: 'own', digest: 'y' },
      ],
    } as const;
    const ids = (await rowsOf(confusing)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set((await rowsOf(everything)).map(({ contextValue }) => contextValue))]).toEqual([
      'group.rules',
      'approval.rule',
      'group.tools',
      'approval.tool',
      'group.apps',
      'approval.app',
      'group.restarts',
      'approval.restart',
      'group.muted',
      'approval.muted',
      'group.models',
      'approval.model',
      'group.allowedOnce',
      'allowedOnce',
      'budget',
    ]);
  });

  it('tell all terms of a rule, and what was seen when it was made', async () => {
    const tooltip = async (rule: Parameters<typeof sampleRule>[1]): Promise<string> =>
      (await rowsOf({ rules: [sampleRule(now, rule)] }))[1]?.tooltip ?? '';
    for (const part of [
      'localhost:11434',
      '1,234 characters',
      '500 tokens',
      'without a review',
      'Not kept',
      'abcdef01',
    ])
      expect(await tooltip({})).toContain(part);
    expect(await tooltip({})).not.toContain('abcdef012');
    expect(await tooltip({ reviewsAnswer: true, isKept: true })).toMatch(/You review each answer[^]*Kept: it stays/);
    expect(await tooltip({ model: { id: 'm', name: 'M', family: 'f' } })).toContain('a model of the editor');
  });

  it('are one short line each, whatever servers, tools and models are called', async () => {
    const name = `a\nb\u202e${'x'.repeat(5_000)}`;
    const hostile: Given = {
      ...everything,
      rules: [
        sampleRule(now, { server: name, model: { id: name, name, family: 'f', destination: name }, definition: name }),
      ],
      grants: [{ ...bound, server: name, tool: name, reach: 'own' }],
      muted: [{ server: name, what: 'calls' }],
      chosenModels: [{ server: name, model: name }],
      apps: [{ id: name, server: name, app: name, isAllowed: true, count: 400, reach: Array(20).fill(name) }],
    };
    for (const { label, description, tooltip } of await rowsOf(hostile)) {
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
    const rules = [sampleRule(now, used)];
    expect(nextChangeOf([], now)).toBeUndefined();
    expect(nextChangeOf([sampleRule(now, { uses: [{ at: now - 1_000, tokens: 1 }] })], now)).toBe(now + 3_599_000);
    expect(nextChangeOf(rules, now)).toBe(now + 3_600_000);
    expect(nextChangeOf(rules, now + 4_000_000)).toBeUndefined();
  });
});
