import { commands, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { MutedServer, Mutes } from '../../client/mutes.ts';
import { CommandIds, showApprovals } from '../commandIds.ts';
import { askSafely } from '../platform/dialogs.ts';
import { countOf, escapeIcons, notificationText } from '../platform/displayText.ts';
import { runForPerson } from '../platform/personArguments.ts';
import { ofFocusedRow, registerCommand } from '../platform/registerCommand.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import {
  type Approval,
  type ApprovalNode,
  approvalRow,
  type ApprovalSources,
  labelOf,
  readApprovals,
  revokeApprovals,
} from './approvals.ts';
import type { ApprovalsView } from './approvalsView.ts';
import type { LazyApprovals } from './consentServices.ts';
import { editRule } from './editRule.ts';
import { ruleTitle } from './ruleText.ts';

interface ApprovalCommandsOptions extends ApprovalSources {
  readonly view: ApprovalsView;
  readonly logger: Logger;
}

/** Registers the commands of the approvals view, which the palette has too. */
export function registerApprovalCommands(options: ApprovalCommandsOptions): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand(options, CommandIds.editRule, (row) => edit(options, row)));
  store.add(registerCommand(options, CommandIds.revokeApproval, (row) => revoke(options, row)));
  store.add(registerCommand(options, CommandIds.allowAlways, (row) => allowAlways(options, row)));
  store.add(registerCommand(options, CommandIds.revokeAllApprovals, () => revokeAll(options)));
  store.add(registerCommand(options, CommandIds.stopRules, () => stopRules(options.sampling)));
  return store;
}

async function nodeOf({ view }: ApprovalCommandsOptions, argument: unknown): Promise<ApprovalNode | undefined> {
  if (argument === ofFocusedRow) return view.focused();
  return view.isRow(argument) ? argument : undefined;
}

async function edit(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  const [chosen] = await subjectsOf(options, argument, 'Edit Rule', isRule, false);
  const rules = chosen && (await options.sampling.rules());
  if (chosen !== undefined && isRule(chosen) && rules !== undefined) await editRule(chosen.rule, rules, options.clock);
}

async function revoke(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  await revokeApprovals(await subjectsOf(options, argument, 'Revoke Approval', isRevocable, true));
}

/**
 * The row that a command is about; from the palette, what the person chooses from a list. Nothing for a row that the command is not
 * for.
 */
async function subjectsOf(
  options: ApprovalCommandsOptions,
  argument: unknown,
  title: string,
  isOffered: (node: ApprovalNode) => node is Approval,
  canPickMany: boolean,
): Promise<readonly Approval[]> {
  const node = await nodeOf(options, argument);
  if (node !== undefined) return isOffered(node) ? [node] : [];
  if (argument === ofFocusedRow) return [];
  const rows = (await readApprovals(options)).approvals.filter(isOffered).map(toPickRow);
  if (rows.length === 0) {
    await window.showInformationMessage(isOffered === isRule ? noRules : noApprovals);
    return [];
  }
  const placeHolder = 'Select approvals to revoke';
  const picked = canPickMany
    ? await window.showQuickPick(rows, { title, placeHolder, canPickMany: true })
    : await window.showQuickPick(rows, { title });
  return [picked ?? []].flat().map(({ approval }) => approval);
}

function isRule(node: ApprovalNode): node is Approval & { readonly rule: string } {
  return 'rule' in node;
}

function isRevocable(node: ApprovalNode): node is Approval {
  return 'revoke' in node;
}

/** *Always Allow…*: for a call that was allowed once, of the view or, from the palette, of a list. */
async function allowAlways(options: ApprovalCommandsOptions, argument: unknown): Promise<void> {
  const node = await nodeOf(options, argument);
  if (node === undefined ? argument !== undefined : !('call' in node)) return;
  const chosen = node ?? (await chooseAllowed(options));
  if (chosen !== undefined && 'call' in chosen && chosen.call !== undefined)
    await (await options.approvals.current())?.allowAlways(chosen.call);
}

async function chooseAllowed(options: ApprovalCommandsOptions): Promise<Approval | undefined> {
  const calls = (await readApprovals(options)).approvals.filter(({ call }) => call !== undefined);
  if (calls.length === 0) {
    await window.showInformationMessage(
      'You have not allowed a single call of an app or an extension since its server started.',
    );
    return undefined;
  }
  // Another extension may have opened the list: Enter that was meant for something else takes the first row.
  const show = { label: '$(list-unordered) Show Approvals', detail: 'allows nothing', approval: undefined };
  const placeHolder = 'Select a tool to call without asking, until the server or the tool changes';
  const rows = calls.map((call) => ({ ...toPickRow(call), label: escapeIcons(labelOf(call)) }));
  const picked = await window.showQuickPick([show, ...rows], { title: 'Always Allow', placeHolder });
  if (picked === show) await commands.executeCommand(showApprovals);
  return picked?.approval;
}

function toPickRow(approval: Approval) {
  const label = `$(${approvalRow(approval).icon}) ${escapeIcons(labelOf(approval))}`;
  return { label, detail: escapeIcons(approval.description), approval };
}

const noApprovals = 'You have not allowed anything permanently.';
const noRules = 'No rules for models.';

async function revokeAll(options: ApprovalCommandsOptions): Promise<void> {
  const count = (await readApprovals(options)).approvals.filter(isRevocable).length;
  if (count === 0) {
    await window.showInformationMessage(noApprovals);
    return;
  }
  const answer = await askSafely({
    message: `Revoke ${count === 1 ? 'the only approval' : `all ${countOf(count, 'approval')}`}?`,
    detail: 'You will be asked about every request and every call. Requests that a rule has just sent are stopped.',
    safe: 'Show Approvals',
    actions: ['Revoke All'],
  });
  if (answer === 'Show Approvals') await commands.executeCommand(showApprovals);
  // Read again: what came meanwhile is meant too.
  if (answer === 'Revoke All') await revokeApprovals((await readApprovals(options)).approvals);
}

/** *Stop All Rules for Models*, and the click on the status bar: asks nothing, as it only narrows. */
async function stopRules(sampling: ApprovalSources['sampling']): Promise<void> {
  const rules = await sampling.rules();
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
  const done = titles.length === 0 ? noRules : `${what} stopped. You will be asked about every request.`;
  const chosen =
    problem === undefined
      ? await window.showInformationMessage(notificationText(done), show)
      : await window.showErrorMessage(
          notificationText(`${what} stopped in this window, but could not be deleted: ${problem}`),
          show,
        );
  if (chosen === show) await commands.executeCommand(showApprovals);
}

/**
 * Ends what a server was allowed when it stops, but for what is kept, which is bound to the program: the next process with the same label
 * may be another one.
 */
export function revokeGrantsOnStop(
  registry: Pick<ServerRegistry, 'onDidChangeState'>,
  sampling: { serverStopped(server: string): void },
  approvals: Pick<LazyApprovals, 'loaded'>,
): Disposable {
  return registry.onDidChangeState(({ label, state }) => {
    if (state.kind === 'running') return;
    sampling.serverStopped(label);
    approvals.loaded?.end(label);
  });
}

/** Tells the person when a server is muted, and offers to end that. */
export function offerUnmute(mutes: Mutes): Disposable {
  return mutes.onDidMute((muted) => void notifyMuted(muted));
}

async function notifyMuted({ server, what }: MutedServer): Promise<void> {
  const allow = 'Unmute MCP Server';
  const count = limits.questions.refusals;
  const message =
    what === 'questions'
      ? `You declined ${count} questions of “${server}” in a row. Its questions are now declined automatically.`
      : `You declined ${count} calls in a row: apps, other extensions and commands can no longer call tools of “${server}” or ask to.`;
  const chosen = await window.showInformationMessage(notificationText(message), allow);
  if (chosen === allow) await runForPerson(CommandIds.allowQuestions, server);
}
