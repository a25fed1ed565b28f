import { beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { createQuestionMutes } from '../../../../src/client/serverRequests/questionMutes.ts';
import { listStandingDecisions, offerUnmute } from '../../../../src/host/consent/manageApprovals.ts';
import { createAuditedRules } from '../../../../src/host/consent/ruleAudit.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { sampleRule, sampleRuleBook } from './sampleRule.ts';

const { executeCommand, showInformationMessage } = vi.hoisted(() => ({
  executeCommand: vi.fn(async (_id: string, _argument?: unknown) => {}),
  showInformationMessage: vi.fn(async (_text: string, button: string): Promise<string | undefined> => button),
}));
vi.mock('vscode', () => ({ commands: { executeCommand }, window: { showInformationMessage } }));

beforeEach(() => void vi.clearAllMocks());

describe('the standing decisions about servers', () => {
  it('name what is allowed and refused, and load nothing', async () => {
    const clock = createManualClock();
    const rules = createAuditedRules(sampleRuleBook(clock), { record: () => {} });
    await rules.add(sampleRule(clock.now()));
    const grants = [{ server: 'demo', tool: 'add', reach: 'own' }] as const;
    const loaded = { grants, muted: ['loud'] } as unknown as ToolCallApproval;
    const answer = { id: 'a', server: 'demo', app: 'Map', isAllowed: true, count: 2, reach: ['x', 'y'] };
    const all = [answer, { ...answer, id: 'b', app: 'Chart', isAllowed: false }];
    const sources = { approvals: { loaded }, mutes: { muted: ['notes'] }, appAnswers: async () => ({ all }) };
    const titles = async (isLoaded: boolean): Promise<readonly string[]> => {
      const load = isLoaded ? async () => rules : () => Promise.reject(new Error('It was loaded.'));
      const decisions = await listStandingDecisions({ ...sources, sampling: { isLoaded, rules: load } });
      return decisions.map(({ server, title, detail }) => `${server}: ${title}: ${detail.slice(0, 60)}`);
    };
    const others = [
      'loud: Calls by other extensions and commands: Refused without a question: you declined several in a row',
      'notes: Requests for a model, and questions to you: Refused without showing them to you: you refused several in ',
      'demo: App Map: It may reach 2 things beyond its own page',
    ];
    const tool = 'demo: Tool add: Called without a question when you call it here';
    expect(await titles(false)).toEqual([tool, ...others]);
    expect(await titles(true)).toEqual([
      tool,
      'demo: Requests for the model llama3.2: Answered without a question: up to 10 requests and 20,000 to',
      ...others,
    ]);
  });
});

describe('a server that was muted', () => {
  beforeEach(() => void vi.clearAllMocks());

  function muteTwice(label: string): void {
    const mutes = createQuestionMutes({ record: () => {} }, createNullLogger);
    const offer = offerUnmute(mutes);
    const mute = (): void => {
      for (let count = 0; count < limits.questions.refusals; count += 1) mutes.recordDecision(label, false);
    };
    mute();
    mutes.unmute(label);
    offer.dispose();
    mute();
  }

  it('may ask again if the person says so in the notification, which is shown once', async () => {
    muteTwice('[notes](command:x)');
    await settle();
    expect(showInformationMessage).toHaveBeenCalledOnce();
    expect(showInformationMessage.mock.calls[0]?.[0]).not.toContain('](');
    expect(executeCommand.mock.calls).toEqual([['patchbay.allowQuestions', { server: '[notes](command:x)' }]]);
  });

  it('stays muted if the person closes the notification', async () => {
    showInformationMessage.mockResolvedValueOnce(undefined);
    muteTwice('notes');
    await settle();
    expect(executeCommand).not.toHaveBeenCalled();
  });
});
