import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TreeDataProvider, TreeItem } from 'vscode';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { limits } from '../../../../src/base/limits.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { noReach } from '../../../../src/client/apps/appReach.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { registerApprovalCommands } from '../../../../src/host/consent/approvalCommands.ts';
import {
  type Approval,
  type ApprovalNode,
  approvalTitle,
  readApprovals,
} from '../../../../src/host/consent/approvals.ts';
import { createApprovalsView } from '../../../../src/host/consent/approvalsView.ts';
import { AppAnswers } from '../../../../src/host/apps/appAnswers.ts';
import { createChosenModels } from '../../../../src/host/consent/chosenModels.ts';
import type { RuleBook } from '../../../../src/client/sampling/ruleBook.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { coveredRequest, sampleRule, sampleRuleBook } from './sampleRule.ts';
import { sampleState } from '../sampleState.ts';
import { editor, type Question } from '../../../fixtures/vscode.ts';
import { sampleGrants } from '../../../fixtures/toolGrantStore.ts';
import { proposedCall } from '../../../fixtures/proposedCall.ts';

async function setUp() {
  const clock = createManualClock();
  const audit: AuditEntry[] = [];
  const log = { record: (entry: AuditEntry) => void audit.push(entry) };
  const rules = sampleRuleBook(clock, log);
  const mutes = new Mutes(log, createNullLogger);
  const loaded = new ToolCallApproval({ ask: () => Promise.resolve('tool') }, mutes, sampleGrants());
  const chosenModels = createChosenModels(sampleState(), (server) => server);
  const apps = new AppAnswers(sampleState());
  const didChange = new Emitter<void>();
  rules.onDidChange(() => didChange.fire());
  const budget = { used: 0, didChange };
  const source: { rules: () => Promise<RuleBook | undefined> } = { rules: async () => rules };
  const sources = {
    approvals: { current: async () => loaded, onDidChange: loaded.onDidChange },
    sampling: { rules: () => source.rules(), tokensOfToday: async () => budget.used, onDidChange: didChange.event },
    mutes,
    chosenModels,
    apps,
    restarts: { all: [], revoke: async () => {}, onDidChange: didChange.event },
    clock,
  };
  registerApprovalCommands({ ...sources, view: createApprovalsView(sources), logger: createNullLogger() });
  const allowEverything = async (): Promise<void> => {
    await rules.add(sampleRule(clock.now()));
    await loaded.approve(proposedCall('add', { caller: 'again', isSeen: true, isDestructive: true }));
    for (let count = 0; count < limits.questions.refusals; count += 1) mutes.recordDecision('loud', 'questions', false);
    chosenModels.remember('demo', 'ollama/llama3.2');
    const reach = { ...noReach, permissions: ['camera'] as const };
    await apps.keep({ identity: 'one', uri: 'ui://map', server: 'demo', title: 'Map', reach }, true);
    await settle();
  };
  return { clock, audit, rules, source, sources, loaded, mutes, chosenModels, apps, budget, allowEverything };
}

const provider = () => editor.tree.provider as TreeDataProvider<ApprovalNode>;
const children = async (node?: ApprovalNode): Promise<readonly ApprovalNode[]> =>
  (await provider().getChildren(node)) ?? [];
const allRows = async (): Promise<readonly ApprovalNode[]> => {
  const roots = await children();
  return (await Promise.all(roots.map(async (root) => [root, ...(await children(root))]))).flat();
};
const itemOf = async (node: ApprovalNode): Promise<TreeItem> => provider().getTreeItem(node);
const labels = async () => Promise.all((await allRows()).map(async (node) => (await itemOf(node)).label));
const run = (id: string, ...args: readonly unknown[]) => editor.commands.get(`patchbay.${id}`)?.(...args);
const rowOf = async (group: Approval['group']): Promise<ApprovalNode> =>
  (await allRows()).find((node) => 'key' in node && node.group === group) ?? expect.unreachable(`no row of ${group}`);

describe('the approvals view', () => {
  beforeEach(unhurried);

  it('is empty where nothing is allowed, and says so beside today’s tokens', async () => {
    const { budget } = await setUp();
    expect(await children()).toEqual([]);
    expect(editor.tree.message ?? '').toBe('');
    budget.used = 10;
    expect(await labels()).toEqual(['10 of 1,000,000 tokens today']);
    expect(editor.tree.message).toBe('You have not allowed anything permanently.');
    expect((await itemOf((await children())[0] ?? expect.unreachable('no budget'))).command).toMatchObject({
      command: 'workbench.action.openSettings',
      arguments: ['@id:patchbay.sampling.dailyTokens'],
    });
  });

  it('refreshes for each kind of change, and when time changes what a rule allows', async () => {
    const { clock, rules, loaded, mutes, chosenModels, apps, budget, allowEverything } = await setUp();
    await allowEverything();
    let refreshes = 0;
    provider().onDidChangeTreeData?.(() => void (refreshes += 1));
    editor.fire('onDidChangeVisibility', { visible: true });
    await settle();
    // VS Code reads the rows by itself then.
    expect(refreshes).toBe(0);
    await children();
    const changes: readonly (() => unknown)[] = [
      () => rules.edit('r1', { requestsPerHour: 2 }),
      () => mutes.unmute('loud'),
      () => chosenModels.forget('demo'),
      () => Promise.all(loaded.grants.map((grant) => loaded.revoke(grant))),
      () => apps.revoke(apps.all[0]?.id ?? ''),
      () => budget.didChange.fire(),
      () => editor.fire('onDidChangeVisibility', { visible: true }),
    ];
    for (const change of changes) {
      await clock.advance(1_000);
      refreshes = 0;
      await change();
      await settle();
      expect(refreshes).toBe(1);
    }
    await children();
    await clock.advance(1_000);
    refreshes = 0;
    await clock.advance(3_600_000);
    expect(refreshes).toBe(1);
    expect(await labels()).toEqual([]);
  });

  it('revokes each kind from its row, without a question', async () => {
    const { audit, rules, loaded, mutes, chosenModels, apps, allowEverything } = await setUp();
    await allowEverything();
    for (const group of ['rules', 'tools', 'apps', 'muted', 'models'] as const)
      await run('revokeApproval', await rowOf(group));
    expect([rules.rules, loaded.grants, mutes.muted, chosenModels.all, apps.all]).toEqual([[], [], [], [], []]);
    expect(await children()).toEqual([]);
    expect(editor.said).toEqual([]);
    expect(audit.find(({ outcome }) => outcome === 'revoked')?.detail).toMatchObject({
      because: 'revoked by the person',
    });
  });

  it('allows always what a call was allowed once, from its row or the palette, over restarts of its server', async () => {
    const { loaded } = await setUp();
    const callOnce = (name: string) => loaded.approve(proposedCall(name));
    await run('allowAlways');
    expect(editor.said).toEqual([
      'You have not allowed a single call of an app or an extension since its server started.',
    ]);
    for (const name of ['add', 'remove', 'other']) expect(await callOnce(name)).toBe('allowed once');
    expect(await labels()).toEqual(['Allowed Once', 'demo → other', 'demo → remove', 'demo → add']);
    expect(loaded.grants).toEqual([]);
    const row = await rowOf('allowedOnce');
    await run('revokeApproval', row);
    await run('allowAlways', { ...row });
    expect(loaded.grants).toEqual([]);
    await run('allowAlways', row);
    editor.answer = ({ choices }: Question) => choices.find(({ label }) => label.includes('remove'));
    await run('allowAlways');
    expect(loaded.grants.map(({ tool, reach }) => [tool, reach])).toEqual([
      ['other', 'everyone'],
      ['remove', 'everyone'],
    ]);
    expect(await callOnce('other')).toBe('always for this tool');
    expect(await labels()).toEqual(['Tools', 'demo → other', 'demo → remove', 'Allowed Once', 'demo → add']);
    loaded.end('demo');
    expect(await labels()).toEqual(['Tools', 'demo → other', 'demo → remove']);
  });

  it('revokes the row the keyboard is on, and nothing where that is none', async () => {
    const { rules, loaded, allowEverything } = await setUp();
    await allowEverything();
    await run('revokeApproval', 'selection');
    editor.pressOn((await children())[0] ?? expect.unreachable('no group'));
    await run('revokeApproval', 'selection');
    expect([rules.rules.length, loaded.grants.length]).toEqual([1, 1]);
    editor.pressOn(await rowOf('tools'));
    await run('revokeApproval', 'selection');
    expect([rules.rules.length, loaded.grants.length]).toEqual([1, 0]);
    editor.pressOn(await rowOf('models'));
    await run('editRule', 'selection');
    expect(editor.said).toEqual([]);
  });

  it('offers a list to the palette, and to a caller that passes anything else than a row', async () => {
    const { rules, loaded, mutes, allowEverything } = await setUp();
    await run('revokeApproval');
    await run('editRule');
    expect(editor.said).toEqual(['You have not allowed anything permanently.', 'No rules for models.']);
    await allowEverything();
    const forged = { group: 'rules', rule: 'r1' };
    await run('revokeApproval', forged);
    expect(rules.rules).toHaveLength(1);
    editor.answer = ({ choices }: Question) => choices.filter(({ label }) => /add|loud/.test(label));
    await run('revokeApproval');
    expect([rules.rules.length, loaded.grants.length, mutes.muted.length]).toEqual([1, 0, 0]);
    editor.answer = undefined;
    await run('editRule');
    expect(editor.questions.at(-1)?.choices.map(({ label }) => label)).toEqual(['$(shield) demo → llama3.2']);
  });

  it('revokes all after a question only', async () => {
    const { rules, chosenModels, apps, allowEverything } = await setUp();
    await run('revokeAllApprovals');
    expect(editor.said).toEqual(['You have not allowed anything permanently.']);
    await allowEverything();
    await run('revokeAllApprovals');
    expect(editor.said.at(-1)).toBe('Revoke all 5 approvals?');
    editor.answer = 'Show Approvals';
    await run('revokeAllApprovals');
    expect(editor.executed).toEqual([['patchbay.approvals.focus']]);
    expect(rules.rules).toHaveLength(1);
    editor.answer = 'Revoke All';
    await run('revokeAllApprovals');
    expect([rules.rules, chosenModels.all, apps.all]).toEqual([[], [], []]);
    expect(await children()).toEqual([]);
  });

  it('stops all rules and what they let through at once, then says so', async () => {
    const { clock, audit, rules, allowEverything } = await setUp();
    await allowEverything();
    const rule = sampleRule(clock.now());
    const usage = await rules.use(rule, coveredRequest(rule));
    expect(usage?.revoked.aborted).toBe(false);
    editor.answer = 'Show Approvals';
    await run('stopRules');
    expect(usage?.revoked.aborted).toBe(true);
    expect(rules.rules).toEqual([]);
    await settle();
    expect(editor.said).toEqual(['The rule demo → llama3.2 was stopped. You will be asked about every request.']);
    expect(editor.executed).toEqual([['patchbay.approvals.focus']]);
    expect(audit.at(-1)).toMatchObject({ outcome: 'revoked', detail: { because: 'stopped by the person' } });
    await run('stopRules');
    expect(editor.said.at(-1)).toBe('No rules for models.');
  });

  it('says that a stopped rule could not be deleted', async () => {
    const { rules, allowEverything } = await setUp();
    await allowEverything();
    vi.spyOn(rules, 'revoke').mockRejectedValue(new Error('[full](command:x)'));
    await run('stopRules');
    await settle();
    expect(editor.said).toEqual([expect.stringContaining('could not be deleted: [full]\u200b(command:x)')]);
  });

  it('has nothing to stop or show while no rule can exist', async () => {
    const { source } = await setUp();
    source.rules = async () => undefined;
    await run('stopRules');
    expect(editor.said).toEqual(['No rules for models.']);
    expect(await children()).toEqual([]);
  });

  it('is the list that the details of a server have too', async () => {
    const { sources, allowEverything } = await setUp();
    await allowEverything();
    const { approvals } = await readApprovals(sources);
    expect(approvals.map((one) => `${one.server}, ${approvalTitle(one)}`)).toEqual([
      'demo, Rules for Models: llama3.2',
      'demo, Tools: add',
      'demo, What Apps May Reach: Map',
      'loud, Muted',
      'demo, Models Chosen for Servers: ollama/llama3.2',
    ]);
  });
});
