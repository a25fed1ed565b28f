import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../base/limits.ts';
import type { ToolCallApproval } from '../../client/toolCalls/toolCallApproval.ts';
import type { MutedServer, Mutes } from '../../client/mutes.ts';
import { CommandIds } from '../commandIds.ts';
import { notificationText } from '../platform/displayText.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { runForPerson } from '../platform/personArguments.ts';

/**
 * Ends what a server was allowed when it stops, but for the rules that are kept: the next process with the same label may be
 * another program.
 */
export function revokeGrantsOnStop(
  registry: Pick<ServerRegistry, 'onDidChangeState'>,
  sampling: { serverStopped(server: string): void },
  approvals: { readonly loaded: ToolCallApproval | undefined },
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
  const allow = 'Unmute Server';
  const count = limits.questions.refusals;
  const message =
    what === 'questions'
      ? `You refused ${count} questions of “${server}” in a row. What it asks from now on is refused without showing it to you.`
      : `You declined ${count} calls in a row: other extensions and commands can no longer call tools of “${server}” or ask to.`;
  const chosen = await window.showInformationMessage(notificationText(message), allow);
  if (chosen === allow) await runForPerson(CommandIds.allowQuestions, server);
}
