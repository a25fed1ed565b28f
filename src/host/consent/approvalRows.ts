import { formatCount } from '../../base/truncate.ts';
import type { SamplingRule } from '../../client/sampling/samplingRules.ts';
import type { AllowedCall } from '../../client/toolCalls/toolCallApproval.ts';
import type { ToolGrant } from '../../client/toolCalls/toolGrants.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { ChosenModel } from './chosenModels.ts';
import { describeRule, ruleLines, ruleTitle } from './ruleText.ts';

/** Something that is allowed, refused or chosen without a question, and that can be revoked. */
export type Approval =
  | { readonly kind: 'rule'; readonly rule: SamplingRule }
  | { readonly kind: 'tool'; readonly grant: ToolGrant }
  /** Calls of its tools by others are refused. */
  | { readonly kind: 'mutedCalls'; readonly server: string }
  /** Its questions are refused. */
  | { readonly kind: 'mutedQuestions'; readonly server: string }
  | { readonly kind: 'model'; readonly chosen: ChosenModel }
  | { readonly kind: 'app'; readonly answer: AppReachAnswer };

/** What a person answered about what an app may reach. */
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

/** A call that was allowed once, and can be allowed always. */
export interface AllowedOnce {
  readonly kind: 'allowedOnce';
  readonly call: AllowedCall;
}

/** A row of the approvals view. */
export type ApprovalNode =
  | Approval
  | ApprovalGroup
  | AllowedOnce
  | { readonly kind: 'budget'; readonly budget: BudgetState };

/** Approvals of one kind. */
export interface ApprovalGroup {
  readonly kind: 'group';
  readonly id: 'rules' | 'tools' | 'muted' | 'models' | 'apps' | 'allowedOnce';
  readonly label: string;
  readonly children: readonly (Approval | AllowedOnce)[];
}

/** The tokens of today. */
export interface BudgetState {
  readonly used: number;
  /** `undefined` for no limit. */
  readonly limit: number | undefined;
}

/** All that the view shows, as it is now. */
export interface ApprovalState {
  readonly rules: readonly SamplingRule[];
  readonly grants: readonly ToolGrant[];
  readonly allowedOnce: readonly AllowedCall[];
  readonly mutedCalls: readonly string[];
  readonly mutedQuestions: readonly string[];
  readonly chosenModels: readonly ChosenModel[];
  readonly apps: readonly AppReachAnswer[];
  readonly budget: BudgetState;
}

/** @returns the root rows: the groups that have entries, and the budget where it says anything */
export function approvalTree(state: ApprovalState): readonly ApprovalNode[] {
  const once = state.allowedOnce.map((call) => ({ kind: 'allowedOnce', call }) as const);
  const lately = { kind: 'group', id: 'allowedOnce', label: 'Allowed Once', children: once } as const;
  const groups = [...groupsOf(state), lately].filter(({ children }) => children.length > 0);
  const { budget, rules } = state;
  return budget.used > 0 || rules.length > 0 ? [...groups, { kind: 'budget', budget }] : groups;
}

/** @returns all that can be revoked */
export function approvalsOf(state: ApprovalState): readonly Approval[] {
  return groupsOf(state).flatMap(({ children }) => children);
}

function groupsOf(state: ApprovalState): readonly (ApprovalGroup & { readonly children: readonly Approval[] })[] {
  const rules = new Map(state.rules.map((rule) => [rule.id, { kind: 'rule', rule } as const]));
  const muted = [
    ...state.mutedCalls.map((server) => ({ kind: 'mutedCalls', server }) as const),
    ...state.mutedQuestions.map((server) => ({ kind: 'mutedQuestions', server }) as const),
  ];
  const tools = state.grants.map((grant) => ({ kind: 'tool', grant }) as const);
  const apps = state.apps.map((answer) => ({ kind: 'app', answer }) as const);
  const models = state.chosenModels.map((chosen) => ({ kind: 'model', chosen }) as const);
  return [
    { kind: 'group', id: 'rules', label: 'Rules for Models', children: [...rules.values()] },
    { kind: 'group', id: 'tools', label: 'Tools', children: tools },
    { kind: 'group', id: 'apps', label: 'What Apps May Reach', children: apps },
    { kind: 'group', id: 'muted', label: 'Muted', children: muted },
    { kind: 'group', id: 'models', label: 'Models Chosen for Servers', children: models },
  ];
}

/** What is drawn for a row. All texts are plain, and in one line but for the tooltip. */
export interface ApprovalRow {
  /** Unique in the tree. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The id of a product icon of VS Code. */
  readonly icon: string | undefined;
  /** For the menus of package.json. */
  readonly contextValue: string;
}

/** @param now milliseconds since the epoch */
export function approvalRow(node: ApprovalNode, now: number): ApprovalRow {
  switch (node.kind) {
    case 'group':
      return groupRow(node);
    case 'rule':
      return ruleRow(node.rule, now);
    case 'tool':
      return toolRow(node.grant);
    case 'allowedOnce':
      return allowedOnceRow(node.call);
    case 'mutedCalls':
    case 'mutedQuestions':
      return mutedRow(node.kind, node.server);
    case 'model':
      return modelRow(node.chosen);
    case 'app':
      return appRow(node.answer);
    case 'budget':
      return budgetRow(node.budget);
  }
}

function groupRow({ id, label, children }: ApprovalGroup): ApprovalRow {
  const description = formatCount(children.length);
  return { id, label, description, tooltip: label, icon: undefined, contextValue: `group.${id}` };
}

function ruleRow(rule: SamplingRule, now: number): ApprovalRow {
  return {
    id: idOf('rule', rule.id),
    label: ruleTitle(rule),
    description: describeRule(rule, now),
    tooltip: ruleLines(rule, now).join('\n'),
    icon: 'shield',
    contextValue: 'approval.rule',
  };
}

function toolRow({ server, tool, reach, app }: ToolGrant): ApprovalRow {
  const everyone = reach === 'own' ? 'when you call it here' : 'for every caller, other extensions too';
  const who = app === undefined ? everyone : `for the app ${singleLine(app, 60)}`;
  const what = tool === undefined ? 'Tools it calls read-only' : singleLine(tool, 60);
  return {
    id: idOf('tool', server, tool ?? null, app ?? null),
    label: `${singleLine(server, 40)} → ${what}`,
    description: `${who}, without a question`,
    tooltip: `${what} of ${singleLine(server, 100)}: called without a question ${who}, until the server stops.`,
    icon: 'tools',
    contextValue: 'approval.tool',
  };
}

function allowedOnceRow({ server, tool, app }: AllowedCall): ApprovalRow {
  const who = app === undefined ? 'another extension or a command' : `the app ${singleLine(app.title, 60)}`;
  const label = `${singleLine(server, 40)} → ${singleLine(tool, 60)}`;
  return {
    id: idOf('allowedOnce', server, tool, app?.uri ?? null),
    label,
    description: `called by ${who}, asked about each time`,
    tooltip: `You allowed ${who} to call ${singleLine(tool, 100)} of ${singleLine(server, 100)} once. “Always Allow” lets it call this tool without a question, until the server stops or the definition of the tool changes.`,
    icon: 'history',
    contextValue: 'allowedOnce',
  };
}

function mutedRow(kind: 'mutedCalls' | 'mutedQuestions', server: string): ApprovalRow {
  const isCalls = kind === 'mutedCalls';
  const what = isCalls ? 'calls by other extensions and commands' : 'requests for a model, and questions to you';
  const why = isCalls ? 'you declined several in a row' : 'you refused several in a row';
  return {
    id: idOf(kind, server),
    label: singleLine(server, 60),
    description: `${what} are refused`,
    tooltip: `${singleLine(server, 100)}: ${what} are refused without a question, as ${why}. Revoke this to be asked again.`,
    icon: 'mute',
    contextValue: 'approval.muted',
  };
}

function modelRow({ server, model }: ChosenModel): ApprovalRow {
  return {
    id: idOf('model', server),
    label: `${singleLine(server, 40)} → ${singleLine(model, 60)}`,
    description: 'suggested first',
    tooltip: `Requests of ${singleLine(server, 100)} are shown with the model ${singleLine(model, 200)}, which you chose for it.`,
    icon: 'comment-discussion',
    contextValue: 'approval.model',
  };
}

/** Lines of a tooltip. */
const shownReach = 5;

function appRow({ id, server, app, isAllowed, count, reach }: AppReachAnswer): ApprovalRow {
  const label = `${singleLine(server, 40)} → ${singleLine(app, 60)}`;
  const asked = reach.slice(0, shownReach).map((line) => singleLine(line, 200));
  const rest = count - asked.length;
  return {
    id: idOf('app', id),
    label,
    description: isAllowed ? `may reach ${countOf(count, 'thing')}` : 'is shown without what it asks for',
    tooltip: [
      `The app ${singleLine(app, 100)} of ${singleLine(server, 100)} ${isAllowed ? 'may' : 'asked for this, and may not'}:`,
      ...asked,
      ...(rest > 0 ? [`and ${countOf(rest, 'more thing')}`] : []),
      'Revoke this to be asked again. An app that is open now ends.',
    ].join('\n'),
    icon: 'window',
    contextValue: 'approval.app',
  };
}

function budgetRow({ used, limit }: BudgetState): ApprovalRow {
  const spent = Math.ceil(used);
  const label =
    limit === undefined
      ? `${countOf(spent, 'token')} today`
      : `${formatCount(spent)} of ${countOf(limit, 'token')} today`;
  const what = 'All servers and windows together, rules and your own approvals.';
  const end =
    limit === undefined
      ? 'There is no daily budget.'
      : 'Once they are used up, no rule lets a request through until tomorrow.';
  return {
    id: 'budget',
    label,
    description: limit === undefined ? 'no daily budget' : 'daily budget',
    tooltip: `${what} ${end}`,
    icon: 'graph',
    contextValue: 'budget',
  };
}

/** Names of servers and tools may contain whatever would separate them. */
function idOf(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
