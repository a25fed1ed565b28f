import { commands, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AllowedCall } from '../../client/toolCalls/toolCallApproval.ts';
import { CommandIds, showApprovals } from '../commandIds.ts';
import { askSafely } from '../platform/dialogs.ts';
import { countOf, escapeIcons, notificationText } from '../platform/displayText.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { type Approval, type ApprovalNode, approvalRow, approvalsOf } from './approvalRows.ts';
import { type ApprovalSources, readApprovals, revokeApprovals, revokeEverything } from './approvalSources.ts';
import type { ApprovalsView } from './approvalsView.ts';
import { editRule } from './editRule.ts';
import type { RuleSource } from './ruleSource.ts';
import { ruleTitle } from './ruleText.ts';

/** What the commands need. */
export interface ApprovalCommandsOptions extends ApprovalSources {
  readonly view: Pick<ApprovalsView, 'selection' | 'isRow'>;
  readonly logger: Logger;
}

/** Registers the commands of the approvals view, which the palette has too. */
export function registerApprovalCommands(options: ApprovalCommandsOptions): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand(options, CommandIds.editRule, (row) => edit(options, row)));
  store.add(registerCommand(options, CommandIds.revokeApproval, (row) => revoke(options, row)));
  store.add(registerCommand(options, CommandIds.allowAlways, (row) => allowAlways(options, row)));
  store.add(registerCommand(options, CommandIds.revokeAllApprovals, () => revokeAll(options)));
  store.add(registerCommand(options, CommandIds.stopRules, () => stopRules(options.rules)));
  return store;
}

/** The argument of a key binding in the view: the row the keyboard is on is meant. */
const selected = 'selection';

function nodeOf({ view }: ApprovalCommandsOptions, argument: unknown): ApprovalNode | undefined {
  if (argument === selected) return view.selection;
  return view.isRow(argument) ? argument : undefined;
}

async function edit(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  const node = nodeOf(options, argument);
  if (node === undefined ? argument === selected : node.kind !== 'rule') return;
  const rule = node?.kind === 'rule' ? node : (await choose(options, 'Edit Rule', isRule, false))?.[0];
  const rules = rule && (await options.rules.find());
  if (rule?.kind === 'rule' && rules !== undefined) await editRule(rule.rule.id, rules, options.clock);
}

async function revoke(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  const node = nodeOf(options, argument);
  if (node === undefined && argument === selected) return;
  if (node?.kind === 'group' || node?.kind === 'budget' || node?.kind === 'allowedOnce') return;
  const chosen = node === undefined ? await choose(options, 'Revoke Approval', () => true, true) : [node];
  if (chosen !== undefined) await revokeApprovals(chosen, options);
}

/** *Always Allow…*: for a call that was allowed once, of the view or, from the palette, of a list. */
async function allowAlways(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  const node = nodeOf(options, argument);
  if (node === undefined ? argument !== undefined : node.kind !== 'allowedOnce') return;
  const { loaded } = options.approvals;
  const call = node?.kind === 'allowedOnce' ? node.call : await chooseAllowed(loaded?.allowedOnce ?? []);
  if (call !== undefined) loaded?.allowAlways(call);
}

async function chooseAllowed(calls: readonly AllowedCall[]): Promise<AllowedCall | undefined> {
  if (calls.length === 0) {
    await window.showInformationMessage('No call of an app or an extension was allowed once since its server started.');
    return undefined;
  }
  const rows = calls.map((call) => {
    const { label, description } = approvalRow({ kind: 'allowedOnce', call }, 0);
    return { label: escapeIcons(label), detail: escapeIcons(description), call };
  });
  // Another extension may have opened the list: Enter that was meant for something else takes the first row.
  const show = { label: '$(list-unordered) Show Approvals', detail: 'allows nothing', call: undefined };
  const placeHolder = 'Called without a question from now on, until the server stops';
  const picked = await window.showQuickPick([show, ...rows], { title: 'Always Allow', placeHolder });
  if (picked === show) await commands.executeCommand(showApprovals);
  return picked?.call;
}

/** From the palette there is no row: the person chooses from a list. */
async function choose(
  options: ApprovalCommandsOptions,
  title: string,
  isOffered: (approval: Approval) => boolean,
  canPickMany: boolean,
): Promise<readonly Approval[] | undefined> {
  const offered = approvalsOf(await readApprovals(options)).filter(isOffered);
  if (offered.length === 0) {
    await window.showInformationMessage(
      isOffered === isRule ? 'There are no rules for models.' : 'Nothing is allowed without a question.',
    );
    return undefined;
  }
  const now = options.clock.now();
  const rows = offered.map((approval) => {
    const { label, description, icon } = approvalRow(approval, now);
    return { label: `$(${icon}) ${escapeIcons(label)}`, detail: escapeIcons(description), approval };
  });
  if (!canPickMany) {
    const picked = await window.showQuickPick(rows, { title });
    return picked && [picked.approval];
  }
  const placeHolder = 'The chosen ones are asked about again';
  const picked = await window.showQuickPick(rows, { title, placeHolder, canPickMany: true });
  return picked?.map(({ approval }) => approval);
}

function isRule({ kind }: Approval): boolean {
  return kind === 'rule';
}

async function revokeAll(options: ApprovalCommandsOptions): Promise<void> {
  const count = approvalsOf(await readApprovals(options)).length;
  if (count === 0) {
    await window.showInformationMessage('Nothing is allowed without a question.');
    return;
  }
  const answer = await askSafely({
    message: `Revoke ${count === 1 ? 'the one approval' : `all ${countOf(count, 'approval')}`}?`,
    detail: 'Every request and every call asks you again. What a rule lets through now is stopped.',
    safe: 'Show Approvals',
    actions: ['Revoke All'],
  });
  if (answer === 'Show Approvals') await commands.executeCommand(showApprovals);
  // Read again: what came meanwhile is meant too.
  if (answer === 'Revoke All') await revokeEverything(options);
}

/** *Stop All Rules for Models*, and the click on the status bar: asks nothing, as it only narrows. */
async function stopRules(source: RuleSource): Promise<void> {
  const rules = await source.find();
  const before = rules?.rules ?? [];
  let problem: string | undefined;
  try {
    await rules?.revoke(() => true, 'stopped by the person');
  } catch (error) {
    problem = messageOf(error);
  }
  // In a notification that nothing waits for.
  void notifyStopped(before.map(ruleTitle), problem);
}

async function notifyStopped(titles: readonly string[], problem: string | undefined): Promise<void> {
  const show = 'Show Approvals';
  const what = titles.length === 1 ? `The rule ${titles[0]} was` : `${countOf(titles.length, 'rule')} for models were`;
  const chosen =
    problem !== undefined
      ? await window.showErrorMessage(
          notificationText(`${what} stopped in this window, but could not be deleted: ${problem}`),
          show,
        )
      : await window.showInformationMessage(
          notificationText(
            titles.length === 0 ? 'There are no rules for models.' : `${what} stopped. Every request asks you again.`,
          ),
          show,
        );
  if (chosen === show) await commands.executeCommand(showApprovals);
}
