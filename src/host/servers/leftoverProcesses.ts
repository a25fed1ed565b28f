import { commands, type QuickPickItem, window } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { LeftoverServer, ProcessLedger } from '../../transport/stdio/processLedger.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf, escapeIcons, notificationText, singleLine, timeOfDay } from '../platform/displayText.ts';

type LoadLedger = () => Promise<Pick<ProcessLedger, 'leftovers'>>;

/** The window comes up first: nothing waits for this. */
const settleMs = 3_000;

/**
 * Looks, once a window is open, for servers that an earlier one left running because it was killed, and offers to end
 * them. Nothing is ended without a yes: such a server may still be needed.
 */
export function offerToEndLeftovers(ledger: LoadLedger, clock: Clock, logger: Logger): Disposable {
  const look = (): void => {
    offer(ledger).catch((error: unknown) => {
      logger.warn(`Could not look for leftover processes: ${messageOf(error)}`);
    });
  };
  return clock.after(settleMs, look, { isBackground: true });
}

async function offer(ledger: LoadLedger): Promise<void> {
  const leftovers = await (await ledger()).leftovers();
  if (leftovers.length === 0) return;
  const names = [...new Set(leftovers.map(({ label }) => `"${visibleText(label)}"`))].join(', ');
  const [end, choose] = ['End Them', 'Choose…'];
  const message = `A window that ended unexpectedly left ${countOf(leftovers.length, 'server')} running: ${names}.`;
  const chosen = await window.showWarningMessage(notificationText(message), end, choose);
  if (chosen === end) await endAll(leftovers);
  else if (chosen === choose) await commands.executeCommand(CommandIds.endLeftoverProcesses);
}

export async function chooseLeftovers(ledger: LoadLedger): Promise<void> {
  const leftovers = await (await ledger()).leftovers();
  if (leftovers.length === 0) {
    await window.showInformationMessage('No leftover processes were found.');
    return;
  }
  const chosen = await window.showQuickPick(leftovers.map(toItem), {
    title: 'Servers Left Running by a Window That Ended Unexpectedly',
    placeHolder: 'Select servers to end, including what they have started',
    canPickMany: true,
  });
  await endAll((chosen ?? []).map(({ leftover }) => leftover));
}

function toItem(leftover: LeftoverServer): QuickPickItem & { readonly leftover: LeftoverServer } {
  const { label, command, pids, startedAt } = leftover;
  return {
    leftover,
    label: escapeIcons(singleLine(visibleText(label))),
    description: escapeIcons(singleLine(visibleText(command))),
    detail: `${countOf(pids.length, 'process', 'processes')} (${pids.slice(0, 10).join(', ')}), started at ${timeOfDay(startedAt)}`,
    picked: true,
  };
}

async function endAll(leftovers: readonly LeftoverServer[]): Promise<void> {
  if (leftovers.length === 0) return;
  const remaining = (await Promise.all(leftovers.map((leftover) => leftover.end()))).flat();
  if (remaining.length === 0) {
    void window.showInformationMessage(
      `${countOf(leftovers.length, 'server')} ended, including what they had started.`,
    );
    return;
  }
  const message = `These processes could not be ended: ${remaining.join(', ')}. They belong to another user, or the system holds them.`;
  void window.showWarningMessage(notificationText(message));
}
