import { commands, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { SessionGrant } from '../../client/sampling/ports.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ToolGrant } from '../../client/toolCalls/toolGrants.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, escapeIcons, notificationText, singleLine, timeOfDay } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { LazyApprovals, LazySampling } from './consentServices.ts';

/** Where the standing decisions are kept. */
export interface ApprovalSources {
  readonly approvals: Pick<LazyApprovals, 'loaded'>;
  readonly sampling: Pick<LazySampling, 'grants' | 'revokeGrants'>;
  readonly mutes: Pick<QuestionMutes, 'muted' | 'unmute'>;
}

/** Something that is allowed, or refused, without a question. */
export interface StandingDecision {
  readonly server: string;
  /** The id of a product icon of VS Code. */
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
  /** Ends the decision: the next time the person is asked. */
  revoke(): void;
}

/** All standing decisions, of all servers. */
export async function listStandingDecisions(sources: ApprovalSources): Promise<readonly StandingDecision[]> {
  const { approvals, sampling, mutes } = sources;
  const { loaded } = approvals;
  const tools = loaded?.grants ?? [];
  const models = await sampling.grants();
  return [
    ...tools.map((grant) => ({ ...describeToolGrant(grant), revoke: () => loaded?.revoke(grant) })),
    ...[...models].map(([server, grant]) => ({
      ...describeModelGrant(server, grant),
      revoke: () => void sampling.revokeGrants(server),
    })),
    ...(loaded?.muted ?? []).map((server) => ({ ...describeMutedCalls(server), revoke: () => loaded?.unmute(server) })),
    ...mutes.muted.map((server) => ({ ...describeMutedQuestions(server), revoke: () => mutes.unmute(server) })),
  ];
}

function describeToolGrant({ server, tool, reach }: ToolGrant): Omit<StandingDecision, 'revoke'> {
  const title = tool === undefined ? 'Tools it calls read-only' : `Tool ${singleLine(tool, 60)}`;
  const who = reach === 'own' ? 'when you call it here' : 'for every caller, other extensions too';
  return { server, icon: 'tools', title, detail: `Called without a question ${who}` };
}

function describeModelGrant(
  server: string,
  { model, requests, maximumTokens, expiresAt }: SessionGrant,
): Omit<StandingDecision, 'revoke'> {
  const amounts = `${countOf(requests, 'more request')} of up to ${countOf(maximumTokens, 'token')}`;
  const detail = `Answered without a question: ${amounts}, until ${timeOfDay(expiresAt)}`;
  return { server, icon: 'comment-discussion', title: `Requests for the model ${singleLine(model, 60)}`, detail };
}

function describeMutedCalls(server: string): Omit<StandingDecision, 'revoke'> {
  const detail = 'Refused without a question: you declined several in a row';
  return { server, icon: 'mute', title: 'Calls by other extensions and commands', detail };
}

function describeMutedQuestions(server: string): Omit<StandingDecision, 'revoke'> {
  const detail = 'Refused without showing them to you: you refused several in a row';
  return { server, icon: 'mute', title: 'Requests for a model, and questions to you', detail };
}

/** *Manage Approvals…*: lists the standing decisions, and revokes the chosen ones. */
export async function manageApprovals(sources: ApprovalSources): Promise<void> {
  const decisions = await listStandingDecisions(sources);
  if (decisions.length === 0) {
    await window.showInformationMessage('Nothing is allowed without a question: every call and every request asks.');
    return;
  }
  const rows = decisions.map((decision) => ({
    label: `$(${decision.icon}) ${escapeIcons(decision.title)}`,
    description: escapeIcons(singleLine(decision.server, 60)),
    detail: decision.detail,
    decision,
  }));
  const picked = await window.showQuickPick(rows, {
    title: 'Manage Approvals',
    placeHolder: 'The chosen ones are asked about again; what is allowed ends when its server stops',
    canPickMany: true,
    matchOnDescription: true,
  });
  for (const { decision } of picked ?? []) decision.revoke();
}

/** Revokes all grants of a server when it stops: the next process with the same label may be another program. */
export function revokeGrantsOnStop(
  registry: Pick<ServerRegistry, 'onDidChangeAny'>,
  sampling: Pick<LazySampling, 'revokeGrants'>,
  approvals: Pick<LazyApprovals, 'loaded'>,
): Disposable {
  return registry.onDidChangeAny(({ label, server }) => {
    if (server.state.kind === 'running') return;
    void sampling.revokeGrants(label);
    approvals.loaded?.end(label);
  });
}

/** Tells the person when a server is muted, and offers to end that. */
export function offerUnmute(mutes: Pick<QuestionMutes, 'isMuted' | 'onDidChange'>): Disposable {
  return mutes.onDidChange((label) => {
    if (mutes.isMuted(label)) void notifyMuted(label);
  });
}

async function notifyMuted(label: string): Promise<void> {
  const allow = 'Allow Questions Again';
  const message = `You refused ${limits.questions.refusals} questions of “${label}” in a row. What it asks from now on is refused without showing it to you.`;
  const chosen = await window.showInformationMessage(notificationText(message), allow);
  if (chosen === allow) await commands.executeCommand(CommandIds.allowQuestions, label);
}
