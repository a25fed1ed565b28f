import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { createQuestionMutes } from '../../../../src/client/serverRequests/questionMutes.ts';
import { createToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { limits } from '../../../../src/base/limits.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { manageApprovals, listStandingDecisions } from '../../../../src/host/consent/manageApprovals.ts';

type Row = { readonly label: string; readonly description: string };
const { showQuickPick, showInformationMessage } = vi.hoisted(() => ({
  showQuickPick: vi.fn(async (rows: readonly Row[]) => rows),
  showInformationMessage: vi.fn(async () => {}),
}));
vi.mock('vscode', () => ({ window: { showQuickPick, showInformationMessage } }));

function setUp() {
  const audit: AuditEntry[] = [];
  const mutes = createQuestionMutes({ record: (entry) => audit.push(entry) }, createNullLogger);
  const loaded = createToolCallApproval({ ask: () => Promise.resolve('tool'), notifyMuted: () => {} });
  const sampling = { grants: () => Promise.resolve(new Map()), revokeGrants: () => Promise.resolve(0) };
  return { audit, loaded, mutes, sources: { approvals: { loaded }, sampling, mutes } };
}

describe('Manage Approvals', () => {
  beforeEach(() => void vi.clearAllMocks());

  it('lists servers that ask nothing any more because so much was refused, and hears those again that are chosen', async () => {
    const { audit, mutes, sources } = setUp();
    for (let count = 0; count < limits.questions.refusals; count += 1) mutes.recordDecision('notes', false);
    mutes.recordDecision('other', false);
    expect(await listStandingDecisions(sources)).toMatchObject([{ server: 'notes', icon: 'mute' }]);
    await manageApprovals(sources);
    expect(showQuickPick.mock.calls[0]?.[0]).toMatchObject([
      { label: '$(mute) Requests for a model, and questions to you', description: 'notes' },
    ]);
    expect(mutes.isMuted('notes')).toBe(false);
    expect(audit.at(-1)).toMatchObject({ server: 'notes', action: 'mute', outcome: 'ended' });
    expect(await listStandingDecisions(sources)).toEqual([]);
  });

  it('says so where every call and every request asks', async () => {
    await manageApprovals(setUp().sources);
    expect(showQuickPick).not.toHaveBeenCalled();
    expect(showInformationMessage).toHaveBeenCalledOnce();
  });
});
