import { commands, window } from 'vscode';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { UnattendedStart } from './attendance.ts';
import { CommandIds } from './commands/commandIds.ts';
import { countOf, singleLine } from './displayText.ts';
import { notificationText } from './notificationText.ts';
import type { ServerRegistry } from './serverRegistry.ts';

/** Servers that start together come to their questions together. */
const settleMs = 500;
const shownNames = 5;

/**
 * Tells of servers that have come to a question while nobody waited for them: one notification for all of them, and no
 * other while it is open, as the tree and the status bar show them too.
 */
export function offerReview(registry: ServerRegistry, clock: Clock): Disposable {
  const store = new DisposableStore();
  const seen = new WeakSet<UnattendedStart>();
  const waiting = new Set<string>();
  let isTelling = false;

  async function tell(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    while (waiting.size > 0) {
      const labels = [...waiting];
      waiting.clear();
      const review = 'Review…';
      if ((await window.showInformationMessage(messageFor(labels), review)) !== review) continue;
      await commands.executeCommand(CommandIds.reviewServer, labels.length === 1 ? labels[0] : undefined);
    }
    isTelling = false;
  }

  store.add(
    registry.onDidChangeAny(({ label, server: { state } }) => {
      if (state.kind !== 'failed' || !(state.error instanceof UnattendedStart) || seen.has(state.error)) return;
      seen.add(state.error);
      waiting.add(label);
      store.add(clock.after(settleMs, () => void tell()));
    }),
  );
  return store;
}

function messageFor(labels: readonly string[]): string {
  const names = labels.slice(0, shownNames).map((label) => `“${singleLine(label, 60)}”`);
  const more = labels.length > shownNames ? ' and others' : '';
  const verb = labels.length === 1 ? 'needs your approval before it starts' : 'need your approval before they start';
  return notificationText(`${countOf(labels.length, 'MCP server')} ${verb}: ${names.join(', ')}${more}.`, 600);
}
