import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { formatCount } from '../../base/truncate.ts';
import type { Mutes, MutedServer } from '../../client/mutes.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import type { AllowedCall } from '../../client/toolCalls/toolCallApproval.ts';
import type { ToolGrant } from '../../client/toolCalls/toolGrants.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { RestartApprovals } from '../servers/restartChoices.ts';
import type { ChosenModel, ChosenModelMemory } from './chosenModels.ts';
import type { LazyApprovals, LazySampling } from './consentServices.ts';
import { describeRule, ruleLines } from './ruleText.ts';
import { readDailyTokens } from './samplingSettings.ts';

export interface AppReachAnswer {
  /** Identifies the app, and the program it is of. */
  readonly id: string;
  readonly server: string;
  /** What people know the app by. */
  readonly app: string;
  readonly isAllowed: boolean;
  /** What it asked for: how many things, and the first ones, a line each. */
  readonly count: number;
  readonly reach: readonly string[];
}

/** Where all that is allowed, refused or chosen without a question is kept. */
export interface ApprovalSources {
  readonly approvals: Pick<LazyApprovals, 'current' | 'onDidChange'>;
  readonly sampling: Pick<LazySampling, 'rules' | 'tokensOfToday' | 'onDidChange'>;
  readonly mutes: Mutes;
  readonly chosenModels: ChosenModelMemory;
  readonly apps: {
    readonly all: readonly AppReachAnswer[];
    revoke(id: string): Promise<void>;
    readonly onDidChange: Event<unknown>;
  };
  readonly restarts: RestartApprovals;
  readonly clock: Clock;
}

/** The groups of the view, in their order, with the product icon of their rows and what the menus of package.json know them by. */
const groups = {
  rules: { title: 'Rules for Models', icon: 'shield', contextValue: 'approval.rule' },
  tools: { title: 'Tools', icon: 'tools', contextValue: 'approval.tool' },
  apps: { title: 'What Apps May Reach', icon: 'window', contextValue: 'approval.app' },
  restarts: { title: 'Restart on Save', icon: 'debug-restart', contextValue: 'approval.restart' },
  muted: { title: 'Muted', icon: 'mute', contextValue: 'approval.muted' },
  models: { title: 'Models Chosen for Servers', icon: 'comment-discussion', contextValue: 'approval.model' },
  allowedOnce: { title: 'Allowed Once', icon: 'history', contextValue: 'allowedOnce' },
} as const;

type Group = keyof typeof groups;

/**
 * Something that is allowed, refused or chosen without a question, or a call that was allowed once. All texts are plain, and in
 * one line but for the tooltip.
 */
export interface Approval {
  readonly group: Group;
  /** Tells it from others of its group. */
  readonly key: readonly (string | undefined)[];
  readonly server: string;
  /** What of the server; absent for all of it. */
  readonly what?: string;
  readonly description: string;
  readonly tooltip: string;
  /** The person is asked again from now on. Absent where nothing holds. */
  readonly revoke?: () => void | Promise<void>;
  readonly rule?: string;
  readonly call?: AllowedCall;
}

export interface ApprovalState {
  readonly approvals: readonly Approval[];
  readonly rules: readonly SamplingRule[];
  /** The tokens of today. `limit` is `undefined` for no limit. */
  readonly budget: { readonly used: number; readonly limit: number | undefined };
}

/** Reads what there is now. Nothing is loaded where nothing can be. */
export async function readApprovals(sources: ApprovalSources): Promise<ApprovalState> {
  const { mutes, chosenModels, apps, clock, sampling } = sources;
  const waiting = [sampling.rules(), sampling.tokensOfToday(), sources.approvals.current()] as const;
  const [book, used, calls] = await Promise.all(waiting);
  const rules = book?.rules ?? [];
  const approvals: Approval[] = [
    ...rules.map((rule) => ({
      ...ruleRow(rule, clock.now()),
      revoke: () => book?.revoke(({ id }) => id === rule.id, 'revoked by the person'),
    })),
    ...(calls?.grants ?? []).map((grant) => ({ ...toolRow(grant), revoke: () => calls?.revoke(grant) })),
    ...apps.all.map((answer) => ({ ...appRow(answer), revoke: () => apps.revoke(answer.id) })),
    ...sources.restarts.all.map((server) => ({
      ...restartRow(server),
      revoke: () => sources.restarts.revoke(server),
    })),
    ...mutes.muted.map((muted) => ({ ...mutedRow(muted), revoke: () => mutes.unmute(muted.server, muted.what) })),
    ...chosenModels.all.map((chosen) => ({ ...modelRow(chosen), revoke: () => chosenModels.forget(chosen.server) })),
    ...(calls?.allowedOnce ?? []).map(allowedOnceRow),
  ];
  return { approvals, rules, budget: { used, limit: readDailyTokens() } };
}

/** The person is asked again from now on. @throws what a store throws: all others are revoked nevertheless */
export async function revokeApprovals(chosen: readonly Approval[]): Promise<void> {
  await Promise.all(chosen.map(async (approval) => approval.revoke?.()));
}

/** A row of the view: an approval, a group of them, or the budget. */
export type ApprovalNode =
  | Approval
  | { readonly group: Group; readonly children: readonly Approval[] }
  | Pick<ApprovalState, 'budget'>;

/** @returns the root rows: the groups that have entries, and the budget where it says anything */
export function approvalTree({ approvals, rules, budget }: ApprovalState): readonly ApprovalNode[] {
  const all = Object.keys(groups).map((name) => {
    const group = name as Group;
    return { group, children: approvals.filter((approval) => approval.group === group) };
  });
  const shown = all.filter(({ children }) => children.length > 0);
  return budget.used > 0 || rules.length > 0 ? [...shown, { budget }] : shown;
}

/** @returns what VS Code shows of a row: a unique id, plain texts, and the id of a product icon */
export function approvalRow(node: ApprovalNode) {
  if ('budget' in node) return budgetRow(node.budget);
  const { group } = node;
  const { title, icon, contextValue } = groups[group];
  if ('children' in node) {
    const description = formatCount(node.children.length);
    return { id: group, label: title, description, tooltip: title, icon: undefined, contextValue: `group.${group}` };
  }
  const { key, description, tooltip } = node;
  // Names of servers and tools may contain whatever would separate them.
  const id = JSON.stringify([group, ...key.map((part) => part ?? null)]);
  return { id, label: labelOf(node), description, tooltip, icon, contextValue };
}

/** @returns `Tools: add`, for a list of one server */
export function approvalTitle({ group, what }: Approval): string {
  return what === undefined ? groups[group].title : `${groups[group].title}: ${what}`;
}

/** @returns `demo → add` */
export function labelOf({ server, what }: Approval): string {
  return what === undefined ? singleLine(server, 60) : `${singleLine(server, 40)} → ${what}`;
}

function ruleRow(rule: SamplingRule, now: number): Approval {
  return {
    group: 'rules',
    key: [rule.id],
    server: rule.server,
    what: singleLine(rule.model.name, 40),
    description: describeRule(rule, now),
    tooltip: ruleLines(rule, now).join('\n'),
    rule: rule.id,
  };
}

function toolRow({ server, identity, tool, digest, reach, app }: ToolGrant): Approval {
  const everyone = reach === 'own' ? 'when you call it here' : 'for every caller, including other extensions';
  const who = app === undefined ? everyone : `for the app ${singleLine(app, 60)}`;
  const what = singleLine(tool, 60);
  return {
    group: 'tools',
    key: [server, identity, tool, digest, app],
    server,
    what,
    description: `${who}, without a question`,
    tooltip: `${what} of ${singleLine(server, 100)}: called without a question ${who}, until the server or the tool changes.`,
  };
}

function allowedOnceRow(call: AllowedCall): Approval {
  const { server, tool, app } = call;
  const who = app === undefined ? 'another extension or a command' : `the app ${singleLine(app.title, 60)}`;
  return {
    group: 'allowedOnce',
    key: [server, tool, app?.uri],
    server,
    what: singleLine(tool, 60),
    description: `called by ${who}; you are asked each time`,
    tooltip: `You allowed ${who} to call ${singleLine(tool, 100)} of ${singleLine(server, 100)} once. “Always Allow” lets it call this tool without a question, until the server or the tool changes.`,
    call,
  };
}

function restartRow(server: string): Approval {
  return {
    group: 'restarts',
    key: [server],
    server,
    description: 'changes of its files in this workspace ask nothing',
    tooltip: `${singleLine(server, 100)} restarts when its code is saved. Changes of its files in this workspace ask nothing, until its definition changes. Revoke this to be asked again.`,
  };
}

const refused = {
  calls: 'calls by apps, other extensions and commands',
  questions: 'requests for a model and questions to you',
} as const;

function mutedRow({ server, what }: MutedServer): Approval {
  return {
    group: 'muted',
    key: [what, server],
    server,
    description: `${refused[what]} are declined`,
    tooltip: `${singleLine(server, 100)}: ${refused[what]} are declined automatically, because you declined several in a row. Revoke this to be asked again.`,
  };
}

function modelRow({ server, model }: ChosenModel): Approval {
  return {
    group: 'models',
    key: [server],
    server,
    what: singleLine(model, 60),
    description: 'suggested first',
    tooltip: `Requests of ${singleLine(server, 100)} are shown with the model ${singleLine(model, 200)}, which you chose for it.`,
  };
}

const shownReach = 5;

function appRow({ id, server, app, isAllowed, count, reach }: AppReachAnswer): Approval {
  const asked = reach.slice(0, shownReach).map((line) => singleLine(line, 200));
  const rest = count - asked.length;
  return {
    group: 'apps',
    key: [id],
    server,
    what: singleLine(app, 60),
    description: isAllowed ? countOf(count, 'permission') : 'shown without permissions',
    tooltip: [
      `The app ${singleLine(app, 100)} of ${singleLine(server, 100)} ${isAllowed ? 'may' : 'asked for this and is not allowed to'}:`,
      ...asked,
      ...(rest > 0 ? [`and ${countOf(rest, 'more permission')}`] : []),
      'Revoke this to be asked again. The app closes if it is open.',
    ].join('\n'),
  };
}

function budgetRow({ used, limit }: ApprovalState['budget']) {
  const spent = Math.ceil(used);
  const what = 'Counts all servers and windows, by rules and by your own approvals.';
  const [label, description, end] =
    limit === undefined
      ? [`${countOf(spent, 'token')} today`, 'no daily budget', 'There is no daily budget.']
      : [
          `${formatCount(spent)} of ${countOf(limit, 'token')} today`,
          'daily budget',
          'When it is used up, you are asked about every request until tomorrow.',
        ];
  return { id: 'budget', label, description, tooltip: `${what} ${end}`, icon: 'graph', contextValue: 'budget' };
}
