import { window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation } from '../../base/errors.ts';
import { UnrequestedStartError } from '../configuration/requester.ts';
import { countOf, notificationText, singleLine } from '../platform/displayText.ts';
import { showError } from '../platform/showError.ts';
import type { ServerActions } from './serverActions.ts';
import type { HostServer, ServerRegistry } from './serverRegistry.ts';
import { needsApproval } from './serverStatus.ts';

/**
 * Starts the servers marked `autoStart` when the window first has them, and none in an untrusted workspace. One that is marked
 * later starts with the next window.
 */
export function autoStart(registry: ServerRegistry, actions: Pick<ServerActions, 'startUnattended'>): Disposable {
  return onceTrusted(registry, ({ label, configured, isDisabled }) => {
    if (configured.options.autoStart === true && !isDisabled) void actions.startUnattended(label);
    return true;
  });
}

/** Calls `act` with each server of a trusted workspace, now and after changes, until it has returned true for that label. */
export function onceTrusted(registry: ServerRegistry, act: (host: HostServer) => boolean): Disposable {
  const store = new DisposableStore();
  const done = new Set<string>();
  function check(): void {
    if (!workspace.isTrusted) return;
    for (const host of registry.servers) if (!done.has(host.label) && act(host)) done.add(host.label);
  }
  check();
  store.add(registry.onDidChangeServers(check));
  store.add(workspace.onDidGrantWorkspaceTrust(check));
  return store;
}

/** Offers to restart servers whose definition changed while they run: once for each change. */
export function offerRestart(registry: ServerRegistry, actions: ServerActions): Disposable {
  const offered = new WeakSet<HostServer['configured']>();
  return registry.onDidChangeAny((host) => {
    if (!host.isStale || offered.has(host.configured)) return;
    offered.add(host.configured);
    void offer(host, actions);
  });
}

async function offer({ label, configured }: HostServer, actions: ServerActions): Promise<void> {
  const restart = 'Restart';
  const message = `The configuration of the server "${label}" changed in ${configured.source.title}.`;
  if ((await window.showInformationMessage(notificationText(message), restart)) === restart)
    await actions.restart(label);
}

/** Servers that start together come to their questions together. */
const settleMs = 500;
const shownNames = 5;

/**
 * Shows one notification for all servers whose start without a person needs approval, and no second one while it is open:
 * the tree and the status bar show these servers too.
 * @param start reviews and starts servers for the person
 */
export function offerReview(
  registry: Pick<ServerRegistry, 'get' | 'onDidChangeAny'>,
  start: (labels: readonly string[]) => Promise<void>,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const seen = new WeakSet<UnrequestedStartError>();
  const waiting = new Set<string>();
  let isTelling = false;

  async function tell(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    try {
      while (waiting.size > 0) await review();
    } catch (error) {
      // The server may have left the configuration while the notification was open.
      if (!isCancellation(error)) showError(error);
    } finally {
      isTelling = false;
    }
  }

  async function review(): Promise<void> {
    const labels = [...waiting];
    waiting.clear();
    const action = 'Review…';
    if ((await window.showInformationMessage(messageFor(labels), action)) !== action) return;
    const isWaiting = (label: string): boolean => {
      const host = registry.get(label);
      return host !== undefined && needsApproval(host);
    };
    await start(labels.filter(isWaiting));
  }

  store.add(
    registry.onDidChangeAny(({ label, server: { state } }) => {
      if (state.kind !== 'failed' || !(state.error instanceof UnrequestedStartError) || seen.has(state.error)) return;
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
