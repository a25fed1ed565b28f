import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { SamplingHandler } from '../../client/sampling/samplingHandler.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import type { QuestionMutes } from '../../client/serverRequests/questionMutes.ts';
import type { ToolGrant } from '../../client/toolCalls/toolGrants.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, notificationText, singleLine, timeOf } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { AppReachAnswer } from './approvalRows.ts';
import type { LazyApprovals } from './consentServices.ts';
import type { LazyRules } from './ruleSource.ts';
import { runForPerson } from '../platform/personArguments.ts';

/** Where the standing decisions are kept. Nothing is loaded for them. */
export interface ApprovalSources {
  readonly approvals: Pick<LazyApprovals, 'loaded'>;
  readonly sampling: Pick<LazyRules, 'isLoaded' | 'rules'>;
  readonly mutes: Pick<QuestionMutes, 'muted'>;
  readonly appAnswers: () => Promise<{ readonly all: readonly AppReachAnswer[] }>;
}

/** Something that is allowed, or refused, without a question. */
export interface StandingDecision {
  readonly server: string;
  readonly title: string;
  readonly detail: string;
}

/** All standing decisions about servers that run. Rules that are kept are read when their server starts. */
export async function listStandingDecisions(sources: ApprovalSources): Promise<readonly StandingDecision[]> {
  const { approvals, sampling, mutes } = sources;
  const { loaded } = approvals;
  const apps = (await sources.appAnswers()).all.filter(({ isAllowed }) => isAllowed);
  const rules = sampling.isLoaded ? (await sampling.rules()).rules : [];
  return [
    ...(loaded?.grants ?? []).map(describeToolGrant),
    ...rules.map(describeModelRule),
    ...(loaded?.muted ?? []).map(describeMutedCalls),
    ...mutes.muted.map(describeMutedQuestions),
    ...apps.map(describeApp),
  ];
}

function describeToolGrant({ server, tool, reach }: ToolGrant): StandingDecision {
  const title = tool === undefined ? 'Tools it calls read-only' : `Tool ${singleLine(tool, 60)}`;
  const who = reach === 'own' ? 'when you call it here' : 'for every caller, other extensions too';
  return { server, title, detail: `Called without a question ${who}` };
}

function describeModelRule({ server, model, ...rule }: SamplingRule): StandingDecision {
  const amounts = `${countOf(rule.requestsPerHour, 'request')} and ${countOf(rule.tokensPerHour, 'token')} an hour`;
  const detail = `Answered without a question: up to ${amounts}, until ${timeOf(rule.expiresAt)}`;
  return { server, title: `Requests for the model ${singleLine(model.name, 60)}`, detail };
}

function describeMutedCalls(server: string): StandingDecision {
  const detail = 'Refused without a question: you declined several in a row';
  return { server, title: 'Calls by other extensions and commands', detail };
}

function describeMutedQuestions(server: string): StandingDecision {
  const detail = 'Refused without showing them to you: you refused several in a row';
  return { server, title: 'Requests for a model, and questions to you', detail };
}

function describeApp({ server, app, count }: AppReachAnswer): StandingDecision {
  const detail = `It may reach ${countOf(count, 'thing')} beyond its own page`;
  return { server, title: `App ${singleLine(app, 60)}`, detail };
}

/**
 * Ends what a server was allowed when it stops, but for the rules that are kept: the next process with the same label may be
 * another program.
 */
export function revokeGrantsOnStop(
  registry: Pick<ServerRegistry, 'onDidChangeAny'>,
  sampling: Pick<SamplingHandler, 'serverStopped'>,
  approvals: Pick<LazyApprovals, 'loaded'>,
): Disposable {
  return registry.onDidChangeAny(({ label, server }) => {
    if (server.state.kind === 'running') return;
    sampling.serverStopped(label);
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
  if (chosen === allow) await runForPerson(CommandIds.allowQuestions, label);
}
